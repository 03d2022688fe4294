// Creates the log: JSON lines on standard output, without secrets and without values that a driver puts into its
// errors.

import { pino, type Logger } from 'pino';
import { createIsoClock } from './lib/iso-clock.ts';
import { captureLog } from './lib/live-log/capture-log.ts';
import type { LiveLog } from './lib/live-log/live-log.ts';
import { createLogDestination, type LogDestination } from './log-destination.ts';

// No line should have these; if one ever does, its value is not written. Wildcards would cost more than the line itself.
const redactedPaths = ['authorization', 'password', 'accessToken', 'token'];

type LogCopies = {
  /** Gets every line, too. */
  readonly copy?: LogDestination;
  /** Gets events, at any level. */
  readonly liveLog?: LiveLog;
};

/** Lines go to standard output unless told otherwise. */
export function createLog(level: string, otherDestination?: LogDestination, { copy, liveLog }: LogCopies = {}): Logger {
  const time = createIsoClock();
  const output =
    otherDestination ??
    createLogDestination(1, {
      onRecovered: (lostLines) => log.warn({ lostLines }, 'lines of the log were lost'),
    });
  const destination = copy === undefined ? output : copyLines(output, copy);
  const written = pino(
    {
      level,
      base: null,
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

const copyLines = (output: LogDestination, copy: LogDestination): LogDestination => ({
  write: (line) => {
    copy.write(line);
    output.write(line);
  },
});

/** An error and its causes, without the properties that a driver adds: its SQL has values. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  return { name, message, code, errno, stack, ...(cause === undefined ? {} : { cause: serializeError(cause) }) };
}
