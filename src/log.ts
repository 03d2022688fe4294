// Creates the log: JSON lines on standard output, without secrets and without values that a driver puts into its
// errors.

import { pino, type Logger } from 'pino';
import { createIsoClock } from './lib/iso-clock.ts';

// No line is made of these; should one ever be, its value stays out. Wildcards would cost more than the line itself.
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
    // In batches, none later than a blink: a system call for each request would cost more than its line. The destination
    // measures anew with every line what it has gathered, so that a larger batch costs more than it spares.
    pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 200 }),
  );
}

/** An error's own words and those of its causes, without the properties that a driver adds: its SQL holds values. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  return { name, message, code, errno, stack, ...(cause === undefined ? {} : { cause: serializeError(cause) }) };
}
