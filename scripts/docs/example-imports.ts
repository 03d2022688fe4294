// Stores the imports that the examples of the OpenAPI documents name: one that is applied, and two plans.

import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { applyByOperator, planByOperator } from '../../src/features/imports/commands/import-by-operator.ts';
import { parseKid } from '../../src/lib/kid.ts';
import type { Tenant } from '../../src/tenants.ts';

const bankId = 1003;

const file = (key: string): AsyncIterable<Uint8Array> =>
  (async function* blocks() {
    yield Buffer.from(`key;name;email;apartment\r\n${key};Demo Import ${key};import-${key}@example.org;1 tv\r\n`);
  })();

/** `now` is in MS2000. */
export async function storeExampleImports(database: TenantDatabase, tenant: Tenant, now: number): Promise<void> {
  const operator = { database, tenant, clock: () => now };
  const plan = { kind: 'residents', bankId, profile: undefined, missing: 'keep', options: {} } as const;
  const { kid } = await planByOperator(operator, { ...plan, file: file('t1') });
  const importId = parseKid(kid, tenant.name, ['import'])?.importId ?? 0;
  await applyByOperator(operator, importId, { allowPartial: false });
  for (const key of ['t2', 't3']) await planByOperator(operator, { ...plan, file: file(key) });
}
