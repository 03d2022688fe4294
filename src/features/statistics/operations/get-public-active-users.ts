// GetPublicActiveUsers: counts the residents who were active in the last 100 days.

import type { OperationContext } from '../../../http/context/operation-context.ts';
import type { PreparedJson } from '../../../http/prepared-json.ts';
import type { StatisticsCache } from '../statistics-cache.ts';

export function getPublicActiveUsers(context: OperationContext, cache: StatisticsCache): Promise<PreparedJson> {
  return cache.getActiveUsers(context);
}
