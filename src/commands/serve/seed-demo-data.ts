// Creates the demo data of `serve --demo` in databases that are empty.

import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Dependencies } from '../../dependencies.ts';
import { logFailedCheck } from '../../http/server/readiness.ts';
import { toMs2000 } from '../../lib/time/ms2000.ts';
import type { Tenant } from '../../tenants.ts';
import { seedTenants } from '../tenants/demo.ts';

type SeedDemoDataOptions = {
  readonly tenants?: readonly Tenant[];
  readonly clock?: () => number;
  readonly signal?: AbortSignal;
  /** The tenant has its data, or cannot have them. */
  readonly onEnded?: (tenant: string) => void;
};

/** Returns the names of the tenants that have demo data. */
export async function seedDemoData(
  config: Config,
  log: Logger,
  { tenants = config.tenants, clock = Date.now, signal, onEnded }: SeedDemoDataOptions = {},
): Promise<string[]> {
  const names: string[] = [];
  await seedTenants(
    config,
    tenants,
    { now: toMs2000(clock()), signal },
    {
      onSeeded: (tenant, outcome) => {
        if (outcome === 'foreign') log.warn({ tenant }, 'the database has other data: no demo data was created');
        else {
          names.push(tenant);
          log.info({ tenant, outcome }, 'demo data');
        }
        onEnded?.(tenant);
      },
      onFailed: (failed) => {
        logFailedCheck(log, failed, 'no demo data was created');
        onEnded?.(failed.tenant);
      },
      onWaiting: (tenant) => log.info({ tenant }, 'waiting for another process that creates the demo data'),
      onProgress: (tenant, written, total) => log.info({ tenant, written, total }, 'creating demo data'),
    },
  );
  return names;
}

/** Creates what the first tenant needs, so that it can be served while the others are still being filled. */
export async function beginDemoData({ config, databases, log, clock }: Dependencies) {
  const hasSchema = async ({ name }: Tenant): Promise<boolean> =>
    databases.compareSchema(name).then(
      ({ missing }) => missing.length === 0,
      () => false,
    );
  const known = new Set(
    (await Promise.all(config.tenants.map(async (tenant) => ((await hasSchema(tenant)) ? tenant : [])))).flat(),
  );
  const others = config.tenants.slice(1).filter((tenant) => !known.has(tenant));
  const letGo = databases.holdBack(others.map(({ name }) => name));
  const tenants = config.tenants.filter((tenant) => !others.includes(tenant));
  return {
    /** The tenants that can be served, and have demo data. */
    tenantsWithDemo: await seedDemoData(config, log, { tenants, clock }),
    /** The tenants whose databases are still empty, and held back until `createOthers` has filled them. */
    others,
    /** Resolves with those of them that have demo data; ends early when the signal aborts. */
    createOthers: (signal: AbortSignal) =>
      seedDemoData(config, log, { tenants: others, clock, signal, onEnded: letGo }).catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, 'the demo data could not be created');
        return [];
      }),
  };
}
