// The fields of residents in an import: how they are read, how a resident has them, and by which commands they change.

import type { TextTenant } from '../../../../http/schemas/parsed-text.ts';
import type { FieldResult } from '../../../../lib/values/field-values.ts';
import { recordOf } from '../../../../lib/values/fields.ts';
import { formatBankKid, formatLocationKid } from '../../../../lib/kid.ts';
import { languageOfCountry } from '../../../../lib/text/language.ts';
import { parseCivilDate, todayIn } from '../../../../lib/time/time-zone.ts';
import { parseAction, type ResidentAction } from '../../../resident-administration/rules/command-values.ts';
import { residentStateOf, type ResidentCommand } from '../../../resident-administration/rules/allowed-commands.ts';
import type { ResidentKeyRow } from '../../../resident-administration/queries/resident-details.ts';
import type { ResidentRow } from '../../../resident-administration/queries/residents.ts';
import { residentFieldNames, residentFields, textOf } from '../../../residents/fields.ts';
import { parseKey } from '../../../residents/rules/resident-key.ts';
import { parserOfTrimmed, parserOfWordsOr } from '../../rules/field-parsers.ts';
import {
  activeState,
  disabledState,
  stateField,
  type Field,
  type FieldParser,
  type FieldTable,
  type ImportTarget,
  type ParsedFields,
  type RowValues,
} from '../../import-kind.ts';

/** It is not stored: each file says it anew. */
export const movedOutField = 'movedOut';

/** Canonical: in order, with one space between two. */
const formatTags = (numbers: readonly string[]): string => numbers.toSorted().join(' ');

export const listTags = (text: string): string[] => text.split(/\s+/).filter((each) => each !== '');

export const listOwnTags = ({ keys }: KeptResident): string[] =>
  keys.filter(({ kind }) => kind === 'Tag').map(({ key_number }) => key_number);

function parseTags(text: string): FieldResult {
  const numbers: string[] = [];
  for (const each of listTags(text)) {
    const key = parseKey(each);
    if ('reason' in key || key.value.kind !== 'Tag')
      return { reason: 'must have numbers of tags, of 4 to 32 letters and digits, with spaces between them' };
    numbers.push(key.value.number);
  }
  if (new Set(numbers).size < numbers.length) return { reason: 'must not have a number twice' };
  return { value: formatTags(numbers) };
}

const parseMovedOut = parserOfTrimmed(
  (text) => (text === '' || parseCivilDate(text) !== undefined ? text : undefined),
  'must be a day such as 2026-05-31',
);

/**
 * Whoever has moved out is disabled, whatever the state in the file. A day that has not come yet changes nothing: the file
 * in which it has come does.
 */
export function applyMoveOut({ values, errors }: ParsedFields, { tenant, now }: ImportTarget): ParsedFields {
  const { [movedOutField]: day, ...others } = values;
  if (day === undefined || errors.some(({ field }) => field === movedOutField)) return { values, errors };
  const hasMovedOut = day !== '' && day <= todayIn(tenant.timeZone, now).toString();
  return { values: hasMovedOut ? { ...others, state: 'disabled' } : { ...others, [movedOutField]: '' }, errors };
}

const parseLanguageText: FieldParser = (text, { tenant }) => {
  const value = text.trim().toLowerCase();
  return value === '' ? { value: languageOfCountry(tenant.country) } : residentFields.language.parse(value);
};

/** A resident with the keys. */
export type KeptResident = { readonly row: ResidentRow; readonly keys: readonly ResidentKeyRow[] };

const ownFields = recordOf(residentFieldNames, (name): Field<KeptResident> => ({
  ...residentFields[name].imported,
  parse: (text, { tenant }) => {
    const result = residentFields[name].parse(text, tenant);
    return 'reason' in result ? result : { value: textOf(result.value) };
  },
  write: ({ row }) => row[name],
}));

export const residentImportFields: FieldTable<KeptResident> = {
  ...ownFields,
  language: { ...ownFields.language, parse: parseLanguageText },
  location: {
    description: 'A location of the bank; may be empty.',
    example: '1',
    references: 'locations',
    // A location is looked up by its text.
    parse: (text) => ({ value: text.trim() }),
    write: ({ row: { location_id: id } }, { bank }) =>
      id === null ? '' : formatLocationKid(formatBankKid(bank.tenant, bank.bankId), id),
  },
  tags: {
    description: 'All numbers of the tags of the resident, with spaces between them; cards are not among them.',
    example: '04A21B33 04A21B34',
    parse: parseTags,
    write: (resident) => formatTags(listOwnTags(resident)),
  },
  [stateField]: {
    description: '`active` or `disabled`. Empty: active.',
    example: activeState,
    parse: parserOfWordsOr([activeState, disabledState], activeState, 'must be active or disabled'),
    write: ({ row }) => residentStateOf(row),
  },
  [movedOutField]: {
    description:
      'Local day on which the resident moved out, `YYYY-MM-DD`: from that day on, the resident is disabled. Empty: lives there.',
    example: '',
    parse: parseMovedOut,
  },
};

const commandsByField = new Map<string, ResidentCommand>([
  ...residentFieldNames.map((field) => [field, residentFields[field].command] as const),
  ['location', 'SetLocation'],
]);

/** The commands that give a resident the wanted values. Tags are taken away before others are added. */
export function listResidentActions(current: RowValues, wanted: RowValues, tenant: TextTenant): ResidentAction[] {
  const toAction = (command: ResidentCommand, value?: string): ResidentAction => parseAction(command, value, tenant);
  const set = Object.entries(wanted).flatMap(([field, value]) => {
    const command = commandsByField.get(field);
    return command === undefined || value === current[field] ? [] : [toAction(command, value)];
  });
  const [has, wants] = [new Set(listTags(current['tags'] ?? '')), new Set(listTags(wanted['tags'] ?? ''))];
  const removed = wanted['tags'] === undefined ? [] : [...has.difference(wants)];
  const added = wanted['tags'] === undefined ? [] : [...wants.difference(has)];
  const isSwitched = wanted['state'] !== undefined && wanted['state'] !== current['state'];
  return [
    ...set,
    ...removed.map((number) => toAction('RemoveKey', number)),
    ...added.map((number) => toAction('AddKey', number)),
    ...(isSwitched ? [toAction(wanted['state'] === 'active' ? 'Enable' : 'Disable')] : []),
  ];
}
