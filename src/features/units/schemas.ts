// Describes the requests and responses of the operations on units, their settings and their states.

import { Type, type Static, type TSchema } from 'typebox';
import {
  documentedAs,
  documentedAsKeyword,
  nameKeyword,
  namedBody,
  namedEnum,
  namedObject,
  nullable,
  useOf,
} from '../../http/schemas/named-schemas.ts';
import { closedObject, instant, kidInput, kidOutput } from '../../http/schemas/schema-types.ts';
import { listResponse, paginationQuery } from '../../http/schemas/list-schemas.ts';
import { Unit } from '../places/schemas.ts';
import { allDefinitions } from './catalogue/type-catalogue.ts';
import { settingGroups, stateGroups, valueTypes, type ValueKind } from './catalogue/value-definition.ts';
import { commandNames } from './rules/command-catalogue.ts';
import type { SettingJsonValue } from './rules/stored-text.ts';

const visibleNamesOf = (kind: ValueKind): readonly string[] =>
  allDefinitions.flatMap((definition) => (definition.kind === kind && definition.visible ? [definition.name] : []));

const UnitGroupName = namedEnum('UnitGroupName', [...settingGroups, ...stateGroups], 'Exact name of a group.');
const SettingName = namedEnum('SettingName', visibleNamesOf('Setting'), 'Exact name of a setting.');
const StateName = namedEnum('StateName', visibleNamesOf('State'), 'Exact name of a state.');

// A unit has only the names of its type: any other is 404, like an object that does not exist.
const nameInPath = (name: TSchema, example: string) => documentedAs(useOf(name, { examples: [example] }));

export const UnitParams = closedObject({ unitKid: kidInput('unit') });
export const UnitGroupParams = closedObject({
  unitKid: kidInput('unit'),
  group: nameInPath(UnitGroupName, 'Operation'),
});
export const UnitSettingParams = closedObject({
  unitKid: kidInput('unit'),
  setting: nameInPath(SettingName, 'OutOfOrder'),
});
export const SettingHistoryQuery = closedObject(paginationQuery);

const UnitGroupKind = namedEnum(
  'UnitGroupKind',
  ['Settings', 'States'],
  'Settings: written by managers. States: reported by the equipment.',
);

const UnitDetail = namedObject('UnitDetail', {
  ...Unit.properties,
  locationKid: kidOutput('location'),
  bankKid: kidOutput('bank'),
});

const UnitGroupSummary = namedObject('UnitGroupSummary', {
  name: UnitGroupName,
  label: Type.String({ description: 'Name of the group in the language of the answer.' }),
  kind: UnitGroupKind,
  count: Type.Integer({ description: 'Number of settings or states in the group.' }),
});

export const UnitCommandName = namedEnum(
  'UnitCommandName',
  commandNames,
  'Exact name of a command; a unit understands those of its type.',
);

const SupportedCommand = namedObject('SupportedCommand', {
  name: UnitCommandName,
  label: Type.String({ description: 'What the command does, in the language of the answer.' }),
});

export const UnitOverview = namedObject('UnitOverview', {
  unit: UnitDetail,
  groups: Type.Array(UnitGroupSummary, { description: 'Groups of the unit’s type, settings first.' }),
  commands: Type.Array(SupportedCommand, {
    description: 'The commands that units of this type understand, for SendUnitCommand.',
  }),
  revision: Type.String({ description: 'Changes with the unit, its settings and its states.' }),
});

const SettingValue = Type.Unsafe<SettingJsonValue>({
  [nameKeyword]: 'SettingValue',
  // The integer is apart, so that generated clients do not round it to a double.
  anyOf: [
    { type: 'boolean' },
    { type: 'integer', format: 'int64' },
    { type: 'number' },
    { type: 'string' },
    { type: 'null' },
  ],
  description:
    'Depends on valueType: int and duration are integers, money an integer in minor units, decimal a number, bool true or false, enum an exact option, time `HH:MM`, text a string. Null if there is no value, or if the stored value is not of this type.',
});
const editor = {
  editorKid: nullable(kidOutput('manager', 'Manager who wrote it; null if the equipment did.')),
  editorName: nullable(Type.String({ description: 'Current name of the editor.' })),
};
const synced = Type.Boolean({ description: 'true if the equipment has confirmed the value, or does not need it.' });
const bound = (description: string) =>
  Type.Unsafe<number | string | null>({ type: ['number', 'string', 'null'], description });

export const UnitValueType = namedEnum('UnitValueType', valueTypes, 'Type of a value.');

const UnitValueConstraints = namedObject('UnitValueConstraints', {
  min: bound('Least value; for a time the earliest.'),
  max: bound('Greatest value; for a time the latest.'),
  step: nullable(Type.Number({ description: 'Values are min, or zero without min, plus a multiple of it.' })),
  maxLength: nullable(Type.Integer({ description: 'For texts, in code points.' })),
  pattern: nullable(Type.String({ description: 'Pattern for the whole text (ECMA-262).' })),
  options: nullable(Type.Array(Type.String(), { description: 'Allowed values.' })),
  optionLabels: nullable(
    Type.Array(Type.String(), {
      description: 'Names of the options in the language of the answer, in the same order.',
    }),
  ),
});

export const UnitValue = namedObject('UnitValue', {
  name: Type.Union([SettingName, StateName], { description: 'Exact name of the setting or state.' }),
  label: Type.String({ description: 'Name of the setting or state in the language of the answer.' }),
  valueType: UnitValueType,
  value: SettingValue,
  unitOfMeasure: nullable(Type.String({ description: 'UCUM; for money the currency, ISO 4217.', examples: ['Cel'] })),
  synced,
  ...editor,
  editedAtUtc: nullable(instant('Time at which it was written or reported; null: never.')),
  canEdit: Type.Boolean({ description: 'true if the caller may write it.' }),
  constraints: UnitValueConstraints,
  revision: Type.String({ description: 'Changes with every write; `0` before the first.', examples: ['0'] }),
});
export type UnitValue = Static<typeof UnitValue>;

export const UnitGroup = namedObject('UnitGroup', {
  unitKid: kidOutput('unit'),
  group: UnitGroupName,
  kind: UnitGroupKind,
  values: Type.Array(UnitValue),
});

export const SettingHistoryItem = namedObject('SettingHistoryItem', {
  value: SettingValue,
  atUtc: instant('Time at which it was written.'),
  ...editor,
  synced,
});
export type SettingHistoryItem = Static<typeof SettingHistoryItem>;
export const SettingHistoryPage = listResponse('SettingHistoryPage', SettingHistoryItem);

const newValueText =
  'New value, in the format of GetUnitGroup; an integer also as a string of its digits, for clients that would round it. Null removes it if the setting has no default.';

export const SettingUpdate = namedBody('SettingUpdate', {
  // The definition of the setting decides what is valid.
  value: Type.Unsafe<unknown>({ [documentedAsKeyword]: useOf(SettingValue, { description: newValueText }) }),
  expectedRevision: Type.String({ maxLength: 64, description: 'Revision that the caller has read.' }),
});
