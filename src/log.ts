// Creates the log: JSON lines on standard output, without secrets and without values that a driver puts into its
// errors.

import { pino, type Logger } from 'pino';
import { createIsoClock } from './lib/time/iso-clock.ts';
import { captureLog } from './lib/live-log/capture-log.ts';
import type { LiveLog } from './lib/live-log/live-log.ts';
import { createLogDestination, type LogDestination } from './log-destination.ts';
import { createRecentLogLines, type RecentLogLines } from './recent-log-lines.ts';

// No line should have these; if one ever does, its value is not written. Wildcards would cost more than the line itself.
const redactedPaths = ['authorization', 'password', 'accessToken', 'token'];

type LogOptions = {
  /** Collects the lines that go to standard output, and keeps the newest. */
  readonly lines?: RecentLogLines;
  /** Gets events, at any level. */
  readonly liveLog?: LiveLog;
  /** The number of this process, if it is one of several. */
  readonly worker?: number | undefined;
};

/** Lines go to standard output unless told otherwise. */
export function createLog(
  level: string,
  otherDestination?: LogDestination,
  { lines = createRecentLogLines(), liveLog, worker }: LogOptions = {},
): Logger {
  const time = createIsoClock();
  const destination =
    otherDestination ??
    createLogDestination(1, {
      lines,
      onRecovered: (lostLines) => log.warn({ lostLines }, 'lines of the log were lost'),
    });
  const written = pino(
    {
      level,
      base: worker === undefined ? null : { worker },
      timestamp: () => `,"time":"${time()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactedPaths, censor: '[redacted]' },
      serializers: { err: serializeError },
    },
    destination,
  );
  const log = liveLog === undefined ? written : captureLog(written, liveLog);
  return log;
}

/** An error and its causes, without the properties that a driver adds: its SQL has values. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  return { name, message, code, errno, stack, ...(cause === undefined ? {} : { cause: serializeError(cause) }) };
}
