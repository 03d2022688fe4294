// Config -> the service's long-lived parts: databases, clock, log, metrics, passwords.

import { pino, type Logger } from 'pino';
import type { Config } from './config.ts';
import { openDatabases, type Databases } from './database/databases.ts';
import { argon2Passwords, type Passwords } from './features/managers/passwords.ts';
import { httpMetrics, type HttpMetrics } from './http/metrics.ts';

export type Services = {
  readonly config: Config;
  /** Demo data is offered, and so is its password. */
  readonly demo: boolean;
  readonly databases: Databases;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly log: Logger;
  readonly metrics: HttpMetrics;
  readonly passwords: Passwords;
};

export function makeServices(
  config: Config,
  { demo, clock = Date.now }: { demo: boolean; clock?: () => number },
): Services {
  return {
    config,
    demo,
    databases: openDatabases(config.storage),
    clock,
    log: makeLog(config.logLevel),
    metrics: httpMetrics(),
    passwords: argon2Passwords(),
  };
}

// No line is made of these; should one ever be, its value stays out. Wildcards would cost more than the line itself.
const secrets = ['authorization', 'password', 'accessToken', 'token'];

export function makeLog(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: isoTime(),
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secrets, censor: '[redacted]' },
      serializers: { err: errorFacts },
    },
    batched(),
  );
}

/** A line's time in ISO 8601, spelled once for all the lines of a millisecond. */
function isoTime(): () => string {
  let spelledAt = 0;
  let spelling = '';
  return () => {
    const now = Date.now();
    if (now !== spelledAt) {
      spelledAt = now;
      spelling = `,"time":"${new Date(now).toISOString()}"`;
    }
    return spelling;
  };
}

const logBatchBytes = 4096;
const logFlushMs = 200;

/** Standard output in batches, none later than a blink: a system call for each request would cost more than its line. */
function batched(): ReturnType<typeof pino.destination> {
  const destination = pino.destination({ dest: 1, sync: false, minLength: logBatchBytes });
  setInterval(() => destination.flush(), logFlushMs).unref();
  return destination;
}

/** An error's own words and those of its causes, without the properties that a driver adds: its SQL holds values. */
function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  return { name, message, code, errno, stack, ...(cause === undefined ? {} : { cause: errorFacts(cause) }) };
}
