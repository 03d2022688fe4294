// Describes the requests and responses of the operations on units, their settings and their states.

import { Type, type Static } from 'typebox';
import { stringEnum, closedObject, instant, kidInput, kidOutput, nullable } from '../../http/schema-types.ts';
import { listResponse, paginationQuery } from '../../http/list-schemas.ts';
import { UnitItem } from '../places/schemas.ts';
import { valueTypes } from './catalogue/value-definition.ts';
import type { SettingJsonValue } from './rules/stored-text.ts';

const exactName = (what: string, example: string) =>
  Type.String({ description: `Exact name of ${what}.`, examples: [example] });

export const UnitParams = closedObject({ unitKid: kidInput('unit') });
export const GroupParams = closedObject({ unitKid: kidInput('unit'), group: exactName('a group', 'Operation') });
export const SettingParams = closedObject({ unitKid: kidInput('unit'), setting: exactName('a setting', 'OutOfOrder') });
export const HistoryQuery = closedObject(paginationQuery);

const groupKind = stringEnum(
  ['Settings', 'States'],
  'Settings: written by managers. States: reported by the equipment.',
);

export const UnitOverviewAnswer = closedObject({
  unit: closedObject({
    ...UnitItem.properties,
    locationKid: kidOutput('location'),
    bankKid: kidOutput('bank'),
  }),
  groups: Type.Array(
    closedObject({
      name: exactName('the group', 'Operation'),
      label: Type.String({ description: 'Name of the group in the language of the answer.' }),
      kind: groupKind,
      count: Type.Integer({ description: 'Number of settings or states in the group.' }),
    }),
    { description: 'Groups of the unit’s type, settings first.' },
  ),
  revision: Type.String({ description: 'Changes with the unit, its settings and its states.' }),
});

const value = Type.Unsafe<SettingJsonValue>({
  type: ['boolean', 'number', 'string', 'null'],
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

export const ValueRow = closedObject({
  name: exactName('the setting or state', 'OutOfOrder'),
  label: Type.String({ description: 'Name of the setting or state in the language of the answer.' }),
  valueType: stringEnum(valueTypes, 'Type of the value.'),
  value,
  unitOfMeasure: nullable(Type.String({ description: 'UCUM; for money the currency, ISO 4217.', examples: ['Cel'] })),
  synced,
  ...editor,
  editedAtUtc: nullable(instant('Time at which it was written or reported; null: never.')),
  canEdit: Type.Boolean({ description: 'true if the caller may write it.' }),
  constraints: closedObject({
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
  }),
  revision: Type.String({ description: 'Changes with every write; `0` before the first.', examples: ['0'] }),
});
export type ValueRow = Static<typeof ValueRow>;

export const UnitGroupAnswer = closedObject({
  unitKid: kidOutput('unit'),
  group: exactName('the group', 'Operation'),
  kind: groupKind,
  values: Type.Array(ValueRow),
});

export const HistoryItem = closedObject({ value, atUtc: instant('Time at which it was written.'), ...editor, synced });
export type HistoryItem = Static<typeof HistoryItem>;
export const SettingHistoryAnswer = listResponse(HistoryItem);

export const SettingBody = closedObject({
  value: Type.Unsafe<unknown>({
    description: 'New value, in the format of GetUnitGroup; null removes it if the setting has no default.',
  }),
  expectedRevision: Type.String({ maxLength: 64, description: 'Revision that the caller has read.' }),
});
