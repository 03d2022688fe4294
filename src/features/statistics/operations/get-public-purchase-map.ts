// GetPublicPurchaseMap: counts the purchases of the last hour by their coordinates.

import type { OperationContext } from '../../../http/context/operation-context.ts';
import type { PreparedJson } from '../../../http/representations/results.ts';
import type { PublicPurchaseMap } from '../schemas.ts';
import type { StatisticsCache } from '../process/statistics-cache.ts';

export async function getPublicPurchaseMap(
  context: OperationContext,
  cache: StatisticsCache,
): Promise<PreparedJson<PublicPurchaseMap>> {
  return (await cache.getPurchases(context)).purchaseMap;
}
