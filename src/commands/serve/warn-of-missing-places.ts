// Warns an operator who has granted a bank or location that does not exist: it may be created later, or be misspelt.

import type { TenantDatabase } from '../../database/tenant-database.ts';
import { listMissingPlaces } from '../../features/manager-administration/queries/missing-places.ts';
import { grantsOf, type GrantTarget } from '../../features/manager-administration/rules/manager-state.ts';
import { listScopes } from '../../features/manager-administration/rules/granted-scopes.ts';
import { requireWholeTenant } from '../../permissions/coverage.ts';
import { createOperatorScope } from '../../permissions/scope.ts';

const deadlineMs = 10_000;

export async function warnOfMissingPlaces(
  database: TenantDatabase,
  tenant: string,
  places: readonly GrantTarget[],
): Promise<void> {
  const wholeTenant = requireWholeTenant(createOperatorScope(tenant));
  const missing = await database.read({ deadlineMs }, (db) => listMissingPlaces(db, wholeTenant, places));
  for (const { kid } of listScopes(grantsOf(missing), tenant))
    process.stderr.write(`warning: ${kid} does not exist: the grant gives access once it does\n`);
}
