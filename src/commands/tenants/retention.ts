// `retention`: prints for how many days a tenant shows identities, and sets it if asked.

import type { Config } from '../../config.ts';
import { openDatabases } from '../../database/databases.ts';
import { setRetention } from '../../features/residents/commands/set-retention.ts';
import { toMs2000 } from '../../lib/time/ms2000.ts';
import { selectTenant } from '../select-tenants.ts';
import { explainFailures } from '../storage-failures.ts';

export type RetentionOptions = {
  readonly tenant: string;
  readonly accounting?: number;
  readonly surveillance?: number;
};

const deadlineMs = 10_000;

export async function printRetention(
  config: Config,
  { tenant: tenantName, ...changes }: RetentionOptions,
): Promise<void> {
  const { name: tenant } = selectTenant(config.tenants, tenantName);
  const databases = openDatabases(config.storage);
  const clock = (): number => toMs2000(Date.now());
  try {
    const { accounting, surveillance } = await explainFailures(databases, tenant, () =>
      setRetention({ database: databases.forTenant(tenant), tenant, changes, clock, deadlineMs }),
    );
    process.stdout.write(`${tenant}: accounting ${accounting} days, surveillance ${surveillance} days\n`);
  } finally {
    await databases.close();
  }
}
