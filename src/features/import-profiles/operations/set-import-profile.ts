// SetImportProfile: stores a version of a profile of the tenant.

import type { Static } from 'typebox';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { createFieldsProblem } from '../../../lib/values/field-problem.ts';
import type { FieldError, Problem } from '../../../lib/problem.ts';
import { requireWholeTenant } from '../../../permissions/coverage.ts';
import { tenantAuditLock } from '../../audit/queries/append-audit.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import { toImportProfile, parseStorableProfile, requireImportProfile } from '../read-profile.ts';
import { changeImportProfile } from '../change-import-profile.ts';
import type { Profile } from '../rules/profile.ts';
import type { ImportProfile, ProfileParams, ImportProfileChange } from '../schemas.ts';

type SetImportProfileInput = Static<typeof ProfileParams> & Static<typeof ImportProfileChange>;

/** Returns the profile as it is stored. */
export function setImportProfile(
  context: ManagerContext,
  { name, document, expectedRevision }: SetImportProfileInput,
): Promise<WriteAnswer<ImportProfile>> {
  const profile = requireStorable(name, document);
  return context.write({
    grant: requireWholeTenant,
    locks: () => [tenantAuditLock()],
    requireObject: async (_, tenant) => tenant,
    work: async (db, { tenant }) => {
      const actor = createManagerAuditContext(context);
      await changeImportProfile(db, actor, { tenant, profile, document, expectedRevision: expectedRevision ?? null });
      return toImportProfile(await requireImportProfile(db, name));
    },
  });
}

/** Throws 400 with every error by its path. */
function requireStorable(name: string, document: object): Profile {
  const parsed = parseStorableProfile(document);
  if ('errors' in parsed) throw createProfileProblem(parsed.errors);
  if (parsed.profile.name !== name)
    throw createProfileProblem([{ path: 'name', message: 'must be the name in the path' }]);
  return parsed.profile;
}

const createProfileProblem = (errors: readonly FieldError[]): Problem =>
  createFieldsProblem(
    errors.map(({ path, message }) => ({
      path: path === 'profile' ? 'body.document' : `body.document.${path}`,
      message,
    })),
    'invalid-request',
  );
