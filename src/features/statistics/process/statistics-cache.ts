// Keeps the public statistics of each tenant for a while, as finished JSON texts. Requests that arrive together share
// one query.

import type { OperationContext } from '../../../http/context/operation-context.ts';
import type { TenantHost } from '../../../http/context/tenancy.ts';
import { PreparedJson } from '../../../http/representations/results.ts';
import { Problem } from '../../../lib/problem.ts';
import { createPromiseCache } from '../../../lib/caches/promise-cache.ts';
import { createTenantCacheKey, type TenantCacheKey } from '../../../lib/caches/tenant-cache.ts';
import { countActiveUsers } from '../queries/active-users.ts';
import { listPurchaseGroups } from '../queries/purchases.ts';
import { lookBackForActiveUsers, lookBackForPurchases } from '../rules/purchase-totals.ts';
import { toPublicActiveUsers, toPublicPurchaseMap, toPublicPurchases } from '../answers.ts';
import type { PublicActiveUsers, PublicPurchaseMap, PublicPurchases } from '../schemas.ts';

const maxTenants = 1000;
const purchasesMaxAgeMs = 60_000;
const activeUsersMaxAgeMs = 300_000;
const failureMaxAgeMs = 5000;

/** Both are of one measurement, so that they agree. */
type PurchaseAnswers = {
  readonly purchases: PreparedJson<PublicPurchases>;
  readonly purchaseMap: PreparedJson<PublicPurchaseMap>;
};

export type StatisticsCache = {
  getPurchases(context: OperationContext): Promise<PurchaseAnswers>;
  /** The cached answers; measures nothing. */
  peekPurchases(tenantHost: TenantHost): PurchaseAnswers | undefined;
  getActiveUsers(context: OperationContext): Promise<PreparedJson<PublicActiveUsers>>;
  peekActiveUsers(tenantHost: TenantHost): PreparedJson<PublicActiveUsers> | undefined;
};

/** Production and beta have the same data, and get the same answers. */
export function createStatisticsCache(): StatisticsCache {
  const purchases = createMeasurementCache<PurchaseAnswers>(purchasesMaxAgeMs);
  const activeUsers = createMeasurementCache<PreparedJson<PublicActiveUsers>>(activeUsersMaxAgeMs);
  return {
    getPurchases: (context) => purchases.get(keyOf(context), () => measurePurchases(context)),
    peekPurchases: (tenantHost) => purchases.peek(keyOf(tenantHost)),
    getActiveUsers: (context) => activeUsers.get(keyOf(context), () => measureActiveUsers(context)),
    peekActiveUsers: (tenantHost) => activeUsers.peek(keyOf(tenantHost)),
  };
}

type MeasurementCache<T> = {
  get(key: TenantCacheKey, measure: () => Promise<T>): Promise<T>;
  peek(key: TenantCacheKey): T | undefined;
};

/**
 * Whatever is wrong with the database, the answer is that the statistics are unavailable. A failure is kept for some
 * seconds, because anybody can send requests: a slow database must not get more work.
 */
function createMeasurementCache<T>(maxAgeMs: number): MeasurementCache<T> {
  const measurements = createPromiseCache<T>({ max: maxTenants, maxAgeMs });
  const failures = createPromiseCache<Problem>({ max: maxTenants, maxAgeMs: failureMaxAgeMs });
  return {
    peek: measurements.peek,
    get: async (key, measure) => {
      const failure = failures.peek(key);
      if (failure !== undefined) throw failure;
      try {
        return await measurements.get(key, measure);
      } catch (error) {
        throw await failures.get(key, async () => new Problem('statistics-unavailable', { cause: error }));
      }
    },
  };
}

const keyOf = ({ tenant }: Pick<TenantHost, 'tenant'>): TenantCacheKey => createTenantCacheKey({ tenant: tenant.name });

async function measurePurchases(context: OperationContext): Promise<PurchaseAnswers> {
  const lookback = lookBackForPurchases(context.now);
  const groups = await context.read((db) => listPurchaseGroups(db, lookback.since));
  const measurement = { tenantKid: context.tenant.name, lookback };
  return {
    purchases: prepare(toPublicPurchases(groups, measurement)),
    purchaseMap: prepare(toPublicPurchaseMap(groups, measurement)),
  };
}

async function measureActiveUsers(context: OperationContext): Promise<PreparedJson<PublicActiveUsers>> {
  const lookback = lookBackForActiveUsers(context.now);
  const count = await context.read((db) => countActiveUsers(db, lookback.since));
  return prepare(toPublicActiveUsers(count, { tenantKid: context.tenant.name, lookback }));
}

const prepare = <T>(answer: T): PreparedJson<T> => new PreparedJson<T>(JSON.stringify(answer));
