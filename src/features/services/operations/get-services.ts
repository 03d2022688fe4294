// GetServices: lists the service identities of the tenant.

import type { Static } from 'typebox';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { dayOfMonthAt } from '../../icons/rules/day-of-month.ts';
import { listServices } from '../queries/services.ts';
import { findServiceIdentity } from '../rules/service-catalogue.ts';
import { selectServices } from '../rules/service-list.ts';
import { toService } from '../answers.ts';
import type { Service, ServicesQuery } from '../schemas.ts';

export async function getServices(
  context: ManagerContext,
  query: Static<typeof ServicesQuery>,
): Promise<{ items: Service[]; nextCursor: null }> {
  const { scope, now } = context;
  const rows = await context.read((db) => listServices(db, scope));
  const services = rows.flatMap((row) => {
    // A later version of this API may have stored identities that this version does not know.
    const identity = findServiceIdentity(row.service_id);
    const service = { tenant: scope.tenant, serviceId: row.service_id };
    return identity === undefined ? [] : [toService({ ...service, identity }, row, dayOfMonthAt(now))];
  });
  return { items: selectServices(services, query), nextCursor: null };
}
