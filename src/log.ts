// The log: JSON lines on standard output, without secrets and without what a driver puts into its errors.

import { pino, type Logger } from 'pino';
import { isoTime } from './lib/iso-time.ts';

// No line is made of these; should one ever be, its value stays out. Wildcards would cost more than the line itself.
const secrets = ['authorization', 'password', 'accessToken', 'token'];

export function makeLog(level: string): Logger {
  const time = isoTime();
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${time()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secrets, censor: '[redacted]' },
      serializers: { err: errorFacts },
    },
    batched(),
  );
}

const batchCharacters = 32_768;
const flushMs = 200;

/**
 * Standard output in batches, none later than a blink: a system call for each request would cost more than its line.
 * The lines are gathered here, since the destination itself measures all it has gathered again with every line.
 */
function batched(): ReturnType<typeof pino.destination> {
  const destination = pino.destination({ dest: 1, sync: false });
  const write = destination.write.bind(destination);
  const flushSync = destination.flushSync.bind(destination);
  let gathered = '';
  const hand = (): void => {
    if (gathered === '') return;
    const lines = gathered;
    gathered = '';
    write(lines);
  };
  // The end of the process comes through flushSync.
  return Object.assign(destination, {
    write: (line: string): boolean => {
      if (gathered === '') setTimeout(hand, flushMs).unref();
      gathered += line;
      if (gathered.length >= batchCharacters) hand();
      return true;
    },
    flushSync: (): void => {
      hand();
      flushSync();
    },
  });
}

/** An error's own words and those of its causes, without the properties that a driver adds: its SQL holds values. */
function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  return { name, message, code, errno, stack, ...(cause === undefined ? {} : { cause: errorFacts(cause) }) };
}
