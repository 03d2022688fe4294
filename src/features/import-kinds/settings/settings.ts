// Settings of a bank's units, in an import. A unit has all settings of its type: one that was never written has its default,
// so a row changes a setting and never creates one.

import type { Db, WriteDb } from '../../../database/db.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import { setUnitSettingAccess, unitReadAccess } from '../../units/access.ts';
import { findEditableDefinition } from '../../units/catalogue/type-catalogue.ts';
import { changeSettings, type SettingChange } from '../../units/change-settings.ts';
import { unitsLock } from '../../units/queries/write-setting.ts';
import { effectiveText } from '../../units/rules/stored-text.ts';
import { listLocations, listUnits, type UnitRow } from '../places/queries/list-places.ts';
import { listSettingsOf, listSettingsOfLocation, type WrittenSettingRow } from './queries/setting-rows.ts';
import { defineKind } from '../define-kind.ts';
import { formatPartKid, listLocationIds, splitPartKid, unitKeyOf, unitKidOfRow } from '../rules/bank-kids.ts';
import { fieldError, listFixedErrors } from '../rules/parse-fields.ts';
import { combineSetting, readOnlySetting, scaleOfSetting, unknownSetting } from './rules/setting-fields.ts';
import type {
  ApplicableRow,
  ExportedRow,
  FieldTable,
  FoundRow,
  ImportTarget,
  KeyedRow,
  RowError,
  RowValues,
} from '../import-kind.ts';

const settingFields: FieldTable = {
  unit: { description: 'The unit.', example: '1', isRequired: true, isFixed: true, references: 'units' },
  setting: {
    description: 'Name of a setting that managers can write, as GetUnitGroup returns it.',
    example: 'PriceWash40',
    isRequired: true,
    isFixed: true,
  },
  value: {
    description:
      'As GetUnitGroup returns it: whole numbers and amounts in minor units as digits, decimals with a point or comma, `true` or `false`, times as `HH:MM`. Empty: the default.',
    example: '2000',
    scaleOf: scaleOfSetting,
  },
};

export const settingsKind = defineKind({
  name: 'settings',
  belongsTo: 'bank',
  access: { ...setUnitSettingAccess, grantLevel: 'bank' },
  readAccess: { ...unitReadAccess, grantLevel: 'bank' },
  fields: settingFields,
  combine: combineSetting,
  defaultKey: ({ unit = '', setting = '' }) => (unit === '' && setting === '' ? '' : formatPartKid(unit, setting)),
  findCurrent: async (db, target, rows) => {
    const named = rows.flatMap(({ objectKid, values }) => [objectKid ?? '', nameByFields(values)]);
    const units = await readUnits(db, target, named);
    const keys = named.flatMap((kid) => unitKeyOf(target, splitPartKid(kid)[0]) ?? []);
    const names = new Set(named.map((kid) => splitPartKid(kid)[1]));
    const written = await listSettingsOf(db, target.bank, keys, [...names]);
    const settings = new Map(written.map((row) => [formatPartKid(unitKidOfRow(target, row), row.name), row]));
    return (row) => findSetting(row, units, settings);
  },
  locks: ({ bank }) => [outboxLock(bank), unitsLock(bank)],
  apply: async (db, actor, target, rows) => {
    // The KID is that of the fields where the row's own has no unit.
    const kidOf = ({ current }: ApplicableRow): string => current?.objectKid ?? '';
    const wanted = rows.map((row) => ({ objectKid: kidOf(row), current: row.current?.values, values: row.values }));
    const versions = await writeSettings(db, actor, target, wanted);
    return (row) => ({
      objectKid: kidOf(row),
      revision: versions.get(kidOf(row)) ?? row.current?.revision ?? '0',
    });
  },
  undo: async (db, actor, target, rows) => {
    const wanted = rows.map(({ objectKid, before, current }) => ({
      objectKid,
      current: current.values,
      values: before,
    }));
    const versions = await writeSettings(db, actor, target, wanted);
    return ({ objectKid, current }) => ({ revision: versions.get(objectKid) ?? current.revision });
  },
  exportRows: async function* exportRows(db, target) {
    const units = await readUnits(db, target);
    for (const { location_id } of await listLocations(db, target.bank)) {
      const rows = await listSettingsOfLocation(db, target.bank, location_id);
      const exported = rows.flatMap((row) => toExported(target, row, units.get(unitKidOfRow(target, row))));
      if (exported.length > 0) yield exported;
    }
  },
});

/** The KID of the setting that a row names; empty where the row has not both of its fields. */
const nameByFields = ({ unit = '', setting = '' }: RowValues): string =>
  unit === '' || setting === '' ? '' : formatPartKid(unit, setting);

type Units = ReadonlyMap<string, UnitRow>;

/** All units by their KIDs, or those of the locations of these settings. */
async function readUnits(db: Db, target: ImportTarget, settingKids?: readonly string[]): Promise<Units> {
  const keys = settingKids?.flatMap((kid) => unitKeyOf(target, splitPartKid(kid)[0]) ?? []);
  const units = await listUnits(db, target.bank, keys && listLocationIds(keys));
  return new Map(units.map((row) => [unitKidOfRow(target, row), row]));
}

function findSetting(
  { objectKid: named, values: given }: KeyedRow,
  units: Units,
  settings: ReadonlyMap<string, WrittenSettingRow>,
): FoundRow {
  const byFields = nameByFields(given);
  const isThere = named !== null && units.has(splitPartKid(named)[0]);
  const objectKid = named !== null && (isThere || byFields === '') ? named : byFields;
  const [unit, setting] = splitPartKid(objectKid);
  const refused = (...errors: RowError[]): FoundRow => ({ current: null, errors, claims: [] });
  // The plan says which of its fields the row lacks.
  if (objectKid === '') return refused();
  const stored = units.get(unit);
  if (stored === undefined) return refused(unknownUnit);
  const found = findEditableDefinition(stored, setting);
  if ('refusal' in found) return refused(found.refusal === 'unknown' ? unknownSetting : readOnlySetting);
  const written = settings.get(objectKid);
  const values = { unit, setting, value: effectiveText(found.definition, written?.value) ?? '' };
  const errors = listFixedErrors(settingFields, given, values);
  const revision = String(written?.version ?? 0);
  return { current: { values, revision, objectKid }, errors, claims: [`setting:${objectKid}`] };
}

const unknownUnit = fieldError('unit', 'unknown-reference', 'there is no such unit in the bank');

type WantedSetting = {
  readonly objectKid: string;
  readonly current: RowValues | undefined;
  readonly values: RowValues;
};

/** The new revisions of those that differ, by their KIDs. */
async function writeSettings(
  db: WriteDb,
  actor: AuditContext,
  target: ImportTarget,
  wanted: readonly WantedSetting[],
): Promise<ReadonlyMap<string, string>> {
  const texts = wanted.map(({ objectKid, current, values }) => {
    const { value: oldText = '' } = current ?? {};
    return { objectKid, oldText, text: values['value'] ?? oldText };
  });
  const differing = texts.filter(({ oldText, text }) => text !== oldText);
  const kids = differing.map(({ objectKid }) => objectKid);
  const units = await readUnits(db, target, kids);
  const changes = differing.map(({ objectKid, oldText, text }): SettingChange => {
    const [unitKid, name] = splitPartKid(objectKid);
    const unit = unitKeyOf(target, unitKid) ?? { bankId: 0, locationId: 0, unitId: 0 };
    return { unit, name, oldText: oldText || null, text: text || null, version: units.get(unitKid)?.version ?? 0 };
  });
  await changeSettings(db, actor, target.bank, changes);
  return new Map(kids.map((kid, index) => [kid, String(changes[index]?.version)]));
}

/** Only what an import can write; settings that the equipment writes, and those of an earlier type of the unit, are left out. */
function toExported(target: ImportTarget, row: WrittenSettingRow, unit: UnitRow | undefined): ExportedRow[] {
  const found = unit && findEditableDefinition(unit, row.name);
  if (found === undefined || 'refusal' in found) return [];
  const unitKid = unitKidOfRow(target, row);
  const value = effectiveText(found.definition, row.value) ?? '';
  // Whoever reads the file has the same default.
  if (value === (effectiveText(found.definition, null) ?? '')) return [];
  return [{ objectKid: formatPartKid(unitKid, row.name), values: { unit: unitKid, setting: row.name, value } }];
}
