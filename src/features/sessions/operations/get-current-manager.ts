// GetCurrentManager: describes the manager of the request's token, and what they may do.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { PreparedJson } from '../../../http/representations/results.ts';
import type { CurrentManagerCache } from '../process/current-manager-cache.ts';
import type { CurrentManager } from '../schemas.ts';

/** Not a promise if the JSON is cached: clients call this with every page. */
export function getCurrentManager(
  context: ManagerContext,
  { currentManagers }: { readonly currentManagers: CurrentManagerCache },
): PreparedJson<CurrentManager> | Promise<PreparedJson<CurrentManager>> {
  return currentManagers.getJson(context, context.principal);
}
