// Lists, reads and stores profiles, and tries them, for an operator.

import { takeLocks } from '../../../database/locks.ts';
import { tenantAuditLock } from '../../audit/queries/append-audit.ts';
import { createOperatorAuditContext } from '../../audit/rules/audit-context.ts';
import { changeImportProfile } from '../change-import-profile.ts';
import { parseStorableProfile, readNamedProfile, readProfileList, type NamedProfile } from '../read-profile.ts';
import type { ProfileError } from '../rules/profile.ts';
import type { ImportProfileItem } from '../schemas.ts';
import type { TenantDatabase } from '../../../database/tenant-database.ts';
import type { Tenant } from '../../../tenants.ts';

const deadlineMs = 30_000;

type OperatorProfiles = {
  readonly database: TenantDatabase;
  readonly tenant: Tenant;
  /** MS2000. */
  readonly clock: () => number;
};

export const listProfilesByOperator = ({ database }: OperatorProfiles): Promise<ImportProfileItem[]> =>
  database.read({ deadlineMs }, readProfileList);

/** Undefined if there is none of this name. */
export const readProfileByOperator = (
  { database }: OperatorProfiles,
  name: string,
): Promise<NamedProfile | undefined> => database.read({ deadlineMs }, (db) => readNamedProfile(db, name));

/** Returns the name and the version that there is afterwards, or every reason why the document is no profile. */
export async function setProfileByOperator(
  { database, tenant, clock }: OperatorProfiles,
  document: unknown,
): Promise<{ readonly name: string; readonly version: number } | { readonly errors: readonly ProfileError[] }> {
  const parsed = parseStorableProfile(document);
  if ('errors' in parsed) return parsed;
  const { profile } = parsed;
  const actor = createOperatorAuditContext('profile set', clock);
  const write = { tenant: tenant.name, profile, document: document as object, expectedRevision: undefined };
  const version = await database.write({ deadlineMs }, async (db) => {
    await takeLocks(db, [tenantAuditLock()]);
    return changeImportProfile(db, actor, write);
  });
  return { name: profile.name, version };
}
