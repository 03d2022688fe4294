// LogoutManager: ends the session of the request's token.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatKid } from '../../../lib/kid.ts';
import { auditEntryLock } from '../../audit/queries/append-audit.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import type { PrincipalCache } from '../process/principal-cache.ts';
import { deleteSession } from '../queries/sessions.ts';

export async function logoutManager(
  context: ManagerContext,
  { principalCache }: { readonly principalCache: PrincipalCache },
): Promise<void> {
  const { tokenHash, id: managerId } = context.principal;
  const object = formatKid({ type: 'manager', tenant: context.tenant.name, managerId });
  try {
    await context.write({
      grant: (scope) => scope,
      // Sessions that end at the same time wait for each other here.
      locks: () => [auditEntryLock(createManagerAuditContext(context), { object, before: null, after: null })],
      // Every request of a manager already requires the session.
      requireObject: async () => {},
      work: (db) => deleteSession(db, { tokenHash, managerId }),
    });
  } finally {
    // Even if the outcome is unknown: the session may be deleted.
    principalCache.invalidateToken(context.tenant.name, tokenHash);
  }
}
