// The schemas of the operations on residents.

import { Type, type Static } from 'typebox';
import { Booking } from '../bookings/schemas.ts';
import { LanguageCode } from '../../http/schemas/language-code.ts';
import { listResponse, namedSortQuery, paginationQuery } from '../../http/schemas/list-schemas.ts';
import { documentedAs, namedBody, namedEnum, namedObject, nullable, useOf } from '../../http/schemas/named-schemas.ts';
import { parsedText } from '../../http/schemas/parsed-text.ts';
import { closedObject, instant, int64, kidInput, kidOutput } from '../../http/schemas/schema-types.ts';
import { maxEmailOctets } from '../../lib/values/field-values.ts';
import { membersOf, namesOf } from '../../lib/values/fields.ts';
import { csvReaders } from '../../lib/text/csv.ts';
import { kidFormatOf } from '../../lib/kid.ts';
import { personalFields, residentFieldNames, residentFields, residentSorts } from '../residents/fields.ts';
import { keyKinds, parseKey } from '../residents/rules/resident-key.ts';
import { maxKeys, residentCommands, residentStates } from './rules/allowed-commands.ts';
import { parseLocation } from './rules/command-values.ts';

export const BankUserParams = closedObject({ bankKid: kidInput('bank'), userKid: kidInput('user') });

const searched = `${personalFields.join(', ')}, key number and id: each word of the filter has to be the beginning of one of theirs; accents do not count`;
const selectedStates = 'deleted: as far as the manager’s RetentionDays shows them.';
const selection = {
  state: useOf(namedEnum('ResidentSelection', [...residentStates, 'all'], selectedStates), { default: 'all' }),
  locationKid: Type.Optional(kidInput('location')),
  ...namedSortQuery('ResidentSort', namesOf(residentSorts), searched),
};

export const BankUsersQuery = closedObject({ ...selection, ...paginationQuery });

/** Who reads a CSV. */
export const csvReaderQuery = {
  for: useOf(
    namedEnum(
      'CsvReader',
      csvReaders,
      'spreadsheets: a text that could be taken for a formula begins with an apostrophe; programs: every text is as it is stored.',
    ),
    { default: 'spreadsheets' },
  ),
};

export const BankUsersExportQuery = closedObject({ ...selection, ...csvReaderQuery });

const ResidentState = namedEnum('ResidentState', residentStates, 'deleted: can be restored.');

const ResidentBalance = namedObject('ResidentBalance', {
  currency: nullable(Type.String({ description: 'ISO 4217; null when unknown.' })),
  amountMinor: int64('Balance in minor units of the currency; negative if the resident owes.'),
});
export type ResidentBalance = Static<typeof ResidentBalance>;

export const Resident = namedObject('Resident', {
  kid: kidOutput('user'),
  ...membersOf(residentFields, personalFields, 'output'),
  locationKid: nullable(kidOutput('location', 'Null without a location, or if it is deleted.')),
  locationName: Type.String({ description: 'Empty where locationKid is null.' }),
  state: ResidentState,
  language: LanguageCode,
  balances: nullable(
    Type.Array(ResidentBalance, {
      description:
        'Of all postings, and of the discounts and transfers to rent that closed settlement periods calculated, by currency; null without a grant of the whole bank.',
    }),
  ),
  lastActivityUtc: nullable(
    instant(
      'Time of the latest posting; null if there is none, if accounts show it without its resident, or without a grant of the whole bank.',
    ),
  ),
  iconKid: Type.String({ description: 'Icon KID for the icon operations.', examples: ['person'] }),
  revision: Type.String({ description: 'Changes with every command on the resident.' }),
});
export type Resident = Static<typeof Resident>;

export const ResidentPage = listResponse('ResidentPage', Resident);

const ResidentCommand = namedEnum(
  'ResidentCommand',
  residentCommands,
  'SetLocation: the KID of a location of the bank, or empty; AddKey and RemoveKey: the number of a tag, or `Card:` and the number of a card; SetPin: 4 to 8 digits that are not easy to guess, or empty; Enable, Disable, Delete, Restore and RenewActivation take no value.',
);

const ResidentKey = namedObject('ResidentKey', {
  key: Type.String({ description: 'Number, in capital letters and digits.' }),
  kind: namedEnum('ResidentKeyKind', keyKinds, 'What holds the number.'),
  addedAtUtc: instant('When it was added.'),
});

const residentFlags = ['HasPin', 'ActivationPending', 'ActivationExpired', 'Activated'] as const;
export type ResidentFlag = (typeof residentFlags)[number];

const ResidentCommandDecision = namedObject('ResidentCommandDecision', {
  command: ResidentCommand,
  allowed: Type.Boolean({ description: 'Whether this manager can execute the command now.' }),
  reason: nullable(
    Type.String({ description: 'Reason with which the command would be refused (403 or 422); null if it is allowed.' }),
  ),
});

export const ResidentWorkspace = namedObject('ResidentWorkspace', {
  user: Resident,
  language: LanguageCode,
  keys: Type.Array(ResidentKey),
  flags: Type.Array(
    namedEnum(
      'ResidentFlag',
      residentFlags,
      'ActivationPending: a code is valid; ActivationExpired: it is more than seven days old; Activated: it was used.',
    ),
  ),
  upcomingBookings: Type.Array(Booking, {
    description: 'The next 20 bookings; empty if the manager may not read bookings.',
  }),
  commands: Type.Array(ResidentCommandDecision, { description: 'Every command.' }),
  revision: Type.String({ description: 'Revision of the resident, for `expectedRevision`.' }),
});
export type ResidentWorkspace = Static<typeof ResidentWorkspace>;

export const NewResident = namedBody('NewResident', {
  ...membersOf(residentFields, residentFieldNames, 'input'),
  locationKid: Type.Optional(
    nullable(
      parsedText(
        Type.String({
          maxLength: kidFormatOf('location').maxLength,
          description: 'KID of a location of the bank; may be empty.',
        }),
        parseLocation,
      ),
    ),
  ),
  keys: Type.Array(
    parsedText(Type.String({ minLength: 1, description: 'As AddKey takes it.', examples: ['Card:12345'] }), parseKey),
    {
      maxItems: maxKeys,
      default: [],
      description: 'Numbers of tags, and of cards with `Card:` in front. 409 `key-exists` if somebody else has one.',
    },
  ),
});

export const BankUserCommandParams = closedObject({
  bankKid: kidInput('bank'),
  userKid: kidInput('user'),
  command: ResidentCommand,
});

const valueText = [
  'What the command sets, adds or removes.',
  ...Object.values(residentFields).map(({ command, takes }) => `${command}: ${takes}.`),
  'SetLocation: the KID of a location of the bank, or empty.',
  'AddKey, RemoveKey: 4 to 32 letters and digits, with `Card:` in front for a card.',
  'SetPin: 4 to 8 digits, or empty.',
  'All other commands take no value: omit it.',
].join(' ');

export const ResidentChange = namedBody('ResidentChange', {
  expectedRevision: Type.String({ maxLength: 64, description: 'Revision of the resident from the last read.' }),
  // The rule of the command has the limit.
  value: Type.Optional(documentedAs(Type.String({ maxLength: maxEmailOctets, description: valueText }))),
});

export const ResidentActivation = namedObject('ResidentActivation', {
  userKid: kidOutput('user'),
  code: Type.String({ description: 'Single use.', examples: ['7K3M-9XQP-2RTW-HV4C'] }),
  expiresAtUtc: instant('Seven days after it was made.'),
  link: Type.String({ format: 'uri', description: 'Where the resident enters the code.' }),
});
export type ResidentActivation = Static<typeof ResidentActivation>;
