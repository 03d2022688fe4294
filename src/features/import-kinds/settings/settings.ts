// Settings of a bank's units, in an import. A unit has all settings of its type: one that was never written has its default,
// so a row changes a setting and never creates one.

import type { Db, WriteDb } from '../../../database/db.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock } from '../../device-sync/queries/outbox.ts';
import { setUnitSettingAccess, unitReadAccess } from '../../units/access.ts';
import { findEditableDefinition } from '../../units/catalogue/type-catalogue.ts';
import { changeSettings, type SettingChange } from '../../units/change-settings.ts';
import { unitsLock } from '../../units/queries/write-setting.ts';
import { effectiveText } from '../../units/rules/stored-text.ts';
import { listLocations, listUnits, type UnitRow } from '../places/queries/list-places.ts';
import { listSettingsOf, listSettingsOfLocation, type WrittenSettingRow } from './queries/setting-rows.ts';
import { answerEach } from '../rules/answers.ts';
import { defineKind } from '../define-kind.ts';
import { fieldError, listFixedErrors } from '../rules/parse-fields.ts';
import { combineSetting, readOnlySetting, unknownSetting } from './rules/setting-fields.ts';
import type {
  ApplicableRow,
  FieldTable,
  FoundRow,
  ImportTarget,
  KeyedRow,
  RowError,
  RowValues,
} from '../import-kind.ts';
import { unitKeyOf, unitKidOfRow } from '../units/units.ts';

const separator = '#';

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
      'As GetUnitGroup returns it: whole numbers and amounts in minor units as digits, decimals with a point, `true` or `false`, times as `HH:MM`. Empty: the default.',
    example: '2000',
  },
};

export const settingsKind = defineKind({
  name: 'settings',
  belongsTo: 'bank',
  access: { ...setUnitSettingAccess, grantLevel: 'bank' },
  readAccess: { ...unitReadAccess, grantLevel: 'bank' },
  fields: settingFields,
  combine: combineSetting,
  defaultKey: ({ unit = '', setting = '' }) => (unit === '' && setting === '' ? '' : formatSettingKid(unit, setting)),
  findCurrent: async (db, target, rows) => {
    const { units, settings } = await readSettings(db, target, rows);
    return (row) => findSetting(row, units, settings);
  },
  locks: ({ bank }) => [outboxLock(bank), unitsLock(bank)],
  apply: async (db, actor, target, rows) => {
    const kidOf = ({ current }: ApplicableRow): string => current?.objectKid ?? '';
    const wanted = rows.map((row) => {
      const { value: oldText = '' } = row.current?.values ?? {};
      return { objectKid: kidOf(row), oldText, text: row.values['value'] ?? oldText };
    });
    const versions = await writeSettings(db, actor, target, wanted);
    return (row) => ({
      objectKid: kidOf(row),
      revision: versions.get(kidOf(row)) ?? row.current?.revision ?? '0',
    });
  },
  undo: async (db, actor, target, rows) => {
    const wanted = rows.map(({ objectKid, before, current }) => {
      const { value: oldText = '' } = current.values;
      return { objectKid, oldText, text: before['value'] ?? oldText };
    });
    const versions = await writeSettings(db, actor, target, wanted);
    return ({ objectKid, current }) => ({ revision: versions.get(objectKid) ?? current.revision });
  },
  exportRows: async function* (db, target) {
    const units = new Map((await listUnits(db, target.bank)).map((row) => [unitKidOfRow(target, row), row]));
    for (const { location_id } of await listLocations(db, target.bank)) {
      const rows = await listSettingsOfLocation(db, target.bank, location_id);
      const exported = rows.flatMap((row) => toExported(target, row, units.get(unitKidOfRow(target, row))));
      if (exported.length > 0) yield exported;
    }
  },
});

/** An object is a setting of a unit. */
const formatSettingKid = (unitKid: string, setting: string): string => `${unitKid}${separator}${setting}`;

/** Empty where the row has not both of them. */
function nameByFields({ values }: Pick<KeyedRow, 'values'>): string {
  const { unit = '', setting = '' } = values;
  return unit === '' || setting === '' ? '' : formatSettingKid(unit, setting);
}

const splitSettingKid = (kid: string): { readonly unit: string; readonly setting: string } => {
  const index = kid.indexOf(separator);
  return index === -1 ? { unit: kid, setting: '' } : { unit: kid.slice(0, index), setting: kid.slice(index + 1) };
};

type Units = ReadonlyMap<string, UnitRow>;
type Settings = ReadonlyMap<string, WrittenSettingRow>;

/** The units of the rows by their KIDs, and their settings by the KIDs of these. */
async function readSettings(
  db: Db,
  target: ImportTarget,
  rows: readonly KeyedRow[],
): Promise<{ readonly units: Units; readonly settings: Settings }> {
  const named = rows.flatMap((row) => [row.objectKid ?? '', nameByFields(row)]).map(splitSettingKid);
  const keys = named.flatMap(({ unit }) => unitKeyOf(target, unit) ?? []);
  const names = new Set(named.map(({ setting }) => setting));
  const units = await listUnits(db, target.bank, [...new Set(keys.map(({ locationId }) => locationId))]);
  const settings = await listSettingsOf(db, target.bank, keys, [...names]);
  return {
    units: new Map(units.map((row) => [unitKidOfRow(target, row), row])),
    settings: new Map(settings.map((row) => [formatSettingKid(unitKidOfRow(target, row), row.name), row])),
  };
}

function findSetting(row: KeyedRow, units: Units, settings: Settings): FoundRow {
  const byFields = nameByFields(row);
  const { objectKid: named } = row;
  const isThere = named !== null && units.has(splitSettingKid(named).unit);
  const objectKid = named !== null && (isThere || byFields === '') ? named : byFields;
  const { unit, setting } = splitSettingKid(objectKid);
  const refused = (...errors: RowError[]): FoundRow => ({ current: null, errors, claims: [] });
  // The plan says which of its fields the row lacks.
  if (objectKid === '') return refused();
  const stored = units.get(unit);
  if (stored === undefined) return refused(unknownUnit);
  const found = findEditableDefinition(stored, setting);
  if ('refusal' in found) return refused(found.refusal === 'unknown' ? unknownSetting : readOnlySetting);
  const written = settings.get(objectKid);
  const value = effectiveText(found.definition, written?.value) ?? '';
  const values = { unit, setting, value };
  const errors = listFixedErrors(settingFields, row.values, values);
  const revision = String(written?.version ?? 0);
  return { current: { values, revision, objectKid }, errors, claims: [`setting:${objectKid}`] };
}

const unknownUnit = fieldError('unit', 'unknown-reference', 'there is no such unit in the bank');

type WantedSetting = { readonly objectKid: string; readonly oldText: string; readonly text: string };

/** The new revisions of those that differ, by their KIDs. */
async function writeSettings(
  db: WriteDb,
  actor: AuditContext,
  target: ImportTarget,
  wanted: readonly WantedSetting[],
): Promise<ReadonlyMap<string, string>> {
  const differing = wanted.filter(({ oldText, text }) => text !== oldText);
  const keys = differing.flatMap(({ objectKid }) => unitKeyOf(target, splitSettingKid(objectKid).unit) ?? []);
  const rows = await listUnits(db, target.bank, [...new Set(keys.map(({ locationId }) => locationId))]);
  const versions = new Map(rows.map((row) => [unitKidOfRow(target, row), row.version]));
  const changes = answerEach(differing, ({ objectKid, oldText, text }): SettingChange => {
    const { unit: unitKid, setting: name } = splitSettingKid(objectKid);
    const unit = unitKeyOf(target, unitKid) ?? { bankId: 0, locationId: 0, unitId: 0 };
    const orNull = (value: string): string | null => (value === '' ? null : value);
    return { unit, name, oldText: orNull(oldText), text: orNull(text), version: versions.get(unitKid) ?? 0 };
  });
  await changeSettings(db, actor, target.bank, [...changes.values()]);
  return new Map(Array.from(changes, ([{ objectKid }, { version }]) => [objectKid, String(version)]));
}

/** Only what an import can write; settings that the equipment writes, and those of an earlier type of the unit, are left out. */
function toExported(
  target: ImportTarget,
  row: WrittenSettingRow,
  unit: UnitRow | undefined,
): { objectKid: string; values: RowValues }[] {
  const found = unit && findEditableDefinition(unit, row.name);
  if (found === undefined || 'refusal' in found) return [];
  const unitKid = unitKidOfRow(target, row);
  const value = effectiveText(found.definition, row.value) ?? '';
  // Whoever reads the file has the same default.
  if (value === (effectiveText(found.definition, null) ?? '')) return [];
  return [{ objectKid: formatSettingKid(unitKid, row.name), values: { unit: unitKid, setting: row.name, value } }];
}
