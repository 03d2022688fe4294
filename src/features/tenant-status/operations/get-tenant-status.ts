// GetTenantStatus: lists the units that need attention: offline, out of order, or because of their computer.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { PreparedJson } from '../../../http/representations/results.ts';
import type { StatusReader } from '../read-status.ts';
import type { StatusKind } from '../rules/status-kinds.ts';
import type { TenantStatus } from '../schemas.ts';

type GetTenantStatusInput = {
  /** The most rows of each source. */
  readonly limit: number;
  readonly kind?: StatusKind;
};

export function getTenantStatus(
  context: ManagerContext,
  { limit, kind }: GetTenantStatusInput,
  { statusReader }: { readonly statusReader: StatusReader },
): Promise<PreparedJson<TenantStatus>> {
  return statusReader.readJson(context, limit, kind);
}
