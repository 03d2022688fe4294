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
    createBatchedDestination(),
  );
}

const batchCharacters = 32_768;
const flushMs = 200;

/**
 * Standard output in batches, none later than a blink: a system call for each request would cost more than its line.
 * The lines are gathered here, since the destination itself measures all it has gathered again with every line.
 */
function createBatchedDestination(): ReturnType<typeof pino.destination> {
  const destination = pino.destination({ dest: 1, sync: false });
  const write = destination.write.bind(destination);
  const flushSync = destination.flushSync.bind(destination);
  let buffer = '';
  const flush = (): void => {
    if (buffer === '') return;
    const lines = buffer;
    buffer = '';
    write(lines);
  };
  // The end of the process comes through flushSync.
  return Object.assign(destination, {
    write: (line: string): boolean => {
      if (buffer === '') setTimeout(flush, flushMs).unref();
      buffer += line;
      if (buffer.length >= batchCharacters) flush();
      return true;
    },
    flushSync: (): void => {
      flush();
      flushSync();
    },
  });
}

/** An error's own words and those of its causes, without the properties that a driver adds: its SQL holds values. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  return { name, message, code, errno, stack, ...(cause === undefined ? {} : { cause: serializeError(cause) }) };
}
