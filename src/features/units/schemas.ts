// The shapes of units with their settings and states.

import { Type, type Static } from 'typebox';
import { stringEnum, closedObject, instant, kidInput, kidOutput, nullable } from '../../http/schema-types.ts';
import { listResponse, paginationQuery } from '../../http/list-schemas.ts';
import { UnitItem } from '../places/schemas.ts';
import { valueTypes } from './catalogue/value-definition.ts';
import type { SettingJsonValue } from './rules/stored-text.ts';

const exactName = (what: string, example: string) =>
  Type.String({ description: `The exact name of ${what}.`, examples: [example] });

export const UnitParams = closedObject({ unitKid: kidInput('unit') });
export const GroupParams = closedObject({ unitKid: kidInput('unit'), group: exactName('a group', 'Operation') });
export const SettingParams = closedObject({ unitKid: kidInput('unit'), setting: exactName('a setting', 'OutOfOrder') });
export const HistoryQuery = closedObject(paginationQuery);

const groupKind = stringEnum(
  ['Settings', 'States'],
  'Settings are written by people, states reported by the equipment.',
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
      label: Type.String({ description: 'The group in the language of the answer.' }),
      kind: groupKind,
      count: Type.Integer({ description: 'How many settings or states are in it.' }),
    }),
    { description: 'Those that the type of the unit has, settings first.' },
  ),
  revision: Type.String({ description: 'Turns with the unit, its settings and its states.' }),
});

const value = Type.Unsafe<SettingJsonValue>({
  type: ['boolean', 'number', 'string', 'null'],
  description:
    'As valueType says: int and duration are integers, money an integer of minor units, decimal a number, bool true or false, enum an exact option, time `HH:MM`, text a string. Null where there is none, and where what is stored cannot be read as the type.',
});
const editor = {
  editorKid: nullable(kidOutput('manager', 'Who wrote it; null where the equipment did.')),
  editorName: nullable(Type.String({ description: 'What the editor is called now.' })),
};
const synced = Type.Boolean({ description: 'The equipment has it, as far as it has to be told at all.' });
const bound = (description: string) =>
  Type.Unsafe<number | string | null>({ type: ['number', 'string', 'null'], description });

export const ValueRow = closedObject({
  name: exactName('the setting or state', 'OutOfOrder'),
  label: Type.String({ description: 'The setting or state in the language of the answer.' }),
  valueType: stringEnum(valueTypes, 'What its values are.'),
  value,
  unitOfMeasure: nullable(Type.String({ description: 'UCUM; of money the currency, ISO 4217.', examples: ['Cel'] })),
  synced,
  ...editor,
  editedAtUtc: nullable(instant('When it was written or reported; null where it never was.')),
  canEdit: Type.Boolean({ description: 'Whether the caller may write it.' }),
  constraints: closedObject({
    min: bound('The least value, of a time the earliest.'),
    max: bound('The greatest value, of a time the latest.'),
    step: nullable(Type.Number({ description: 'Values lie on multiples of it, counted from min or else from zero.' })),
    maxLength: nullable(Type.Integer({ description: 'Of texts, in code points.' })),
    pattern: nullable(Type.String({ description: 'What a whole text matches (ECMA-262).' })),
    options: nullable(Type.Array(Type.String(), { description: 'The values that there are, exactly spelled.' })),
    optionLabels: nullable(
      Type.Array(Type.String(), { description: 'The same in the language of the answer, in the same order.' }),
    ),
  }),
  revision: Type.String({ description: 'Turns with every write; `0` until the first.', examples: ['0'] }),
});
export type ValueRow = Static<typeof ValueRow>;

export const UnitGroupAnswer = closedObject({
  unitKid: kidOutput('unit'),
  group: exactName('the group', 'Operation'),
  kind: groupKind,
  values: Type.Array(ValueRow),
});

export const HistoryItem = closedObject({ value, atUtc: instant('When it was written.'), ...editor, synced });
export type HistoryItem = Static<typeof HistoryItem>;
export const SettingHistoryAnswer = listResponse(HistoryItem);

export const SettingBody = closedObject({
  value: Type.Unsafe<unknown>({
    description:
      'What the setting is to be, as GetUnitGroup tells its values; null takes it away where it may be missing.',
  }),
  expectedRevision: Type.String({ maxLength: 64, description: 'The revision of the value that is known.' }),
});
