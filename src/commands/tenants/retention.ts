// `retention`: prints for how many days a tenant shows identities, and sets it if asked.

import type { Config } from '../../config.ts';
import { setRetention } from '../../features/residents/commands/set-retention.ts';
import { toMs2000 } from '../../lib/time/ms2000.ts';
import { selectTenant } from '../select-tenants.ts';
import { withTenant } from '../storage-failures.ts';

type RetentionOptions = {
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
  const clock = (): number => toMs2000(Date.now());
  const { accounting, surveillance } = await withTenant(config, tenant, (database) =>
    setRetention({ database, tenant, changes, clock, deadlineMs }),
  );
  process.stdout.write(`${tenant}: accounting ${accounting} days, surveillance ${surveillance} days\n`);
}
