// The fields of residents in an import: how they are read, how a resident has them, and by which commands they change.

import { parseEmail, parseName, type FieldResult } from '../../../../lib/values/field-values.ts';
import { formatBankKid, formatLocationKid } from '../../../../lib/kid.ts';
import { languageOfCountry } from '../../../../lib/text/language.ts';
import { parseCivilDate, todayIn } from '../../../../lib/time/time-zone.ts';
import type { GrantedBank } from '../../../../permissions/coverage.ts';
import { parseAction, type ResidentAction } from '../../../resident-administration/rules/command-values.ts';
import { residentStateOf, type ResidentCommand } from '../../../resident-administration/rules/allowed-commands.ts';
import { parseApartment, parseLanguage } from '../../../resident-administration/rules/resident-fields.ts';
import type { ResidentKeyRow } from '../../../resident-administration/queries/resident-details.ts';
import type { ResidentRow } from '../../../resident-administration/queries/residents.ts';
import { parsePhone } from '../../../residents/rules/phone.ts';
import { parseKey } from '../../../residents/rules/resident-key.ts';
import type { ImportColumn, ImportTarget, ParsedRow, RowValues } from '../../import-kind.ts';
import type { FieldParser, FieldParsers } from '../../rules/parse-fields.ts';

/** It is not stored: each file says it anew. */
export const movedOutField = 'movedOut';

export const residentColumns: readonly ImportColumn[] = [
  { field: 'name', description: 'Up to 200 characters.', example: 'Example Resident', isRequired: true },
  { field: 'email', description: 'One resident of the bank has it; may be empty.', example: 'resident@example.org' },
  {
    field: 'phone',
    description: 'A number of the country of the tenant, or one that begins with `+`; may be empty.',
    example: '+45 12 34 56 78',
  },
  { field: 'language', description: 'Such as `da` or `en`. Empty: that of the country of the tenant.', example: 'da' },
  { field: 'apartment', description: 'Up to 64 characters; may be empty.', example: '2. left' },
  { field: 'location', description: 'A location of the bank; may be empty.', example: '1', references: 'locations' },
  {
    field: 'tags',
    description: 'All numbers of the tags of the resident, with spaces between them; cards are not among them.',
    example: '04A21B33 04A21B34',
  },
  { field: 'state', description: '`active` or `disabled`. Empty: active.', example: 'active' },
  {
    field: movedOutField,
    description:
      'Local day on which the resident moved out, `YYYY-MM-DD`: from that day on, the resident is disabled. Empty: lives there.',
    example: '',
  },
];

/** Canonical: in order, with one space between two. */
const formatTags = (numbers: readonly string[]): string => numbers.toSorted().join(' ');

export const listTags = (text: string): string[] => text.split(/\s+/).filter((each) => each !== '');

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

function parseState(text: string): FieldResult {
  const value = text.trim().toLowerCase();
  if (value === '') return { value: 'active' };
  return value === 'active' || value === 'disabled' ? { value } : { reason: 'must be active or disabled' };
}

function parseMovedOut(text: string): FieldResult {
  const value = text.trim();
  return value === '' || parseCivilDate(value) !== undefined
    ? { value }
    : { reason: 'must be a day such as 2026-05-31' };
}

/**
 * Whoever has moved out is disabled, whatever the state in the file. A day that has not come yet changes nothing: the file
 * in which it has come does.
 */
export function applyMoveOut({ values, errors }: ParsedRow, { tenant, now }: ImportTarget): ParsedRow {
  const { [movedOutField]: day, ...others } = values;
  if (day === undefined || errors.some(({ field }) => field === movedOutField)) return { values, errors };
  const hasMovedOut = day !== '' && day <= todayIn(tenant.timeZone, now).toString();
  return { values: hasMovedOut ? { ...others, state: 'disabled' } : { ...others, [movedOutField]: '' }, errors };
}

const parsePhoneText: FieldParser = (text, { tenant }) => {
  const result = parsePhone(text, tenant.country);
  return 'reason' in result ? result : { value: result.value.typed };
};

const parseLanguageText: FieldParser = (text, { tenant }) => {
  const value = text.trim().toLowerCase();
  return value === '' ? { value: languageOfCountry(tenant.country) } : parseLanguage(value);
};

/** A location is looked up by its text. */
const keepText: FieldParser = (text) => ({ value: text.trim() });

export const residentParsers: FieldParsers = {
  name: parseName,
  email: parseEmail,
  phone: parsePhoneText,
  language: parseLanguageText,
  apartment: parseApartment,
  location: keepText,
  tags: parseTags,
  state: parseState,
  [movedOutField]: parseMovedOut,
};

/** All fields of a resident. The keys are those of the resident, of every kind. */
export function toResidentValues(
  { tenant, bankId }: GrantedBank,
  row: ResidentRow,
  keys: readonly ResidentKeyRow[],
): RowValues {
  const locationKid = row.location_id === null ? '' : formatLocationKid(formatBankKid(tenant, bankId), row.location_id);
  return {
    name: row.name,
    email: row.email,
    phone: row.phone,
    language: row.language,
    apartment: row.apartment,
    location: locationKid,
    tags: formatTags(keys.filter(({ kind }) => kind === 'Tag').map(({ key_number }) => key_number)),
    state: residentStateOf(row),
    [movedOutField]: '',
  };
}

const commandsByField: Readonly<Record<string, ResidentCommand>> = {
  name: 'SetName',
  email: 'SetEmail',
  phone: 'SetPhone',
  language: 'SetLanguage',
  apartment: 'SetApartment',
  location: 'SetLocation',
};

type TenantCountry = Parameters<typeof parseAction>[2];

/** The commands that give a resident the wanted values. Tags are taken away before others are added. */
export function listResidentActions(current: RowValues, wanted: RowValues, tenant: TenantCountry): ResidentAction[] {
  const toAction = (command: ResidentCommand, value?: string): ResidentAction => parseAction(command, value, tenant);
  const set = Object.entries(wanted)
    .filter(([field, value]) => commandsByField[field] !== undefined && value !== current[field])
    .map(([field, value]) => toAction(commandsByField[field]!, value));
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
