// Finds what there is of residents in an import, and what keeps rows from being applied.

import type { Db } from '../../../database/db.ts';
import { foldEmail } from '../../../lib/values/field-values.ts';
import { guestId } from '../../../lib/kid.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { maxKeys } from '../../resident-administration/rules/allowed-commands.ts';
import { listKeysOfResidents } from '../../resident-administration/queries/resident-details.ts';
import {
  listResidentsById,
  readLocationNames,
  type ResidentRow,
} from '../../resident-administration/queries/residents.ts';
import { parsePhone } from '../../residents/rules/phone.ts';
import { countFreeResidentIds, findEmailHolders, findHeldNumbers } from './queries/resident-conflicts.ts';
import { fieldError, writeValues } from '../rules/parse-fields.ts';
import { listOwnTags, listTags, residentImportFields, type KeptResident } from './rules/resident-fields.ts';
import { answerEach } from '../rules/answers.ts';
import { parseKidOfBank } from '../rules/bank-kids.ts';
import type { FoundRow, ImportKind, ImportTarget, KeyedRow, RowError, RowValues } from '../import-kind.ts';

/** The id of a resident of the bank; 0 for any other KID. */
function residentIdOf(target: ImportTarget, kid: string | null): number {
  const { residentId = 0 } = parseKidOfBank(target, kid, 'user') ?? {};
  return residentId > guestId ? residentId : 0;
}

export function requireResidentId(target: ImportTarget, kid: string | null): number {
  const residentId = residentIdOf(target, kid);
  if (residentId === 0) throw new Error(`${kid} is no resident of bank ${target.bank.bankId}`);
  return residentId;
}

export const findCurrentResidents: ImportKind['findCurrent'] = async (db, target, rows) => {
  const { bank, now } = target;
  const ids = rows.map(({ objectKid }) => residentIdOf(target, objectKid)).filter((id) => id !== 0);
  const stored = await readKeys(db, bank, await listResidentsById(db, bank, ids));
  // One whose identity has expired is nobody any more.
  const known = stored.filter(({ row: { expired_at } }) => expired_at === null || expired_at > now);
  const byId = new Map(known.map((resident) => [resident.row.resident_id, resident]));
  const currentOf = answerEach(rows, ({ objectKid }) => byId.get(residentIdOf(target, objectKid)));
  const conflicts = await readConflicts(db, target, [...currentOf]);
  let { freeIds } = conflicts;
  return (row) => {
    const current = currentOf.get(row);
    if (current?.row.deleted_at != null) return { current: null, errors: [deletedError], claims: [] };
    const errors = listErrors(target, row.values, current, conflicts);
    if (current === undefined && errors.length === 0) freeIds -= 1;
    if (freeIds < 0) errors.push(fullError);
    return {
      current: current === undefined ? null : toCurrent(target, row.values, current),
      errors,
      claims: [
        ...listNewEmails(row.values, current).map((email) => `email:${email}`),
        ...listAddedTags(row.values, current).map((number) => `tags:${number}`),
      ],
    };
  };
};

const deletedError: RowError = { field: '', code: 'deleted', text: 'The resident is deleted, and can be restored.' };
const fullError: RowError = {
  field: '',
  code: 'bank-full',
  text: 'The housing association has no id left for another resident.',
};

/** Residents with their keys. */
export async function readKeys(db: Db, bank: GrantedBank, rows: readonly ResidentRow[]): Promise<KeptResident[]> {
  const ids = rows.map(({ resident_id }) => resident_id);
  const keys = Map.groupBy(await listKeysOfResidents(db, bank, ids), ({ resident_id }) => resident_id);
  return rows.map((row) => ({ row, keys: keys.get(row.resident_id) ?? [] }));
}

type WantedRow = readonly [row: KeyedRow, current: KeptResident | undefined];

async function readConflicts(db: Db, { bank, now }: ImportTarget, rows: readonly WantedRow[]) {
  const emails = rows.flatMap(([row, current]) => listNewEmails(row.values, current));
  const numbers = rows.flatMap(([row, current]) => listAddedTags(row.values, current));
  const [emailHolders, heldNumbers, locationNames, freeIds] = await Promise.all([
    findEmailHolders(db, bank, [...new Set(emails)], now),
    findHeldNumbers(db, [...new Set(numbers)]),
    rows.some(([row]) => (row.values['location'] ?? '') !== '') ? readLocationNames(db, bank) : new Map(),
    countFreeResidentIds(db, bank),
  ]);
  return { emailHolders, heldNumbers, locationNames, freeIds };
}

/** The address as it is compared. Residents can share an address from before it had to be unique, and keep it. */
const listNewEmails = ({ email = '' }: RowValues, current: KeptResident | undefined): string[] =>
  email === '' || email === current?.row.email ? [] : [foldEmail(email)];

function listAddedTags({ tags = '' }: RowValues, current: KeptResident | undefined): string[] {
  const own = current === undefined ? [] : listOwnTags(current);
  return listTags(tags).filter((number) => !own.includes(number));
}

function listErrors(
  target: ImportTarget,
  values: RowValues,
  current: KeptResident | undefined,
  { emailHolders, heldNumbers, locationNames }: Awaited<ReturnType<typeof readConflicts>>,
): RowError[] {
  const errors: RowError[] = [];
  const holders = listNewEmails(values, current).flatMap((email) => emailHolders.get(email) ?? []);
  if (holders.some((holder) => holder !== current?.row.resident_id))
    errors.push(fieldError('email', 'taken', 'belongs to another resident of the bank'));
  const { location = '', tags } = values;
  if (location !== '' && !locationNames.has(parseKidOfBank(target, location, 'location')?.locationId ?? 0))
    errors.push(fieldError('location', 'unknown-reference', 'must be a location of the bank'));
  for (const number of listAddedTags(values, current).filter((each) => heldNumbers.has(each)))
    errors.push(fieldError('tags', 'taken', `${number} is a key of a resident already`));
  const cards = current?.keys.filter(({ kind }) => kind !== 'Tag').length ?? 0;
  if (tags !== undefined && cards + listTags(tags).length > maxKeys)
    errors.push(fieldError('tags', 'too-many-keys', `a resident has at most ${maxKeys} keys, with the cards`));
  return errors;
}

/** A phone that is the same number stays as it was typed, which is no change. */
function toCurrent(target: ImportTarget, { phone }: RowValues, resident: KeptResident): FoundRow['current'] {
  const { revision, phone_number: number } = resident.row;
  const values = writeValues(residentImportFields, resident, target);
  const parsed = phone === undefined || number === null ? undefined : parsePhone(phone, target.tenant.country);
  const isSame = parsed !== undefined && 'value' in parsed && parsed.value.number === number;
  return { values: isSame && phone !== undefined ? { ...values, phone } : values, revision: String(revision) };
}
