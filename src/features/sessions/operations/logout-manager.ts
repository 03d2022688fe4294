// LogoutManager: ends the session of the request's token.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { PrincipalCache } from '../principal-cache.ts';
import { deleteSession } from '../queries/sessions.ts';

export async function logoutManager(
  context: ManagerContext,
  { principalCache }: { readonly principalCache: PrincipalCache },
): Promise<void> {
  const { tokenHash } = context.principal;
  try {
    await context.write({
      grant: (scope) => scope,
      // The session itself is required of every request.
      requireObject: async () => {},
      work: (db) => deleteSession(db, tokenHash),
    });
  } finally {
    // Also where the outcome is unknown: the session may be deleted.
    principalCache.invalidateToken(context.tenant.name, tokenHash);
  }
}
