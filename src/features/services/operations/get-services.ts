// GetServices: lists the service identities of the tenant.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { dayOfMonthAt } from '../../icons/day-of-month.ts';
import { listServices } from '../queries/services.ts';
import { findServiceIdentity } from '../rules/catalogue.ts';
import { selectServices, type ServiceListQuery } from '../rules/service-list.ts';
import { toServiceItem, type Service } from '../schemas.ts';

export async function getServices(
  context: ManagerContext,
  query: ServiceListQuery,
): Promise<{ items: Service[]; nextCursor: null }> {
  const { scope, now } = context;
  const rows = await context.read((db) => listServices(db, scope));
  const services = rows.flatMap((row) => {
    // A later version of the service may have identities that this one does not know.
    const identity = findServiceIdentity(row.service_id);
    const service = { tenant: scope.tenant, serviceId: row.service_id };
    return identity === undefined ? [] : [toServiceItem({ ...service, identity }, row, dayOfMonthAt(now))];
  });
  return { items: selectServices(services, query), nextCursor: null };
}
