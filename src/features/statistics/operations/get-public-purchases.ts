// GetPublicPurchases: counts the purchases of the last hour.

import type { OperationContext } from '../../../http/context/operation-context.ts';
import type { PreparedJson } from '../../../http/representations/results.ts';
import type { PublicPurchases } from '../schemas.ts';
import type { StatisticsCache } from '../process/statistics-cache.ts';

export async function getPublicPurchases(
  context: OperationContext,
  cache: StatisticsCache,
): Promise<PreparedJson<PublicPurchases>> {
  return (await cache.getPurchases(context)).purchases;
}
