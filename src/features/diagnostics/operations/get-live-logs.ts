// GetLiveLogs: lists the latest log events of this process and of the operator's other programs.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import type { LiveLogCards } from '../process/live-log-cards.ts';
import { liveLogsRefreshAfterSeconds, type LiveLogs } from '../schemas.ts';

export async function getLiveLogs({ tenant, now }: ManagerContext, cards: LiveLogCards): Promise<LiveLogs> {
  return {
    tenantKid: tenant.name,
    fetchedAtUtc: formatUtc(now),
    refreshAfterSeconds: liveLogsRefreshAfterSeconds,
    servers: await cards.read(tenant.name),
  };
}
