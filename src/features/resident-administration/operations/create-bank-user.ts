// CreateBankUser: adds a resident with the next free id, an activation code, the history and the record for the devices.

import { randomBytes } from 'node:crypto';
import type { WriteDb } from '../../../database/db.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { formatBankKid, formatKid, formatUserKid, lastResidentId, type KidOf } from '../../../lib/kid.ts';
import type { Language } from '../../../lib/language.ts';
import { Problem } from '../../../lib/problem.ts';
import { formatReadableCode } from '../../../lib/readable-code.ts';
import {
  isWhole,
  requireCoveredBank,
  requireWholeCoverage,
  type WholeGrantedBank,
} from '../../../permissions/coverage.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import { withoutValues } from '../../audit/rules/recorded-values.ts';
import { outboxLock, queueSync } from '../../device-sync/queries/outbox.ts';
import { requireBank, requireWholeGrant } from '../../places/require-place.ts';
import { insertResidents } from '../../residents/queries/insert-residents.ts';
import { orDuplicateProblem } from '../../../database/duplicate-problem.ts';
import { findResident } from '../queries/residents.ts';
import {
  hasLocation,
  insertHistory,
  insertKey,
  releaseExpiredEmail,
  replaceActivation,
  replaceResidentWords,
  residentIdsLock,
} from '../queries/write-resident.ts';
import { activationCodeBytes } from '../rules/activation.ts';
import { createInvalidUserProblem } from '../rules/command-values.ts';
import type { Phone } from '../../residents/rules/phone.ts';
import type { ResidentKeyNumber } from '../../residents/rules/resident-key.ts';
import type { ResidentWorkspace } from '../schemas.ts';
import { readWorkspace, type VisibleResident } from '../read-workspace.ts';

type CreateBankUserInput = {
  readonly bankKid: KidOf<'bank'>;
  readonly resident: {
    readonly name: string;
    readonly email: string;
    readonly phone: Phone;
    readonly language: Language;
    readonly apartment: string;
    readonly locationKid?: KidOf<'location'> | null;
    readonly keys: readonly ResidentKeyNumber[];
  };
};

/** Returns the workspace of the new resident. */
export async function createBankUser(
  context: ManagerContext,
  { bankKid, resident }: CreateBankUserInput,
): Promise<WriteAnswer<ResidentWorkspace>> {
  const { locationKid: location = null, ...others } = resident;
  if (new Set(others.keys.map(({ number }) => number)).size < others.keys.length)
    throw createInvalidUserProblem('body.keys', 'must not have a number twice');
  const fields = { ...others, location };
  const bank = requireCoveredBank(context.scope, bankKid);
  // Nothing is locked if the grants are too narrow.
  if (!isWhole(bank)) await context.read((db) => requireWholeGrant(db, bank));
  return context.write({
    grant: (scope) => requireWholeCoverage(requireCoveredBank(scope, bankKid)),
    locks: (granted) => [residentIdsLock(granted), outboxLock(granted)],
    requireObject: async (db, granted) => {
      await requireBank(db, granted);
      return granted;
    },
    work: async (db, granted, [residentId]) => {
      await insertResident(db, context, { bank: granted, residentId }, fields);
      await recordCreation(db, context, { bank: granted, residentId }, fields);
      const row = (await findResident(db, granted, residentId))!;
      await insertKeys(db, context, { bank: granted, row }, fields.keys);
      return readWorkspace(db, context, { bank: granted, row });
    },
  });
}

type Fields = {
  readonly name: string;
  readonly email: string;
  readonly phone: Phone;
  readonly language: Language;
  readonly apartment: string;
  readonly location: KidOf<'location'> | null;
  readonly keys: readonly ResidentKeyNumber[];
};

type NewResidentKey = { readonly bank: WholeGrantedBank; readonly residentId: number };

async function insertResident(
  db: WriteDb,
  { now, principal }: ManagerContext,
  { bank, residentId }: NewResidentKey,
  { name, email, phone, language, apartment, location }: Fields,
): Promise<void> {
  if (residentId > lastResidentId) throw new Problem('bank-full');
  if (location !== null && (location.bankId !== bank.bankId || !(await hasLocation(db, bank, location.locationId))))
    throw createInvalidUserProblem('body.locationKid', 'must be the KID of a location of the bank');
  const locationId = location?.locationId ?? null;
  await releaseExpiredEmail(db, bank, email, now);
  // The id is new, so only the email address can already belong to another resident.
  await orDuplicateProblem(db, 'user-exists', () =>
    insertResidents(db, bank.bankId, [
      {
        bank_id: bank.bankId,
        resident_id: residentId,
        location_id: locationId,
        name,
        email,
        phone: phone.typed,
        phone_number: phone.number,
        language,
        apartment,
        enabled: 1,
        deleted_at: null,
        expired_at: null,
        revision: 1,
      },
    ]),
  );
  const code = formatReadableCode(randomBytes(activationCodeBytes));
  await replaceActivation(db, bank, residentId, { code, now });
  await insertHistory(db, bank, {
    resident_id: residentId,
    revision: 1,
    changed_at: now,
    editor_id: principal.id,
    command: 'Create',
    old_value: null,
    new_value: name,
  });
  const device = { locationId: locationId ?? 0, unitId: 0 };
  await queueSync(db, bank, { subjectKind: 'resident', subjectId: residentId, ...device }, now);
}

async function insertKeys(
  db: WriteDb,
  { now }: ManagerContext,
  { bank, row }: VisibleResident,
  keys: Fields['keys'],
): Promise<void> {
  if (keys.length === 0) return;
  for (const key of keys)
    await orDuplicateProblem(db, 'key-exists', () => insertKey(db, bank, row.resident_id, key, now));
  const numbers = keys.map(({ number }) => number);
  await replaceResidentWords(db, bank, row, numbers);
}

function recordCreation(
  db: WriteDb,
  context: ManagerContext,
  { bank, residentId }: NewResidentKey,
  { language, location, keys, ...personal }: Fields,
): Promise<void> {
  return appendAudit(db, createManagerAuditContext(context), {
    object: formatUserKid(formatBankKid(bank.tenant, bank.bankId), residentId),
    bankId: bank.bankId,
    before: null,
    after: {
      ...withoutValues([...Object.keys(personal), ...(keys.length === 0 ? [] : ['keys'])]),
      language,
      locationKid: location === null ? null : formatKid(location),
    },
  });
}
