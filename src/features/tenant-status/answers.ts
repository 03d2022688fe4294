// Formats the answers of the tenant status from alerts.

import { formatBankKid, formatLocationKid, formatUnitKid } from '../../lib/kid.ts';
import { localiseName, type Language } from '../../lib/text/language.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import { findBankTypeName } from '../places/rules/bank-types.ts';
import { bankIconKid, locationIconKid } from '../places/rules/place-icons.ts';
import { unitTypeIconOf, typeCodeOf, type UnitTypeColumns } from '../places/rules/unit-types.ts';
import type { StatusUnitRow } from './queries/visible-units.ts';
import type { StatusKind } from './rules/status-kinds.ts';
import {
  statusRefreshAfterSeconds,
  type TenantStatusItem,
  type TenantStatus,
  type TenantStatusSource,
} from './schemas.ts';

/** `items` are those of the response; the sources can count more. */
export const toTenantStatus = (
  { measuredAt, sources }: { readonly measuredAt: number; readonly sources: readonly TenantStatusSource[] },
  items: readonly TenantStatusItem[],
): TenantStatus => ({
  measuredAtUtc: formatUtc(measuredAt),
  refreshAfterSeconds: statusRefreshAfterSeconds,
  sources: [...sources],
  items: [...items],
});

export type StatusAlert = {
  readonly kind: StatusKind;
  /** MS2000. */
  readonly at: number;
  readonly errorId: number | null;
  /** The words of the unit; null if it has none. */
  readonly errorText: string | null;
  readonly unit: StatusUnitRow;
};

type TenantStatusItemContext = { readonly tenant: string; readonly language: Language; readonly dayOfMonth: number };

/** Formats the items of one response. The fields of a location and its bank, and repeated names, are formatted once. */
export function createItemFormatter(context: TenantStatusItemContext): (alert: StatusAlert) => TenantStatusItem {
  const places = new Map<number, Map<number, PlaceFields>>();
  const names = new Map<string, string>();
  return ({ kind, at, errorId, errorText, unit }) => {
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
      errorText: errorText === '' ? null : errorText,
      timestampUtc: formatUtc(at),
      iconKid: unitTypeIconOf(typeCode),
      bankIconKid: place.bankIconKid,
      locationIconKid: place.locationIconKid,
    };
  };
}

type PlaceFields = Pick<TenantStatusItem, 'bankKid' | 'locationKid' | 'bankIconKid' | 'locationIconKid'>;

function toPlaceFields(unit: StatusUnitRow, { tenant, dayOfMonth }: TenantStatusItemContext): PlaceFields {
  const bankKid = formatBankKid(tenant, unit.bank_id);
  return {
    bankKid,
    locationKid: formatLocationKid(bankKid, unit.location_id),
    bankIconKid: bankIconKid(unit.bank_icon, dayOfMonth),
    locationIconKid: locationIconKid(unit.location_icon, unit.location_id, dayOfMonth),
  };
}

const formatBankType = (code: number): string => findBankTypeName(code) ?? (code === 0 ? '' : String(code));

const maxType = 255;

/**
 * One of the 255 numbers that the packed field can have. The newer field decides, unless it is 0: missing. Undefined where
 * the type is missing or invalid.
 */
function validTypeOf(unit: UnitTypeColumns): number | undefined {
  const code = unit.unit_type === 0 ? typeCodeOf(unit) : unit.unit_type;
  return code !== undefined && code >= 1 && code <= maxType ? code : undefined;
}
