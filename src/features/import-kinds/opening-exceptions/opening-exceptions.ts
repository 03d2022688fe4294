// Days on which other opening hours apply, in an import. A location or unit has one exception a day, so its place and its day
// name it.

import type { Db } from '../../../database/db.ts';
import type { UnitKey } from '../../../permissions/coverage.ts';
import { anyTab, type Permission } from '../../../permissions/matrix.ts';
import { outboxLock } from '../../device-sync/queries/outbox.ts';
import { changeExceptions, type ExceptionChange } from '../../opening-hours/change-exceptions.ts';
import { unitsLock } from '../../units/queries/write-setting.ts';
import { listExceptionRows, type StoredExceptionRow } from './queries/exception-rows.ts';
import { listLocations, listUnits } from '../places/queries/list-places.ts';
import {
  combineException,
  exceptionFields,
  formatIntervals,
  noPlace,
  type ExceptionField,
} from './rules/exception-fields.ts';
import { defineKind } from '../define-kind.ts';
import { fieldError, listFixedErrors } from '../rules/parse-fields.ts';
import type { ApplicableRow, FoundRow, ImportTarget, KeyedRow, RowValues, UndoableRow } from '../import-kind.ts';
import { locationIdOf, locationKidOf } from '../locations/locations.ts';
import { revisionOf, toBatches } from '../places/place-rows.ts';
import { unitKeyOf, unitKidOfRow } from '../units/units.ts';

const separator = '#';
const readPermissions: readonly Permission[] = ['Bank.Read', 'Location.Read', 'Unit.Read'];

export const openingExceptionsKind = defineKind({
  name: 'opening-exceptions',
  belongsTo: 'bank',
  access: { tabs: anyTab, permissions: [...readPermissions, 'Location.Write', 'Unit.Write'], grantLevel: 'bank' },
  readAccess: { tabs: anyTab, permissions: readPermissions, grantLevel: 'bank' },
  fields: exceptionFields,
  combine: combineException,
  defaultKey: ({ location = '', unit = '', day = '' }) => (day === '' ? '' : `${unit || location}${separator}${day}`),
  findCurrent: async (db, target, rows) => {
    const named = rows.flatMap((row) => [row.objectKid ?? '', nameByFields(row)]);
    const places = named.flatMap((kid) => splitKid(target, kid).place ?? []);
    const kids = await listPlaceKids(db, target, places);
    const stored = new Map(
      (await listExceptionRows(db, target.bank, listLocationIds(places))).map((row) => [kidOfRow(target, row), row]),
    );
    return (row) => findException(target, row, { kids, stored });
  },
  locks: ({ bank }) => [outboxLock(bank), unitsLock(bank)],
  apply: async (db, actor, target, rows) => {
    const toChange = (row: ApplicableRow) => {
      const before = row.current?.values ?? null;
      const objectKid = row.current?.objectKid ?? nameByFields(row);
      return { objectKid, before, after: { ...(before ?? emptyValues), ...row.values } };
    };
    await changeExceptions(db, actor, target.bank, listChanges(target, rows.map(toChange)));
    return (row) => {
      const { objectKid, after } = toChange(row);
      return { objectKid, revision: revisionOf(after) };
    };
  },
  undo: async (db, actor, target, rows) => {
    const toChange = ({ objectKid, action, before, current }: UndoableRow) => ({
      objectKid,
      before: current.values,
      after: action === 'create' ? null : { ...current.values, ...before },
    });
    await changeExceptions(db, actor, target.bank, listChanges(target, rows.map(toChange)));
    return (row) => {
      const { after } = toChange(row);
      return { revision: after === null ? null : revisionOf(after) };
    };
  },
  exportRows: async function* (db, target) {
    const kids = await listPlaceKids(db, target);
    const rows = (await listExceptionRows(db, target.bank)).filter((row) => kids.has(placeKidOf(target, row)));
    yield* toBatches(rows.map((row) => ({ objectKid: kidOfRow(target, row), values: toValues(target, row) })));
  },
});

const listLocationIds = (places: readonly UnitKey[]): number[] => [...new Set(places.map((each) => each.locationId))];

/** The KIDs of the locations and units that there are. */
async function listPlaceKids(db: Db, target: ImportTarget, places?: readonly UnitKey[]): Promise<ReadonlySet<string>> {
  const ids = places && listLocationIds(places);
  const [locations, units] = [await listLocations(db, target.bank, ids), await listUnits(db, target.bank, ids)];
  return new Set([
    ...locations.map(({ location_id }) => locationKidOf(target, location_id)),
    ...units.map((row) => unitKidOfRow(target, row)),
  ]);
}

const placeKidOf = (target: ImportTarget, row: Pick<StoredExceptionRow, 'location_id' | 'unit_id'>): string =>
  row.unit_id === 0 ? locationKidOf(target, row.location_id) : unitKidOfRow(target, row);

const kidOfRow = (target: ImportTarget, row: StoredExceptionRow): string =>
  `${placeKidOf(target, row)}${separator}${row.day}`;

const toValues = (target: ImportTarget, row: StoredExceptionRow): Record<ExceptionField, string> => ({
  location: row.unit_id === 0 ? placeKidOf(target, row) : '',
  unit: row.unit_id === 0 ? '' : placeKidOf(target, row),
  day: row.day,
  intervals: formatIntervals(row.intervals),
  text: row.text,
});

const emptyValues: Record<ExceptionField, string> = { location: '', unit: '', day: '', intervals: '', text: '' };

/** Empty where the row has not all of them. */
function nameByFields({ values }: Pick<KeyedRow, 'values'>): string {
  const { location = '', unit = '', day = '' } = values;
  return day === '' || (location === '' && unit === '') ? '' : `${unit || location}${separator}${day}`;
}

type SplitKid = {
  readonly placeKid: string;
  /** Undefined for a KID that is not one of a place of the bank. */
  readonly place: UnitKey | undefined;
  readonly day: string;
};

function splitKid(target: ImportTarget, kid: string): SplitKid {
  const index = kid.indexOf(separator);
  const [placeKid, day] = index === -1 ? [kid, ''] : [kid.slice(0, index), kid.slice(index + 1)];
  const locationId = locationIdOf(target, placeKid);
  const { bankId } = target.bank;
  const place = locationId === undefined ? unitKeyOf(target, placeKid) : { bankId, locationId, unitId: 0 };
  return { placeKid, place, day };
}

type Stored = { readonly kids: ReadonlySet<string>; readonly stored: ReadonlyMap<string, StoredExceptionRow> };

function findException(target: ImportTarget, { objectKid, values }: KeyedRow, { kids, stored }: Stored): FoundRow {
  const byFields = nameByFields({ values });
  const kid = objectKid !== null && (stored.has(objectKid) || byFields === '') ? objectKid : byFields;
  if (kid === '') return { current: null, errors: values['day'] === undefined ? [] : [noPlace], claims: [] };
  const { placeKid } = splitKid(target, kid);
  if (!kids.has(placeKid)) return { current: null, errors: [unknownPlace], claims: [] };
  const claims = [`exception:${kid}`];
  const row = stored.get(kid);
  if (row === undefined) return { current: null, errors: [], claims };
  const current = toValues(target, row);
  const errors = listFixedErrors(exceptionFields, values, current);
  return { current: { values: current, revision: revisionOf(current), objectKid: kid }, errors, claims };
}

const unknownPlace = fieldError('location', 'unknown-reference', 'there is no such location or unit in the bank');

type ValuesChange = {
  readonly objectKid: string;
  readonly before: RowValues | null;
  readonly after: RowValues | null;
};

const listChanges = (target: ImportTarget, changes: readonly ValuesChange[]): ExceptionChange[] =>
  changes.flatMap(({ objectKid, before, after }) => {
    const { place, day } = splitKid(target, objectKid);
    const isSame = before !== null && after !== null && revisionOf(before) === revisionOf(after);
    return place === undefined || isSame
      ? []
      : [{ place, day, before: toException(before), after: toException(after) }];
  });

const toException = (values: RowValues | null): ExceptionChange['after'] =>
  values === null ? null : { intervals: values['intervals'] ?? '', text: values['text'] ?? '' };
