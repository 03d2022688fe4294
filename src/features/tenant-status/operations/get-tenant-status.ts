// GetTenantStatus: lists the units that need attention: offline, out of order, or because of their computer.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { StatusReader } from '../read-status.ts';
import { toTenantStatus } from '../answers.ts';
import type { TenantStatus } from '../schemas.ts';

type GetTenantStatusInput = {
  /** Of each source. */
  readonly limit: number;
};

export async function getTenantStatus(
  context: ManagerContext,
  { limit }: GetTenantStatusInput,
  { statusReader }: { readonly statusReader: StatusReader },
): Promise<TenantStatus> {
  const reading = await statusReader.read(context, limit);
  return toTenantStatus(reading, reading.items);
}
