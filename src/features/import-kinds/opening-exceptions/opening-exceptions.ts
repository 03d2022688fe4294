// Days on which other opening hours apply, in an import. A location or unit has one exception a day, so its place and its day
// name it.

import type { Db, WriteDb } from '../../../database/db.ts';
import { partsOf } from '../../../lib/values/parts.ts';
import type { UnitKey } from '../../../permissions/coverage.ts';
import { anyTab, type Permission } from '../../../permissions/matrix.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import { changeExceptions, type ExceptionChange } from '../../opening-hours/change-exceptions.ts';
import { unitsLock } from '../../units/queries/write-setting.ts';
import { listExceptionRows, type StoredExceptionRow } from './queries/exception-rows.ts';
import { listLocations, listUnits } from '../places/queries/list-places.ts';
import { combineException, exceptionFields, noPlace, placeKidOf } from './rules/exception-fields.ts';
import { defineKind } from '../define-kind.ts';
import { answerNow } from '../rules/answers.ts';
import {
  formatPartKid,
  listLocationIds,
  locationIdOf,
  locationKidOf,
  splitPartKid,
  unitKeyOf,
  unitKidOfRow,
} from '../rules/bank-kids.ts';
import { digestValues, exportPageSize } from '../rules/export-pages.ts';
import { fieldError, listDefaults, listFixedErrors, writeValues } from '../rules/parse-fields.ts';
import type { ApplicableRow, FoundRow, ImportTarget, KeyedRow, RowValues, UndoableRow } from '../import-kind.ts';

const readPermissions: readonly Permission[] = ['Bank.Read', 'Location.Read', 'Unit.Read'];

export const openingExceptionsKind = defineKind({
  name: 'opening-exceptions',
  belongsTo: 'bank',
  access: { tabs: anyTab, permissions: [...readPermissions, 'Location.Write', 'Unit.Write'], grantLevel: 'bank' },
  readAccess: { tabs: anyTab, permissions: readPermissions, grantLevel: 'bank' },
  fields: exceptionFields,
  combine: combineException,
  defaultKey: formatName,
  findCurrent: async (db, target, rows) => {
    const named = rows.flatMap(({ objectKid, values }) => [objectKid ?? '', nameByFields(values)]);
    const places = named.flatMap((kid) => placeKeyOf(target, kid) ?? []);
    const kids = await listPlaceKids(db, target, places);
    const exceptions = await listExceptionRows(db, target.bank, listLocationIds(places));
    const stored = new Map(exceptions.map((row) => [kidOfRow(target, row), row]));
    return (row) => findException(target, row, { kids, stored });
  },
  locks: ({ bank }) => [outboxLock(bank), unitsLock(bank)],
  apply: async (db, actor, target, rows) => {
    const defaults = listDefaults(exceptionFields, target);
    const changeOf = answerNow(rows, ({ current, values }: ApplicableRow) => ({
      objectKid: current?.objectKid ?? nameByFields(values),
      before: current?.values ?? null,
      after: { ...(current?.values ?? defaults), ...values },
    }));
    await storeChanges(db, actor, target, rows.map(changeOf));
    return (row) => {
      const { objectKid, after } = changeOf(row);
      return { objectKid, revision: digestValues(after) };
    };
  },
  undo: async (db, actor, target, rows) => {
    const changeOf = answerNow(rows, ({ objectKid, action, before, current }: UndoableRow) => ({
      objectKid,
      before: current.values,
      after: action === 'create' ? null : { ...current.values, ...before },
    }));
    await storeChanges(db, actor, target, rows.map(changeOf));
    return (row) => {
      const { after } = changeOf(row);
      return { revision: after === null ? null : digestValues(after) };
    };
  },
  exportRows: async function* exportRows(db, target) {
    const kids = await listPlaceKids(db, target);
    const rows = (await listExceptionRows(db, target.bank)).filter((row) => kids.has(placeKidOf(target, row)));
    for (const part of partsOf(rows, exportPageSize))
      yield part.map((row) => ({
        objectKid: kidOfRow(target, row),
        values: writeValues(exceptionFields, row, target),
      }));
  },
});

/** The KIDs of the locations and units that there are. */
async function listPlaceKids(db: Db, target: ImportTarget, places?: readonly UnitKey[]): Promise<ReadonlySet<string>> {
  const ids = places && listLocationIds(places);
  const [locations, units] = [await listLocations(db, target.bank, ids), await listUnits(db, target.bank, ids)];
  return new Set([
    ...locations.map(({ location_id }) => locationKidOf(target, location_id)),
    ...units.map((row) => unitKidOfRow(target, row)),
  ]);
}

const kidOfRow = (target: ImportTarget, row: StoredExceptionRow): string =>
  formatPartKid(placeKidOf(target, row), row.day);

function formatName({ location = '', unit = '', day = '' }: RowValues): string {
  return day === '' ? '' : formatPartKid(unit || location, day);
}

/** Empty where the row has not all of them. */
const nameByFields = (values: RowValues): string =>
  (values['location'] ?? '') === '' && (values['unit'] ?? '') === '' ? '' : formatName(values);

/** The place of an exception. Undefined for a KID that is not one of a place of the bank. */
function placeKeyOf(target: ImportTarget, kid: string): UnitKey | undefined {
  const [placeKid] = splitPartKid(kid);
  const locationId = locationIdOf(target, placeKid);
  return locationId === undefined ? unitKeyOf(target, placeKid) : { bankId: target.bank.bankId, locationId, unitId: 0 };
}

type Stored = { readonly kids: ReadonlySet<string>; readonly stored: ReadonlyMap<string, StoredExceptionRow> };

function findException(target: ImportTarget, { objectKid, values }: KeyedRow, { kids, stored }: Stored): FoundRow {
  const byFields = nameByFields(values);
  const kid = objectKid !== null && (stored.has(objectKid) || byFields === '') ? objectKid : byFields;
  if (kid === '') return { current: null, errors: values['day'] === undefined ? [] : [noPlace], claims: [] };
  if (!kids.has(splitPartKid(kid)[0])) return { current: null, errors: [unknownPlace], claims: [] };
  const claims = [`exception:${kid}`];
  const row = stored.get(kid);
  if (row === undefined) return { current: null, errors: [], claims };
  const current = writeValues(exceptionFields, row, target);
  const errors = listFixedErrors(exceptionFields, values, current);
  return { current: { values: current, revision: digestValues(current), objectKid: kid }, errors, claims };
}

const unknownPlace = fieldError('location', 'unknown-reference', 'there is no such location or unit in the bank');

type ValuesChange = {
  readonly objectKid: string;
  readonly before: RowValues | null;
  readonly after: RowValues | null;
};

function storeChanges(
  db: WriteDb,
  actor: AuditContext,
  target: ImportTarget,
  changes: readonly ValuesChange[],
): Promise<void> {
  const stored = changes.flatMap(({ objectKid, before, after }): ExceptionChange[] => {
    const place = placeKeyOf(target, objectKid);
    const isSame = before !== null && after !== null && digestValues(before) === digestValues(after);
    if (place === undefined || isSame) return [];
    return [{ place, day: splitPartKid(objectKid)[1], before: toException(before), after: toException(after) }];
  });
  return changeExceptions(db, actor, target.bank, stored);
}

const toException = (values: RowValues | null): ExceptionChange['after'] =>
  values && { intervals: values['intervals'] ?? '', text: values['text'] ?? '' };
