// CreateBankUser: adds a resident with the next free id, an activation code, the history and the record for the devices.

import type { Static } from 'typebox';
import type { WriteDb } from '../../../database/db.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { lastResidentId, type KidOf } from '../../../lib/kid.ts';
import { Problem } from '../../../lib/problem.ts';
import { requireWholeBank, type WholeGrantedBank } from '../../../permissions/coverage.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import { requireBank, requireWholeBeforeLocks } from '../../places/require-place.ts';
import { findResident } from '../queries/residents.ts';
import { residentIdsLock } from '../queries/resident-ids.ts';
import { hasLocation } from '../queries/write-resident.ts';
import { recordNewResidents } from '../record-residents.ts';
import { createInvalidUserProblem } from '../rules/command-values.ts';
import type { NewResident, ResidentWorkspace } from '../schemas.ts';
import { readWorkspace } from '../read-workspace.ts';

/** Returns the workspace of the new resident. */
export async function createBankUser(
  context: ManagerContext,
  { bankKid, resident }: { readonly bankKid: KidOf<'bank'>; readonly resident: Static<typeof NewResident> },
): Promise<WriteAnswer<ResidentWorkspace>> {
  const { locationKid: location = null, keys, ...values } = resident;
  if (new Set(keys.map(({ number }) => number)).size < keys.length)
    throw createInvalidUserProblem('body.keys', 'must not have a number twice');
  await requireWholeBeforeLocks(context, bankKid);
  return context.write({
    grant: (scope) => requireWholeBank(scope, bankKid),
    locks: (granted) => [residentIdsLock(granted), outboxLock(granted)],
    requireObject: async (db, granted) => {
      await requireBank(db, granted);
      return granted;
    },
    work: async (db, granted, [residentId]) => {
      if (residentId > lastResidentId) throw new Problem('bank-full');
      const draft = { residentId, values, locationId: await requireLocation(db, granted, location), keys };
      await recordNewResidents(db, createManagerAuditContext(context), granted, [draft]);
      const row = (await findResident(db, granted, residentId))!;
      return readWorkspace(db, context, { bank: granted, row });
    },
  });
}

async function requireLocation(
  db: WriteDb,
  bank: WholeGrantedBank,
  kid: KidOf<'location'> | null,
): Promise<number | null> {
  if (kid === null) return null;
  if (kid.bankId !== bank.bankId || !(await hasLocation(db, bank, kid.locationId)))
    throw createInvalidUserProblem('body.locationKid', 'must be the KID of a location of the bank');
  return kid.locationId;
}
