// The schemas of the operations on computers, and of those with which computers enrol.

import { Type, type Static } from 'typebox';
import { listResponse, namedSortQuery, paginationQuery } from '../../http/schemas/list-schemas.ts';
import { namedBody, namedEnum, namedObject, nullable } from '../../http/schemas/named-schemas.ts';
import { parsedText } from '../../http/schemas/parsed-text.ts';
import { closedObject, instant, kidInput, kidOutput } from '../../http/schemas/schema-types.ts';
import { kidFormatOf } from '../../lib/kid.ts';
import { computerKeyPattern } from './rules/computer-key.ts';
import {
  maxComputerNameLength,
  maxSerialLength,
  maxSoftwareLength,
  maxUnits,
  parseComputerName,
  parseSerial,
  parseSoftware,
  parseUnit,
  computerStates,
} from './rules/computer-fields.ts';
import { enrolmentCodePattern, maxEnrolmentCodeLength } from './rules/enrolment-code.ts';
import { streamNames } from './rules/streams.ts';

export const ComputersQuery = closedObject({
  ...namedSortQuery('ComputerSort', ['kid', 'name', 'lastContact'], 'names'),
  ...paginationQuery,
});

export const ComputerParams = closedObject({ computerKid: kidInput('computer') });

export const NewComputer = namedBody('NewComputer', {
  name: parsedText(
    Type.String({
      minLength: 1,
      maxLength: maxComputerNameLength,
      description: 'Unique in the bank; also that of a revoked computer is taken.',
      examples: ['laundry-1'],
    }),
    parseComputerName,
  ),
  unitKids: Type.Array(
    parsedText(
      Type.String({
        maxLength: kidFormatOf('unit').maxLength,
        description: 'KID of a unit of the bank, which no other computer has unless that is revoked.',
        examples: ['sund-B1001-L1-U1'],
      }),
      (text, { name }) => parseUnit(text, name),
    ),
    { maxItems: maxUnits, uniqueItems: true, description: 'The units that are connected through it; may be empty.' },
  ),
});

export const StreamName = namedEnum(
  'StreamName',
  streamNames,
  'money: uses, payments, refunds, access and bookings; samples: states, settings, runs and what devices have done.',
);

const ComputerStream = namedObject('ComputerStream', {
  stream: StreamName,
  epoch: Type.String({ description: 'What the computer calls its present numbering; empty before the first line.' }),
  through: Type.Integer({ description: 'The number of the last line that was received in this epoch.' }),
  held: Type.Integer({ description: 'How many of its lines wait for a manager, of all epochs.' }),
});

const DesiredVersions = namedObject('DesiredVersions', {
  version: Type.Integer({ description: 'The newest version of what the devices of the bank have to know.' }),
  sent: Type.Integer({ description: 'The last version that stood in an answer; 0 if none did.' }),
  acknowledged: Type.Integer({ description: 'The last version that the computer has applied; 0 if none yet.' }),
});

export const Computer = namedObject('Computer', {
  kid: kidOutput('computer'),
  name: Type.String(),
  units: Type.Array(kidOutput('unit'), {
    description: 'Those in locations that the grants cover. A revoked computer has those that no other one took over.',
  }),
  state: namedEnum(
    'ComputerState',
    computerStates,
    'waiting: was never enrolled; enrolled; revoked: its keys have ended, for good.',
  ),
  software: Type.String({ description: 'The version of its program, as it says; empty before it was enrolled.' }),
  lastContactUtc: nullable(instant('When it was last heard of, to within some seconds; null if never.')),
  clockOffsetMs: nullable(
    Type.Integer({ description: 'How far its clock is ahead; null if that is not known, or it has no clock.' }),
  ),
  buffered: Type.Integer({ description: 'How many lines it still has to send, as it says.' }),
  streams: Type.Array(ComputerStream, { description: 'Both streams.' }),
  desired: DesiredVersions,
  digestsEqual: nullable(
    Type.Boolean({ description: 'Whether its lists were last those of the service; null before it said so.' }),
  ),
  lastError: nullable(Type.String({ description: 'The last error that it reported; null if none.' })),
  revision: Type.String({ description: 'Revision of the computer, for `expectedRevision`.' }),
});
export type Computer = Static<typeof Computer>;

export const ComputerPage = listResponse('ComputerPage', Computer);

export const ComputerEnrolment = namedObject('ComputerEnrolment', {
  computer: Computer,
  enrolmentCode: Type.String({
    pattern: `^${enrolmentCodePattern}$`,
    description: 'The code. It is not stored, never shown again, and can be used once.',
  }),
  expiresUtc: instant('Until when the code can be used.'),
});
export type ComputerEnrolment = Static<typeof ComputerEnrolment>;

export const EnrolmentRequest = namedBody('EnrolmentRequest', {
  code: Type.String({
    maxLength: maxEnrolmentCodeLength,
    description: 'The enrolment code; case, hyphens and spaces do not count.',
  }),
  serial: parsedText(
    Type.String({
      minLength: 1,
      maxLength: maxSerialLength,
      description: 'The serial number of the computer.',
      examples: ['SN-00417'],
    }),
    parseSerial,
  ),
  software: parsedText(
    Type.String({
      minLength: 1,
      maxLength: maxSoftwareLength,
      description: 'The version of its program.',
      examples: ['2.4.1'],
    }),
    parseSoftware,
  ),
});

const key = Type.String({
  pattern: `^${computerKeyPattern}$`,
  description: 'The key, for `Authorization: Bearer`. It is not stored, and never shown again.',
});
const serverTime = instant('The time of the service.');

export const EnrolledComputer = namedObject('EnrolledComputer', {
  computerKid: kidOutput('computer'),
  key,
  serverTime,
});
export type EnrolledComputer = Static<typeof EnrolledComputer>;

export const NextComputerKey = namedObject('NextComputerKey', { key, serverTime });
export type NextComputerKey = Static<typeof NextComputerKey>;
