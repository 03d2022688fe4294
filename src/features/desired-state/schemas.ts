// The shapes of what computers have to know, and of what managers see of it.

import { Type, type Static } from 'typebox';
import { listResponse, paginationQuery } from '../../http/schemas/list-schemas.ts';
import { namedBody, namedEnum, namedObject, nullable, useOf } from '../../http/schemas/named-schemas.ts';
import {
  closedObject,
  instant,
  int32,
  kidInput,
  kidOutput,
  timeZoneOfLocation,
} from '../../http/schemas/schema-types.ts';
import { subjectKinds, syncStates } from '../outbox/rules/sync-state.ts';

export const DesiredQuery = closedObject({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The version that the computer has. With server-sent events, `Last-Event-ID` takes its place.',
      examples: [4711],
    }),
  ),
  wait: int32({
    minimum: 0,
    maximum: 55,
    default: 0,
    description: 'How many seconds to wait until there is a change.',
    examples: [55],
  }),
});

const text = (description: string) => Type.Optional(Type.String({ description }));

const DesiredChange = namedObject(
  'DesiredChange',
  {
    v: Type.Integer({ description: 'The version of the change, which an `applied` line names.' }),
    kind: Type.String({
      description:
        'setting, key, hours, booking, posting, command or address. The other members depend on it (docs/equipment.md); later versions may add kinds.',
    }),
    unit: Type.Optional(kidOutput('unit', 'The unit that it is about.')),
    units: Type.Optional(
      Type.Array(kidOutput('unit'), { description: 'The units of the computer that a key may use.' }),
    ),
    residentKid: Type.Optional(kidOutput('user', 'Who has the key or the booking.')),
    key: text('The number of a tag, or `Card:` and that of a card.'),
    removed: Type.Optional(Type.Literal(true, { description: 'Nobody may use the key any longer.' })),
    until: Type.Optional(nullable(instant('When the key ends by itself.'))),
    name: text('Name of the setting or the command.'),
    value: Type.Optional(Type.Unknown({ description: 'Value of the setting; null: none.' })),
    revision: text('Revision of the setting.'),
    weekly: Type.Optional(
      Type.Array(nullable(Type.String()), {
        description: 'Hours from Monday to Sunday: `07:00-12:00,13:00-22:00` or `closed`; null: not known.',
      }),
    ),
    exceptions: Type.Optional(
      Type.Array(
        namedObject('DesiredOpeningException', {
          date: Type.String({ description: 'Local day, YYYY-MM-DD.' }),
          intervals: Type.String({ description: 'As on a weekday.' }),
        }),
      ),
    ),
    timeZone: text('IANA name of the time zone of the hours.'),
    bookingKid: Type.Optional(kidOutput('event', 'The booking, whatever becomes of it.')),
    from: Type.Optional(instant('Start of the booking.')),
    to: Type.Optional(instant('End of the booking.')),
    state: text('State of the booking: with another one than `Booked` it has ended.'),
    posting: Type.Optional(kidOutput('posting', 'The posting that takes a use back.')),
    reverses: text('The `ref` of that use.'),
    id: text('The command, as a `result` line names it.'),
    expiresAt: Type.Optional(instant('Until when the command may be carried out.')),
    kid: text('KID of the place that has an address.'),
    latitude: Type.Optional(nullable(Type.Integer({ description: 'Millionths of a degree.' }))),
    longitude: Type.Optional(nullable(Type.Integer({ description: 'Millionths of a degree.' }))),
  },
  { additionalProperties: true, description: 'The newest value of one thing.' },
);

export const DesiredChanges = namedObject('DesiredChanges', {
  version: Type.Integer({ description: 'What `after` is next.' }),
  more: Type.Boolean({ description: 'Whether there are more changes already.' }),
  changes: Type.Array(DesiredChange),
});

const DeviceSyncState = namedEnum(
  'DeviceSyncState',
  syncStates,
  'queued: it stood in no answer yet; sent: it did; acknowledged, failed: what the device says; superseded: something newer replaced it; expired: a command that was not told in time.',
);

export const DeviceSyncsQuery = closedObject({
  state: Type.Optional(useOf(DeviceSyncState, { description: 'Only records in this state.' })),
  unitKid: Type.Optional(kidInput('unit')),
  ...paginationQuery,
});

const syncId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The version that computers know; unique in the housing association.',
  examples: [4711],
});

export const DeviceSyncParams = closedObject({ bankKid: kidInput('bank'), syncId });

export const DeviceSyncRetry = namedBody('DeviceSyncRetry', {
  expectedRevision: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}-[0-9]{1,15}$',
      description: 'The revision as the client read it: a record that has changed since is not sent again.',
      examples: ['1-834831000000'],
    }),
  ),
});

export const DeviceSync = namedObject('DeviceSync', {
  syncId,
  subject: namedEnum('DeviceSyncSubject', subjectKinds, 'What the record tells devices of.'),
  unitKid: nullable(kidOutput('unit', 'Null where it concerns more than one unit.')),
  setting: nullable(Type.String({ description: 'Name of the setting whose present value it is.' })),
  settingLabel: nullable(Type.String({ description: 'Name of that setting in the language of the answer.' })),
  state: DeviceSyncState,
  code: nullable(Type.String({ description: 'The code with which the device refused it.' })),
  attempts: Type.Integer({ description: 'How often it stood in an answer.' }),
  queuedUtc: instant('When it was queued.'),
  changedUtc: instant('When its state last changed.'),
  timeZone: timeZoneOfLocation,
  revision: Type.String(),
});
export type DeviceSync = Static<typeof DeviceSync>;

export const DeviceSyncPage = listResponse('DeviceSyncPage', DeviceSync);
