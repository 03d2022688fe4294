// GetPublicPurchases: counts the purchases of the last hour.

import type { OperationContext } from '../../../http/context/operation-context.ts';
import type { PreparedJson } from '../../../http/prepared-json.ts';
import type { StatisticsCache } from '../statistics-cache.ts';

export async function getPublicPurchases(context: OperationContext, cache: StatisticsCache): Promise<PreparedJson> {
  return (await cache.getPurchases(context)).purchases;
}
