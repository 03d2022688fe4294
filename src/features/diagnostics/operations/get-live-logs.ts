// GetLiveLogs: lists the latest log events of this process and of the operator's other programs.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import type { LiveLogCards } from '../process/live-log-cards.ts';
import { liveLogsRefreshAfterSeconds, type LiveLogs } from '../schemas.ts';

export const getLiveLogs = async ({ tenant, now }: ManagerContext, cards: LiveLogCards): Promise<LiveLogs> => ({
  tenantKid: tenant.name,
  fetchedAtUtc: formatUtc(now),
  refreshAfterSeconds: liveLogsRefreshAfterSeconds,
  servers: await cards.read(tenant.name),
});
