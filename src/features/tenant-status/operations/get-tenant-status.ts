// GetTenantStatus: lists the units that are offline or out of order because of an error.

import type { Logger } from 'pino';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { readStatus } from '../read-status.ts';
import { toTenantStatus, type TenantStatus } from '../schemas.ts';

export type GetTenantStatusInput = {
  /** Of each source. */
  readonly limit: number;
};

export async function getTenantStatus(
  context: ManagerContext,
  { limit }: GetTenantStatusInput,
  { log }: { readonly log: Logger },
): Promise<TenantStatus> {
  const reading = await readStatus(context, limit, log);
  return toTenantStatus(reading, reading.items);
}
