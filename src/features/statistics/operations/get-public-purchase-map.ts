// GetPublicPurchaseMap: counts the purchases of the last hour by their coordinates.

import type { OperationContext } from '../../../http/context/operation-context.ts';
import type { PreparedJson } from '../../../http/prepared-json.ts';
import type { StatisticsCache } from '../statistics-cache.ts';

export async function getPublicPurchaseMap(context: OperationContext, cache: StatisticsCache): Promise<PreparedJson> {
  return (await cache.getPurchases(context)).purchaseMap;
}
