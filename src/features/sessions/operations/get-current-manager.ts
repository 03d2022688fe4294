// GetCurrentManager: describes the manager of the request's token, and what he may do.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { PreparedJson } from '../../../http/prepared-json.ts';
import type { CurrentManagerCache } from '../current-manager-cache.ts';

/** Not a promise where the JSON is cached: clients call this with every page. */
export function getCurrentManager(
  context: ManagerContext,
  { currentManagers }: { readonly currentManagers: CurrentManagerCache },
): PreparedJson | Promise<PreparedJson> {
  const json = currentManagers.getJson(context, context.principal);
  return typeof json === 'string' ? new PreparedJson(json) : json.then((text) => new PreparedJson(text));
}
