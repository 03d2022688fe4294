// Makes the cards of live logs: that of this process, and those of other programs, which are asked at most every three
// seconds for each tenant. Requests that arrive together share one question, and so do those after one that failed.

import type { Logger } from 'pino';
import type { LiveLog } from '../../lib/live-log/live-log.ts';
import { createPromiseCache } from '../../lib/promise-cache.ts';
import { createTenantCacheKey, type TenantCacheKey } from '../../lib/tenant-cache.ts';
import { liveLogServers, type LiveLogServer } from '../../providers/live-logs/live-log-settings.ts';
import type { LiveLogSources, SourceAnswer } from '../../providers/live-logs/live-log-sources.ts';
import { refreshAfterSeconds, toCard, type LiveLogCard } from './schemas.ts';

export type LiveLogCardsDependencies = {
  readonly liveLog: LiveLog;
  readonly liveLogSources: LiveLogSources;
  readonly log: Pick<Logger, 'warn'>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

/** The cards of a tenant, which a manager must have been checked for. */
export type LiveLogCards = { read(tenant: string): Promise<LiveLogCard[]> };

const maxEntries = 2000;

export function createLiveLogCards({ liveLog, liveLogSources, log, clock }: LiveLogCardsDependencies): LiveLogCards {
  /** What has failed is logged once, until it works again. */
  const failing = new Set<TenantCacheKey>();
  const answers = createPromiseCache<SourceAnswer>({ max: maxEntries, maxAgeMs: refreshAfterSeconds * 1000 });
  const readServer = async (server: LiveLogServer, tenant: string): Promise<LiveLogCard> => {
    const source = liveLogSources.get(server);
    if (source === undefined) return toCard(server, 'live-logs-not-configured');
    const key = createTenantCacheKey({ tenant }, server);
    const answer = await answers.get(key, async () => {
      const read = await source.read(tenant, clock());
      if (read.ok) failing.delete(key);
      else if (!failing.has(key)) {
        failing.add(key);
        log.warn({ server, tenant, reason: read.reason }, 'a source of live logs failed');
      }
      return read;
    });
    return answer.ok ? toCard(server, null, answer.events) : toCard(server, 'live-logs-unavailable');
  };
  return {
    read: async (tenant) => {
      const others = await Promise.all(liveLogServers.map((server) => readServer(server, tenant)));
      return [toCard('portal-api', null, liveLog.list(tenant)), ...others];
    },
  };
}
