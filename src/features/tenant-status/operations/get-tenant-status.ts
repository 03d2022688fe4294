// GetTenantStatus: lists the units that need attention: offline, out of order, or because of their computer.

import type { Static } from 'typebox';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { PreparedJson } from '../../../http/representations/results.ts';
import type { StatusReader } from '../read-status.ts';
import type { TenantStatus, TenantStatusQuery } from '../schemas.ts';

export function getTenantStatus(
  context: ManagerContext,
  { limit, kind }: Static<typeof TenantStatusQuery>,
  { statusReader }: { readonly statusReader: StatusReader },
): Promise<PreparedJson<TenantStatus>> {
  return statusReader.readJson(context, limit, kind);
}
