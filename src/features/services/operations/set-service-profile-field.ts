// SetServiceProfileField: writes the name or the icon of a service if the caller knows the current revision.

import type { WriteDb } from '../../../database/db.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { createFieldProblem } from '../../../lib/field-problem.ts';
import { dayOfMonthAt } from '../../icons/day-of-month.ts';
import { requireGrantedService } from '../granted-service.ts';
import { readService, type ServiceRow } from '../queries/services.ts';
import { findValueFault, type ProfileField } from '../rules/profile-fields.ts';
import { toServiceDetail, type ServiceDetail } from '../schemas.ts';
import { changeService, lockServiceWrite, requireRevision, type FoundService } from '../write-service.ts';

export type SetServiceProfileFieldInput = {
  readonly serviceKid: KidOf<'service'>;
  readonly field: ProfileField;
  readonly value: string;
  readonly expectedRevision: string;
};

/** Returns the service as it is afterwards. */
export function setServiceProfileField(
  context: ManagerContext,
  input: SetServiceProfileFieldInput,
): Promise<WriteAnswer<ServiceDetail>> {
  return context.write({
    grant: (scope) => requireGrantedService(scope, input.serviceKid),
    lock: lockServiceWrite,
    requireObject: async (db, service) => ({ service, row: await readService(db, service) }),
    work: (db, found) => compareAndSet(db, context, found, input),
  });
}

const columnOfField = { Name: 'name', Icon: 'icon' } as const satisfies Record<ProfileField, keyof ServiceRow>;

async function compareAndSet(
  db: WriteDb,
  context: ManagerContext,
  { service, row }: FoundService,
  { field, value, expectedRevision }: SetServiceProfileFieldInput,
): Promise<ServiceDetail> {
  const fault = findValueFault(field, value);
  if (fault !== undefined) throw createFieldProblem('body.value', fault, 'invalid-service-profile');
  requireRevision(row, expectedRevision);
  // Whoever gets here may write the service.
  const view = { canEdit: true, dayOfMonth: dayOfMonthAt(context.now) };
  const column = columnOfField[field];
  const { [column]: oldValue } = row;
  if (value === oldValue) return toServiceDetail(service, row, view);
  const recorded = { before: { [field]: oldValue }, after: { [field]: value } };
  const change = { field, old_value: oldValue, new_value: value, columns: { [column]: value }, recorded };
  await changeService(db, context, { service, row }, change);
  return toServiceDetail(service, { ...row, [column]: value, revision: row.revision + 1 }, view);
}
