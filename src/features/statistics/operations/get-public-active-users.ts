// GetPublicActiveUsers: counts the residents who were active in the last 100 days.

import type { OperationContext } from '../../../http/context/operation-context.ts';
import type { PreparedJson } from '../../../http/representations/results.ts';
import type { PublicActiveUsers } from '../schemas.ts';
import type { StatisticsCache } from '../process/statistics-cache.ts';

export function getPublicActiveUsers(
  context: OperationContext,
  cache: StatisticsCache,
): Promise<PreparedJson<PublicActiveUsers>> {
  return cache.getActiveUsers(context);
}
