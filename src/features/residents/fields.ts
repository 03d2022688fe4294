// The fields of residents that have a column and a command of their own. Rows, schemas, commands, exports, imports, search,
// the audit log and what is erased follow from this table, in its order.

import { Type, type TStringOptions } from 'typebox';
import type { Tables } from '../../database/tables.ts';
import { LanguageCode } from '../../http/schemas/language-code.ts';
import { useOf } from '../../http/schemas/named-schemas.ts';
import { parsedText, type TextParser } from '../../http/schemas/parsed-text.ts';
import { languages, type Language } from '../../lib/text/language.ts';
import { fieldNamesWith, namesOf, recordOf, type ImportedColumn, type NamesOf } from '../../lib/values/fields.ts';
import {
  maxEmailOctets,
  maxNameLength,
  parseEmail,
  parseName,
  parseText,
  type FieldResult,
} from '../../lib/values/field-values.ts';
import { maxPhoneLength, parsePhone, type Phone } from './rules/phone.ts';

type PersonalText<Command, Value> = {
  /** The command that changes it. */
  readonly command: Command;
  readonly parse: TextParser<Value>;
  /** What the command takes, for the documents. */
  readonly takes: string;
  /** In the body of CreateBankUser. */
  readonly input: TStringOptions;
  /** In answers. */
  readonly output?: TStringOptions;
  /** The column of imports. */
  readonly imported: ImportedColumn;
};

/** Is erased when the resident is anonymised, and never in the audit log; is searched, and in lists and exports. */
const personal = <const Command extends string, Value>(field: PersonalText<Command, Value>) =>
  ({
    ...field,
    isPersonal: true,
    input: parsedText(Type.String(field.input), field.parse),
    output: Type.String(field.output),
  }) as const;

const text = <const Command extends string>(command: Command, maxLength: number, example: string) =>
  personal({
    command,
    parse: (given) => parseText(given, maxLength),
    takes: `at most ${maxLength} characters, or empty`,
    input: { maxLength, description: 'May be empty.', default: '' },
    output: { description: 'Empty if unknown.' },
    imported: { description: `Up to ${maxLength} characters; may be empty.`, example },
  });

export const residentFields = {
  name: personal({
    command: 'SetName',
    parse: parseName,
    takes: `1 to ${maxNameLength} characters`,
    input: { minLength: 1, maxLength: maxNameLength, description: 'Not only spaces.' },
    imported: { description: `Up to ${maxNameLength} characters.`, example: 'Example Resident', isRequired: true },
  }),
  email: personal({
    command: 'SetEmail',
    parse: parseEmail,
    takes: `an email address of at most ${maxEmailOctets} octets, or empty`,
    input: {
      maxLength: maxEmailOctets,
      description: 'Unique among the residents of the bank that are not deleted; may be empty.',
      default: '',
    },
    output: { maxLength: maxEmailOctets, description: 'Empty if unknown.' },
    imported: { description: 'One resident of the bank has it; may be empty.', example: 'resident@example.org' },
  }),
  phone: personal({
    command: 'SetPhone',
    parse: (given, { country }) => parsePhone(given, country),
    takes: `a phone number of at most ${maxPhoneLength} characters, or empty`,
    input: {
      maxLength: maxPhoneLength,
      description: 'A number of the tenant’s country, or one that begins with +; may be empty.',
      default: '',
    },
    output: { description: 'As it was entered; empty if unknown.' },
    imported: {
      description: 'A number of the country of the tenant, or one that begins with `+`; may be empty.',
      example: '+45 12 34 56 78',
    },
  }),
  language: {
    command: 'SetLanguage',
    parse: (given: string): FieldResult<Language> => {
      const language = languages.find((each) => each === given);
      return language === undefined
        ? { reason: `must be one of ${languages.join(', ')}`, code: 'not-in-list' }
        : { value: language };
    },
    takes: languages.join(', '),
    input: useOf(LanguageCode, { default: 'en' }),
    output: LanguageCode,
    imported: { description: 'Such as `da` or `en`. Empty: that of the country of the tenant.', example: 'da' },
  },
  apartment: text('SetApartment', 64, '2. left'),
} as const;

type Fields = typeof residentFields;
export type ResidentField = keyof Fields;
export type PersonalField = NamesOf<Fields, 'isPersonal'>;

export const residentFieldNames = namesOf(residentFields);
export const personalFields = fieldNamesWith(residentFields, 'isPersonal');

/** What the parsers make of the texts. */
export type ResidentValues = {
  readonly [Name in ResidentField]: Extract<ReturnType<Fields[Name]['parse']>, { readonly value: unknown }>['value'];
};

type FieldCommand = Fields[ResidentField]['command'];

/** A command with its value. */
export type FieldAction = {
  [Name in ResidentField]: { readonly command: Fields[Name]['command']; readonly value: ResidentValues[Name] };
}[ResidentField];

const fieldsByCommand = Object.fromEntries(
  residentFieldNames.map((name) => [residentFields[name].command, name]),
) as Readonly<Record<FieldCommand, ResidentField>>;

export const fieldCommands = namesOf(fieldsByCommand);

export const isFieldCommand = (command: string): command is FieldCommand => Object.hasOwn(fieldsByCommand, command);

export const fieldOf = (command: FieldCommand): ResidentField => fieldsByCommand[command];

export const isPersonal = (field: ResidentField): field is PersonalField => 'isPersonal' in residentFields[field];

/** A value as it is written, shown and compared. */
export const textOf = (value: string | Phone): string => (typeof value === 'string' ? value : value.typed);

type FieldColumns = Pick<Tables['residents'], ResidentField | 'phone_number'>;

/** The columns that hold the values. */
export function toColumns(values: ResidentValues): FieldColumns;
export function toColumns(values: Partial<ResidentValues>): Partial<FieldColumns>;
export function toColumns({ phone, ...texts }: Partial<ResidentValues>): Partial<FieldColumns> {
  return phone === undefined ? texts : { ...texts, phone: phone.typed, phone_number: phone.number };
}

/** The personal fields of somebody of whom nothing is known, or is known no more. */
export const noPersonalTexts: Readonly<Record<PersonalField, ''>> = recordOf(personalFields, () => '');

/** The column of each order in which residents are listed. */
export const residentSorts = { name: 'name_key', kid: 'resident_id', apartment: 'apartment_key' } as const;
