// Finds what there is of residents in an import, and what keeps rows from being applied.

import type { Db } from '../../../database/db.ts';
import { foldEmail } from '../../../lib/values/field-values.ts';
import { guestId, parseKid } from '../../../lib/kid.ts';
import { maxKeys } from '../../resident-administration/rules/allowed-commands.ts';
import { listKeysOfResidents, type ResidentKeyRow } from '../../resident-administration/queries/resident-details.ts';
import {
  listResidentsById,
  readLocationNames,
  type ResidentRow,
} from '../../resident-administration/queries/residents.ts';
import { parsePhone } from '../../residents/rules/phone.ts';
import { countFreeResidentIds, findEmailHolders, findHeldNumbers } from './queries/resident-conflicts.ts';
import { fieldError, writeValues } from '../rules/parse-fields.ts';
import { listTags, residentImportFields } from './rules/resident-fields.ts';
import { answerEach } from '../rules/answers.ts';
import { parseKidOfBank } from '../rules/bank-kids.ts';
import type { FoundRow, ImportKind, ImportTarget, KeyedRow, RowError, RowValues } from '../import-kind.ts';

/** The id of a resident of the bank; undefined for any other KID. */
export function residentIdOf(target: ImportTarget, kid: string | null): number | undefined {
  const { residentId = 0 } = parseKidOfBank(target, kid, 'user') ?? {};
  return residentId > guestId ? residentId : undefined;
}

export const findCurrentResidents: ImportKind['findCurrent'] = async (db, target, rows) => {
  const residents = await readResidents(db, target, rows);
  const currentOf = answerEach(rows, ({ objectKid }) => residents.get(residentIdOf(target, objectKid) ?? 0));
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
      claims: listClaims(row.values, current),
    };
  };
};

const deletedError: RowError = { field: '', code: 'deleted', text: 'The resident is deleted, and can be restored.' };
const fullError: RowError = {
  field: '',
  code: 'bank-full',
  text: 'The housing association has no id left for another resident.',
};

type KnownResident = {
  readonly row: ResidentRow;
  readonly keys: readonly ResidentKeyRow[];
  readonly values: RowValues;
};

/** Those who exist, by id. One whose identity has expired is nobody any more. */
async function readResidents(
  db: Db,
  target: ImportTarget,
  rows: readonly KeyedRow[],
): Promise<ReadonlyMap<number, KnownResident>> {
  const { bank, now } = target;
  const ids = rows.flatMap(({ objectKid }) => residentIdOf(target, objectKid) ?? []);
  const [residents, keys] = await Promise.all([listResidentsById(db, bank, ids), listKeysOfResidents(db, bank, ids)]);
  const keysById = Map.groupBy(keys, ({ resident_id }) => resident_id);
  const known = residents.filter(({ expired_at }) => expired_at === null || expired_at > now);
  return new Map(
    known.map((row) => {
      const own = keysById.get(row.resident_id) ?? [];
      return [
        row.resident_id,
        { row, keys: own, values: writeValues(residentImportFields, { row, keys: own }, target) },
      ] as const;
    }),
  );
}

type WantedRow = readonly [row: KeyedRow, current: KnownResident | undefined];

type Conflicts = {
  readonly emailHolders: ReadonlyMap<string, number>;
  readonly heldNumbers: ReadonlySet<string>;
  readonly locationIds: ReadonlySet<number>;
  readonly freeIds: number;
};

async function readConflicts(db: Db, { bank, now }: ImportTarget, rows: readonly WantedRow[]): Promise<Conflicts> {
  const emails = rows.flatMap(([row, current]) => listNewEmails(row.values, current));
  const numbers = rows.flatMap(([row, current]) => listAddedTags(row.values, current));
  const [emailHolders, heldNumbers, locationNames, freeIds] = await Promise.all([
    findEmailHolders(db, bank, [...new Set(emails)], now),
    findHeldNumbers(db, [...new Set(numbers)]),
    rows.some(([row]) => (row.values['location'] ?? '') !== '') ? readLocationNames(db, bank) : new Map(),
    countFreeResidentIds(db, bank),
  ]);
  return { emailHolders, heldNumbers, locationIds: new Set(locationNames.keys()), freeIds };
}

/** The address as it is compared. Residents can share an address from before it had to be unique, and keep it. */
const listNewEmails = ({ email = '' }: RowValues, current: KnownResident | undefined): string[] =>
  email === '' || email === current?.row.email ? [] : [foldEmail(email)];

function listAddedTags({ tags = '' }: RowValues, current: KnownResident | undefined): string[] {
  const own = new Set(listTags(current?.values['tags'] ?? ''));
  return listTags(tags).filter((number) => !own.has(number));
}

function listErrors(
  { tenant, bank }: ImportTarget,
  values: RowValues,
  current: KnownResident | undefined,
  { emailHolders, heldNumbers, locationIds }: Conflicts,
): RowError[] {
  const errors: RowError[] = [];
  const holders = listNewEmails(values, current).flatMap((email) => emailHolders.get(email) ?? []);
  if (holders.some((holder) => holder !== current?.row.resident_id))
    errors.push(fieldError('email', 'taken', 'belongs to another resident of the bank'));
  const { location = '', tags } = values;
  const kid = parseKid(location, tenant.name, ['location']);
  if (location !== '' && !(kid?.bankId === bank.bankId && locationIds.has(kid.locationId)))
    errors.push(fieldError('location', 'unknown-reference', 'must be a location of the bank'));
  for (const number of listAddedTags(values, current).filter((each) => heldNumbers.has(each)))
    errors.push(fieldError('tags', 'taken', `${number} is a key of a resident already`));
  const cards = current?.keys.filter(({ kind }) => kind !== 'Tag').length ?? 0;
  if (tags !== undefined && cards + listTags(tags).length > maxKeys)
    errors.push(fieldError('tags', 'too-many-keys', `a resident has at most ${maxKeys} keys, with the cards`));
  return errors;
}

const listClaims = (values: RowValues, current: KnownResident | undefined): string[] => [
  ...listNewEmails(values, current).map((email) => `email:${email}`),
  ...listAddedTags(values, current).map((number) => `tags:${number}`),
];

/** A phone that is the same number stays as it was typed, which is no change. */
function toCurrent(
  { tenant }: ImportTarget,
  { phone }: RowValues,
  { row, values }: KnownResident,
): NonNullable<FoundRow['current']> {
  const revision = String(row.revision);
  if (phone === undefined || row.phone_number === null) return { values, revision };
  const parsed = parsePhone(phone, tenant.country);
  const isSame = 'value' in parsed && parsed.value.number === row.phone_number;
  return { values: isSame ? { ...values, phone } : values, revision };
}
