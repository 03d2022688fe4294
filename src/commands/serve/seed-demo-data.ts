// Creates the demo data of `serve --demo` in databases that are empty.

import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { logFailedCheck } from '../../http/server/readiness.ts';
import { toMs2000 } from '../../lib/time/ms2000.ts';
import { seedTenants } from '../tenants/demo.ts';

/** Returns the names of the tenants that have demo data. */
export async function seedDemoData(config: Config, log: Logger, clock: () => number = Date.now): Promise<string[]> {
  const names: string[] = [];
  await seedTenants(
    config,
    config.tenants,
    { now: toMs2000(clock()) },
    {
      onSeeded: (tenant, outcome) => {
        if (outcome === 'foreign') log.warn({ tenant }, 'the database has other data: no demo data was created');
        else {
          names.push(tenant);
          log.info({ tenant, outcome }, 'demo data');
        }
      },
      onFailed: (failed) => logFailedCheck(log, failed, 'no demo data was created'),
      onWaiting: (tenant) => log.info({ tenant }, 'waiting for another process that creates the demo data'),
      onProgress: (tenant, written, total) => log.info({ tenant, written, total }, 'creating demo data'),
    },
  );
  return names;
}
