// The wire shapes of the tenant status, and rows -> items.

import { Type, type Static } from 'typebox';
import { namedObject, nullable } from '../../http/named-schemas.ts';
import { closedObject, instant, int32, kidOutput } from '../../http/schema-types.ts';
import { formatBankKid, formatLocationKid, formatUnitKid } from '../../lib/kid.ts';
import { localiseName, type Language } from '../../lib/language.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import { findBankTypeName } from '../places/rules/bank-types.ts';
import { bankIconKid, locationIconKid } from '../places/rules/place-icons.ts';
import { unitTypeIconOf } from '../places/rules/unit-types.ts';
import type { StatusUnitRow } from './queries/visible-units.ts';
import { statusKinds, type StatusKind } from './rules/status-kinds.ts';
import { validTypeOf } from './rules/valid-type.ts';

/** The seconds after which clients may ask again. */
const refreshAfterSeconds = 30;

export const sourceUnavailable = 'status-source-unavailable';

export const TenantStatusQuery = closedObject({
  limit: int32({ minimum: 1, maximum: 1000, default: 200, description: 'Maximum number of items of each source.' }),
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
      description: 'Number of rows before a first page, where there is no `anchor` or its row has vanished.',
    }),
  ),
});

/** No enumeration, which would make generated clients refuse the kinds that are still to come. */
const statusKind = Type.String({
  description:
    '`Offline`: the last contact was too long ago; `AutoOutOfOrder`: out of order because of an error. Accept other values: kinds can be added.',
  examples: [...statusKinds],
});

const TenantStatusSource = namedObject('TenantStatusSource', {
  kind: statusKind,
  count: Type.Integer({ description: 'Number of items of the source: of this response, or of the whole snapshot.' }),
  hasMore: Type.Boolean({ description: 'True if there are more than the limit; the newest were taken.' }),
  errorCode: nullable(
    Type.String({ description: `\`${sourceUnavailable}\` if the source could not be read; null otherwise.` }),
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
  computerName: Type.String({
    description: 'The computer through which the unit is connected; empty where none is known.',
  }),
  bankType: Type.String({
    description: '`Cash` or `Rent`; the number of another type, or empty where the bank has none.',
  }),
  unitType: nullable(
    Type.Integer({ description: 'Number of the type; null for Offline where it is missing or invalid.' }),
  ),
  errorId: nullable(Type.Integer({ description: 'Number of the error; null for Offline.' })),
  timestampUtc: instant('Last contact (Offline), or when the error was written (AutoOutOfOrder).'),
  iconKid: iconKid('Icon of the unit’s type.'),
  bankIconKid: iconKid('Icon of the bank; `bank_building` by default.'),
  locationIconKid: iconKid('Icon of the location; `house` with its number by default.'),
});
export type TenantStatusItem = Static<typeof TenantStatusItem>;

export const TenantStatus = namedObject('TenantStatus', {
  measuredAtUtc: instant('When the sources were read.'),
  refreshAfterSeconds: Type.Integer({ description: 'Do not ask again earlier.', examples: [refreshAfterSeconds] }),
  sources: Type.Array(TenantStatusSource, { description: 'One for each kind.' }),
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

/** `items` are those of the answer, of which the sources may count more. */
export const toTenantStatus = (
  { measuredAt, sources }: { readonly measuredAt: number; readonly sources: readonly TenantStatusSource[] },
  items: readonly TenantStatusItem[],
): TenantStatus => ({
  measuredAtUtc: formatUtc(measuredAt),
  refreshAfterSeconds,
  sources: [...sources],
  items: [...items],
});

export type StatusAlert = {
  readonly kind: StatusKind;
  /** MS2000. */
  readonly at: number;
  readonly errorId: number | null;
  readonly unit: StatusUnitRow;
};

type StatusItemContext = { readonly tenant: string; readonly language: Language; readonly dayOfMonth: number };

/** Makes the items of one response. What they show of a location and its bank is made once, and so are names that repeat. */
export function createItemFormatter(context: StatusItemContext): (alert: StatusAlert) => TenantStatusItem {
  const places = new Map<number, Map<number, PlaceFields>>();
  const names = new Map<string, string>();
  return ({ kind, at, errorId, unit }) => {
    const ofBank = places.getOrInsertComputed(unit.bank_id, () => new Map());
    const place = ofBank.getOrInsertComputed(unit.location_id, () => toPlaceFields(unit, context));
    const typeCode = validTypeOf(unit);
    return {
      kind,
      kid: formatUnitKid(place.locationKid, unit.unit_id),
      bankKid: place.bankKid,
      locationKid: place.locationKid,
      bankName: unit.bank_name,
      locationName: unit.location_name,
      unitName: names.getOrInsertComputed(unit.name, (name) => localiseName(name, context.language)),
      computerName: unit.computer_name ?? '',
      bankType: formatBankType(unit.bank_type),
      unitType: typeCode ?? null,
      errorId,
      timestampUtc: formatUtc(at),
      iconKid: unitTypeIconOf(typeCode),
      bankIconKid: place.bankIconKid,
      locationIconKid: place.locationIconKid,
    };
  };
}

type PlaceFields = Pick<TenantStatusItem, 'bankKid' | 'locationKid' | 'bankIconKid' | 'locationIconKid'>;

function toPlaceFields(unit: StatusUnitRow, { tenant, dayOfMonth }: StatusItemContext): PlaceFields {
  const bankKid = formatBankKid(tenant, unit.bank_id);
  return {
    bankKid,
    locationKid: formatLocationKid(bankKid, unit.location_id),
    bankIconKid: bankIconKid(unit.bank_icon, dayOfMonth),
    locationIconKid: locationIconKid(unit.location_icon, unit.location_id, dayOfMonth),
  };
}

const formatBankType = (code: number): string => findBankTypeName(code) ?? (code === 0 ? '' : String(code));
