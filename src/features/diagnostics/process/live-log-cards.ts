// Creates the cards of live logs, for this process and for other programs. Each program is asked at most every three
// seconds for each tenant; requests within that time share the answer, even a failure.

import type { Logger } from 'pino';
import { createPromiseCache } from '../../../lib/caches/promise-cache.ts';
import { createTenantCacheKey, type TenantCacheKey } from '../../../lib/caches/tenant-cache.ts';
import type { LiveLog, LogEvent } from '../../../lib/live-log/live-log.ts';
import { formatUtc, toMs2000 } from '../../../lib/time/ms2000.ts';
import { liveLogServers, type LiveLogServer } from '../../../providers/live-logs/live-log-settings.ts';
import type { LiveLogSources, SourceAnswer } from '../../../providers/live-logs/live-log-sources.ts';
import { liveLogsRefreshAfterSeconds, type LiveLogCard, type LiveLogErrorCode } from '../schemas.ts';

export type LiveLogCardsDependencies = {
  readonly liveLog: LiveLog;
  /** That of the Equipment API. */
  readonly equipmentLiveLog: LiveLog;
  /** `equipment`: whether this process serves the Equipment API. */
  readonly config: { readonly equipment: boolean };
  readonly liveLogSources: LiveLogSources;
  readonly log: Pick<Logger, 'warn'>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

/** The cards of a tenant. The rights of the manager must have been checked before. */
export type LiveLogCards = { read(tenant: string): Promise<LiveLogCard[]> };

const maxEntries = 2000;

export function createLiveLogCards(dependencies: LiveLogCardsDependencies): LiveLogCards {
  const { liveLog, equipmentLiveLog, liveLogSources, config, log, clock } = dependencies;
  const isOwn = (server: LiveLogServer): boolean => server === 'equipment-api' && config.equipment;
  /** A failing source is logged once, until it works again. */
  const failing = new Set<TenantCacheKey>();
  const answers = createPromiseCache<SourceAnswer>({ max: maxEntries, maxAgeMs: liveLogsRefreshAfterSeconds * 1000 });
  const readServer = async (server: LiveLogServer, tenant: string): Promise<LiveLogCard> => {
    const source = liveLogSources.get(server);
    if (source === undefined)
      return isOwn(server)
        ? toLiveLogCard(server, null, equipmentLiveLog.list(tenant))
        : toLiveLogCard(server, 'live-logs-not-configured');
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
    return answer.ok ? toLiveLogCard(server, null, answer.events) : toLiveLogCard(server, 'live-logs-unavailable');
  };
  return {
    read: async (tenant) => {
      const others = await Promise.all(liveLogServers.map((server) => readServer(server, tenant)));
      return [toLiveLogCard('portal-api', null, liveLog.list(tenant)), ...others];
    },
  };
}

const toLiveLogCard = (
  server: LiveLogCard['server'],
  errorCode: LiveLogErrorCode | null,
  events: readonly LogEvent[] = [],
): LiveLogCard => ({ server, errorCode, events: events.map(toLiveLogEvent) });

/** Members without a value are left out of the JSON. */
function toLiveLogEvent(event: LogEvent): LiveLogCard['events'][number] {
  const { at, level, messageTemplate, category, statusCode, elapsedMilliseconds, bankId, userIds } = event;
  const { traceId, question, fields } = event;
  return {
    timestamp: formatUtc(toMs2000(at)),
    level,
    messageTemplate,
    category,
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(elapsedMilliseconds === undefined ? {} : { elapsedMilliseconds }),
    ...(bankId === undefined ? {} : { bankId }),
    ...(userIds === undefined ? {} : { userIds: [...userIds] }),
    ...(traceId === undefined ? {} : { traceId }),
    ...(question === undefined ? {} : { question }),
    ...(fields === undefined ? {} : { fields: { ...fields } }),
  };
}
