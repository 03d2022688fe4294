// The schemas of the tenant status.

import { Type, type Static } from 'typebox';
import { namedObject, nullable } from '../../http/schemas/named-schemas.ts';
import { closedObject, instant, int32, kidOutput, stringEnum } from '../../http/schemas/schema-types.ts';
import { statusKinds } from './rules/status-kinds.ts';

/** The seconds after which clients may send another request. */
export const statusRefreshAfterSeconds = 30;

export const statusSourceUnavailable = 'status-source-unavailable';

export const TenantStatusQuery = closedObject({
  limit: int32({ minimum: 1, maximum: 1000, default: 200, description: 'Maximum number of items of each source.' }),
  kind: Type.Optional(
    stringEnum(statusKinds, 'Only the source of this kind is read and returned. Without it, all sources are.'),
  ),
});

export const TenantStatusPageQuery = closedObject({
  pageSize: int32({ minimum: 1, maximum: 100, default: 25, description: 'Maximum number of items of the page.' }),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description: '`nextCursor` or `previousCursor` of a page, unchanged; not together with `anchor` or `offset`.',
    }),
  ),
  anchor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: '`Kind:unitKid` of the row with which a first page begins.',
      examples: ['Offline:sund-B1001-L1-U3'],
    }),
  ),
  offset: Type.Optional(
    int32({
      minimum: 0,
      maximum: 1999,
      description: 'Number of rows before a first page, if there is no `anchor` or its row has vanished.',
    }),
  ),
});

/** Not an enumeration, because generated clients would refuse future kinds. */
const statusKind = Type.String({
  description:
    '`Offline`: the last contact was too long ago; `AutoOutOfOrder`: out of order because of an error; `HeldLines`: lines of its computer wait for a manager; `ClockWrong`: the clock of its computer is wrong; `SyncStale`: its computer does not know what it should. Accept other values: kinds can be added.',
  examples: [...statusKinds],
});

const TenantStatusSource = namedObject('TenantStatusSource', {
  kind: statusKind,
  count: Type.Integer({ description: 'Number of items of the source: of this response, or of the whole snapshot.' }),
  hasMore: Type.Boolean({ description: 'True if there are more than the limit; the newest were taken.' }),
  errorCode: nullable(
    Type.String({ description: `\`${statusSourceUnavailable}\` if the source could not be read; null otherwise.` }),
  ),
});
export type TenantStatusSource = Static<typeof TenantStatusSource>;

const iconKid = (description: string) => Type.String({ description: `${description} For the image routes of icons.` });

const TenantStatusItem = namedObject('TenantStatusItem', {
  kind: statusKind,
  kid: kidOutput('unit'),
  bankKid: kidOutput('bank'),
  locationKid: kidOutput('location'),
  bankName: Type.String(),
  locationName: Type.String(),
  unitName: Type.String({ description: 'In the language of the response.' }),
  computerName: Type.String({ description: 'The computer through which the unit is connected; empty if unknown.' }),
  bankType: Type.String({
    description: '`Cash` or `Rent`; the number of another type, or empty if the bank has none.',
  }),
  unitType: nullable(
    Type.Integer({
      description: 'Number of the type; null if it is missing or invalid, but never for AutoOutOfOrder.',
    }),
  ),
  errorId: nullable(Type.Integer({ description: 'Number of the error (AutoOutOfOrder); null for other kinds.' })),
  errorText: nullable(
    Type.String({
      description:
        'What the unit says about the error, in its own words: its state ErrorText, while its ErrorId is this error. Null if it says nothing, and for other kinds.',
    }),
  ),
  timestampUtc: instant(
    'Last contact (Offline), or when the error was written (AutoOutOfOrder). HeldLines: when the newest line arrived. ClockWrong: last contact of the computer. SyncStale: when the oldest change that it has not confirmed was queued; last contact where only its lists differ.',
  ),
  iconKid: iconKid('Icon of the unit’s type.'),
  bankIconKid: iconKid('Icon of the bank; `bank_building` by default.'),
  locationIconKid: iconKid('Icon of the location; `house` with its number by default.'),
});
export type TenantStatusItem = Static<typeof TenantStatusItem>;

export const TenantStatus = namedObject('TenantStatus', {
  measuredAtUtc: instant('When the sources were read.'),
  refreshAfterSeconds: Type.Integer({
    description: 'Send the next request no earlier than this.',
    examples: [statusRefreshAfterSeconds],
  }),
  sources: Type.Array(TenantStatusSource, { description: 'One for each kind, or that of the `kind` of the request.' }),
  items: Type.Array(TenantStatusItem, { description: 'By timestampUtc, newest first, then by kind and by kid.' }),
});
export type TenantStatus = Static<typeof TenantStatus>;

export const TenantStatusPage = namedObject('TenantStatusPage', {
  status: TenantStatus,
  offset: Type.Integer({ description: 'Number of rows of the snapshot before the page.' }),
  totalCount: Type.Integer({ description: 'Number of rows of the snapshot.' }),
  previousCursor: nullable(Type.String({ description: '`cursor` of the page before; null on the first one.' })),
  nextCursor: nullable(Type.String({ description: '`cursor` of the page after; null on the last one.' })),
});
export type TenantStatusPage = Static<typeof TenantStatusPage>;
