// Stores a version of a profile, with the audit log. It runs in the transaction of the caller, who has taken the lock of the
// tenant's audit log: it is that of the versions as well.

import type { WriteDb } from '../../database/db.ts';
import { requireLock } from '../../database/locks.ts';
import { Problem } from '../../lib/problem.ts';
import { appendAudit, tenantAuditLock } from '../audit/queries/append-audit.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import { findStoredProfile, insertProfile, listStoredProfiles } from './queries/profiles.ts';
import type { Profile } from './rules/profile.ts';

/** More are more likely to be a program that makes names than a tenant's systems. */
const maxProfiles = 200;

type ProfileWrite = {
  readonly tenant: string;
  readonly profile: Profile;
  readonly document: object;
  /** That of the version that is replaced; null for a profile that is new; undefined for whichever there is. */
  readonly expectedRevision: string | null | undefined;
};

/** Returns the version that there is afterwards. The same document again is no new one. */
export async function changeImportProfile(
  db: WriteDb,
  actor: AuditContext,
  { tenant, profile: { name, kind }, document, expectedRevision }: ProfileWrite,
): Promise<number> {
  requireLock(db, tenantAuditLock());
  const stored = await findStoredProfile(db, name);
  const revision = stored === undefined ? null : String(stored.version);
  if (expectedRevision !== undefined && expectedRevision !== revision) throw new Problem('import-profile-conflict');
  const text = JSON.stringify(document);
  if (stored?.document === text) return stored.version;
  if (stored === undefined && (await listStoredProfiles(db)).length >= maxProfiles)
    throw new Problem('too-many-profiles', { detail: `A tenant can have ${maxProfiles} profiles of its own.` });
  const version = (stored?.version ?? 0) + 1;
  const created = { created_at: actor.now, created_by: actor.kind === 'manager' ? actor.id : null };
  await insertProfile(db, { name, version, kind, document: text, ...created });
  await appendAudit(db, actor, {
    object: tenant,
    before: stored === undefined ? null : { importProfile: name, kind: stored.kind, version: stored.version },
    after: { importProfile: name, kind, version },
  });
  return version;
}
