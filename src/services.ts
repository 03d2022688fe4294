// Makes the service's long-lived parts from its config: databases, clock, log, metrics, password hasher.

import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { openDatabases, type Databases } from './database/databases.ts';
import { createPasswordHasher, type PasswordHasher } from './features/credentials/password-hasher.ts';
import { createHttpMetrics, type HttpMetrics } from './http/server/metrics.ts';
import { createLog } from './log.ts';

export type Services = {
  readonly config: Config;
  /** The service runs with demo data and accepts the demo password. */
  readonly demo: boolean;
  readonly databases: Databases;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly log: Logger;
  readonly metrics: HttpMetrics;
  readonly passwordHasher: PasswordHasher;
};

export function createServices(
  config: Config,
  { demo, clock = Date.now }: { demo: boolean; clock?: () => number },
): Services {
  return {
    config,
    demo,
    databases: openDatabases(config.storage),
    clock,
    log: createLog(config.logLevel),
    metrics: createHttpMetrics(),
    passwordHasher: createPasswordHasher(),
  };
}
