// Creates the log: JSON lines on standard output, without secrets and without values that a driver puts into its
// errors.

import { pino, type Logger } from 'pino';
import { createIsoClock } from './lib/iso-clock.ts';

// No line should have these; if one ever does, its value is not written. Wildcards would cost more than the line itself.
const redactedPaths = ['authorization', 'password', 'accessToken', 'token'];

export function createLog(level: string): Logger {
  const time = createIsoClock();
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${time()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactedPaths, censor: '[redacted]' },
      serializers: { err: serializeError },
    },
    // Written in batches, at least every 200 ms: a system call for each line would cost more than the line itself. Larger
    // batches cost more, since the destination measures its buffer again with every line.
    pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 200 }),
  );
}

/** An error and its causes, without the properties that a driver adds: its SQL has values. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  return { name, message, code, errno, stack, ...(cause === undefined ? {} : { cause: serializeError(cause) }) };
}
