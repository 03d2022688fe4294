// GetLiveLogs: shows what this process and other programs of the operator did lately.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatUtc } from '../../../lib/ms2000.ts';
import type { LiveLogCards } from '../live-log-cards.ts';
import { refreshAfterSeconds, type LiveLogsAnswer } from '../schemas.ts';

export async function getLiveLogs({ tenant, now }: ManagerContext, cards: LiveLogCards): Promise<LiveLogsAnswer> {
  return {
    tenantKid: tenant.name,
    fetchedAtUtc: formatUtc(now),
    refreshAfterSeconds,
    servers: await cards.read(tenant.name),
  };
}
