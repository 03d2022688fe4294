// The schemas of the streams of computers, and of the lines that are held for managers.

import { Type, type Static } from 'typebox';
import { namedBody, namedEnum, namedObject, nullable } from '../../http/schemas/named-schemas.ts';
import { listResponse, paginationQuery } from '../../http/schemas/list-schemas.ts';
import { parsedText } from '../../http/schemas/parsed-text.ts';
import {
  closedObject,
  expectedRevision,
  instant,
  int64,
  kidInput,
  kidOutput,
  minorAmount,
  stringEnum,
  timeZoneOfLocation,
} from '../../http/schemas/schema-types.ts';
import { parseText } from '../../lib/values/field-values.ts';
import { StreamName } from '../computers/schemas.ts';
import { heldCodes, heldStates } from './rules/held-codes.ts';
import { maxEpochLength } from './rules/stream-header.ts';

export const StreamParams = closedObject({ stream: StreamName });

const epochPattern = '^[!-~]+$';
const epoch = (description: string) =>
  Type.String({ maxLength: maxEpochLength, pattern: epochPattern, minLength: 1, description, examples: ['9f2c41d0'] });

const digest = Type.Optional(Type.String({ pattern: '^[0-9a-f]{16}$' }));

const ListDigests = namedObject(
  'ListDigests',
  { keys: digest, settings: digest, hours: digest, bookings: digest },
  { description: 'Digests of the lists that the computer has.' },
);

const header = {
  epoch: epoch('The epoch of the stream, which the computer chooses.'),
  first: Type.Integer({ minimum: 1, description: 'Number of the first line of the request.' }),
  sentAt: Type.Optional(instant('Time of the device’s clock when it sends the request.')),
  uptimeMs: Type.Optional(
    Type.Integer({ minimum: 0, description: 'For how long the device has run: in place of `sentAt` without a clock.' }),
  ),
  software: Type.Optional(Type.String({ maxLength: 64, description: 'Version of the computer’s software.' })),
  buffered: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of lines that the computer still has.' })),
  digests: Type.Optional(ListDigests),
};

/** The first line of a request. Its other lines have the members that docs/equipment.md describes. */
export const StreamHeader = namedObject('StreamHeader', header);

const HeldCode = namedEnum('HeldCode', heldCodes, 'Why a line could not be booked when it arrived.');

const DesiredVersion = namedObject('DesiredVersion', {
  version: Type.Integer({ description: 'The last version of what the computer has to know.' }),
  pending: Type.Boolean({ description: 'Whether the computer has not confirmed it yet.' }),
});

export const StreamReceipt = namedObject('StreamReceipt', {
  epoch: Type.String(),
  through: Type.Integer({ description: 'Every line up to this number is stored: the computer can delete it.' }),
  repeated: Type.Integer({ description: 'Number of lines of this request that were stored before.' }),
  held: Type.Array(
    namedObject('HeldLineReceipt', {
      n: Type.Integer({ description: 'Number of the line.' }),
      code: HeldCode,
      heldKid: kidOutput('heldLine'),
    }),
    { description: 'The lines of this request that wait for a manager.' },
  ),
  serverTime: instant('Time of the service.'),
  desired: DesiredVersion,
  resync: Type.Optional(
    Type.Array(Type.String(), { description: 'Lists whose digests differ: the computer reads the snapshot.' }),
  ),
});

const maxReasonLength = 200;

export const EpochChange = namedBody('EpochChange', {
  epoch: epoch('The new epoch: one that the stream has not had before.'),
  reason: parsedText(
    Type.String({
      maxLength: maxReasonLength,
      pattern: '^[^\\u0000-\\u001f]*$',
      description: 'Why the numbers begin again.',
    }),
    (text) => parseText(text, maxReasonLength),
  ),
});

export const StreamPosition = namedObject('StreamPosition', {
  stream: StreamName,
  epoch: nullable(Type.String({ description: 'Null before the first line.' })),
  through: Type.Integer({ description: 'Number of the last line that is stored.' }),
});
export type StreamPosition = Static<typeof StreamPosition>;

export const StreamPositions = namedObject('StreamPositions', {
  streams: Type.Array(StreamPosition),
  serverTime: instant('Time of the service.'),
});

export const HeldLinesQuery = closedObject({
  state: stringEnum([...heldStates, 'all'], 'held: waits for a manager.', { default: 'held' }),
  code: Type.Optional(HeldCode),
  computerKid: Type.Optional(kidInput('computer')),
  ...paginationQuery,
});

const HeldLineState = namedEnum('HeldLineState', heldStates, 'held: waits for a manager; resolved: it was booked.');

export const HeldLine = namedObject('HeldLine', {
  kid: kidOutput('heldLine'),
  computerKid: kidOutput('computer'),
  stream: StreamName,
  n: Type.Integer({ description: 'Number of the line in its stream.' }),
  code: HeldCode,
  reason: nullable(
    Type.String({ description: 'Why a booking was refused; of a line that is no longer held, what the manager gave.' }),
  ),
  receivedUtc: instant('When it arrived.'),
  timeZone: timeZoneOfLocation,
  line: Type.String({ description: 'The whole line, as it was sent.' }),
  unitKid: nullable(kidOutput('unit', 'The unit; null if the line names no unit of its computer.')),
  state: HeldLineState,
  postingKid: nullable(kidOutput('posting', 'The posting with which it was booked; null if there is none.')),
  revision: Type.String(),
});
export type HeldLine = Static<typeof HeldLine>;

export const HeldLinePage = listResponse('HeldLinePage', HeldLine);

export const HeldLineParams = closedObject({ heldKid: kidInput('heldLine') });

const resolutionActions = ['assign', 'accept', 'discard'] as const;
export type ResolutionAction = (typeof resolutionActions)[number];

export const HeldLineResolution = namedBody('HeldLineResolution', {
  action: namedEnum(
    'HeldLineAction',
    resolutionActions,
    'assign: books it on `userKid`; accept: books it as it stands, on the guest if nobody has its key; discard: books nothing.',
  ),
  userKid: Type.Optional(kidInput('user')),
  reason: Type.Optional(
    Type.String({ maxLength: 500, pattern: '^[^\\u0000-\\u001f]*$', description: 'Why; required to discard.' }),
  ),
  expectedRevision,
});

export const ResolutionQuery = closedObject({
  dryRun: Type.Boolean({ default: false, description: 'Returns what would be booked, and changes nothing.' }),
});

export const HeldLineResult = namedObject('HeldLineResult', {
  heldLine: HeldLine,
  posting: nullable(
    namedObject('HeldLinePosting', {
      kid: nullable(kidOutput('posting', 'Null in the answer to a dry run.')),
      recordedAtUtc: instant('Time of the event.'),
      recordedAtMs2000: int64('The same time, in milliseconds since 2000-01-01T00:00:00Z.'),
      userKid: kidOutput('user'),
      amountMinor: minorAmount('Signed: negative is consumption.'),
      currency: Type.String({ description: 'ISO 4217.' }),
      text: Type.String(),
    }),
  ),
  dryRun: Type.Optional(Type.Literal(true, { description: 'Only in the answer to a dry run.' })),
});
export type HeldLineResult = Static<typeof HeldLineResult>;
