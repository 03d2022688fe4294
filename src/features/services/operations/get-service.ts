// GetService: reads a service identity with its icons, and for editors the hash of its API key.

import { isAuthorized } from '../../../http/requests/authorize.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { dayOfMonthAt } from '../../icons/rules/day-of-month.ts';
import { serviceWriteAccess } from '../access.ts';
import { requireGrantedService } from '../require-service.ts';
import { readService } from '../queries/services.ts';
import { toServiceDetail } from '../answers.ts';
import type { ServiceDetail } from '../schemas.ts';

export async function getService(context: ManagerContext, serviceKid: KidOf<'service'>): Promise<ServiceDetail> {
  const { scope, principal, now } = context;
  const service = requireGrantedService(scope, serviceKid);
  const row = await context.read((db) => readService(db, service));
  return toServiceDetail(service, row, {
    canEdit: isAuthorized(serviceWriteAccess, principal),
    dayOfMonth: dayOfMonthAt(now),
  });
}
