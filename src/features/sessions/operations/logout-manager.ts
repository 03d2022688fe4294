// LogoutManager: ends the session of the request's token.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatKid } from '../../../lib/kid.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import { createManagerActor } from '../../audit/rules/audit-actor.ts';
import type { PrincipalCache } from '../principal-cache.ts';
import { deleteSession } from '../queries/sessions.ts';

export async function logoutManager(
  context: ManagerContext,
  { principalCache }: { readonly principalCache: PrincipalCache },
): Promise<void> {
  const { tokenHash, managerId } = context.principal;
  const object = formatKid({ type: 'manager', tenant: context.tenant.name, managerId });
  try {
    await context.write({
      grant: (scope) => scope,
      // First, since nothing else is locked: sessions that end at the same time wait for each other here.
      lock: (db) => appendAudit(db, createManagerActor(context), { object, before: null, after: null }),
      // The session itself is required of every request.
      requireObject: async () => {},
      work: (db) => deleteSession(db, tokenHash),
    });
  } finally {
    // Also where the outcome is unknown: the session may be deleted.
    principalCache.invalidateToken(context.tenant.name, tokenHash);
  }
}
