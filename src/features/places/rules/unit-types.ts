// The types of units: their codes, which are stored and returned, their names, and their icons. A name is a placeholder
// in the names of units (`{washer} 3`) and the key of the translations.

import units from '../../../../locales/units.json' with { type: 'json' };
import { localisedTexts, type Language } from '../../../lib/text/language.ts';
import type { Int64 } from '../../../lib/values/int64.ts';

/** The code of a type is its position in this list, from one: append types, never move or remove one. */
const unitTypesWithIcon = [
  ['washer', 'washer'],
  ['dryer', 'dryer'],
  ['ironer', 'ironer'],
  ['shower', 'shower'],
  ['sauna', 'sauna'],
  ['electricity_meter', 'electricity_meter'],
  ['water_meter', 'water_meter'],
  ['heat_meter', 'heat_meter'],
  ['gas_meter', 'gas_meter'],
  ['door', 'door'],
  ['lock', 'lock'],
  ['ev_charger', 'ev_charger'],
  ['parking', 'parking'],
  ['guest_room', 'guest_room'],
  ['party_room', 'party_room'],
  ['payment_terminal', 'payment_terminal'],
  ['extractor', 'extractor'],
  ['bike_charger', 'bike_charger'],
  ['gate', 'gate'],
  ['elevator', 'elevator'],
  ['storage_room', 'storage_room'],
  ['gym', 'gym'],
  ['parcel_locker', 'parcel'],
  ['heat_pump', 'heat_pump'],
  ['thermometer', 'thermometer'],
  ['smoke_detector', 'smoke_detector'],
  ['waste_bin', 'waste_bin'],
  ['freezer', 'freezer'],
] as const;

export type UnitType = (typeof unitTypesWithIcon)[number][0];
export const unitTypes: readonly UnitType[] = unitTypesWithIcon.map(([type]) => type);

export const unitTypeCode = (type: UnitType): number => unitTypes.indexOf(type) + 1;

/** Undefined for an unknown code. */
export const unitTypeOf = (code: number): UnitType | undefined => unitTypes[code - 1];

/** Types that residents can book. */
const bookableTypes: ReadonlySet<UnitType | undefined> = new Set([
  'washer',
  'dryer',
  'ironer',
  'sauna',
  'ev_charger',
  'parking',
  'guest_room',
  'party_room',
  'extractor',
  'bike_charger',
  'storage_room',
  'gym',
]);

export const isBookableType = (code: number | undefined): boolean =>
  code !== undefined && bookableTypes.has(unitTypeOf(code));

/** The stored type of a unit: the newer field, 0 if missing, and the packed field of older equipment. */
export type UnitTypeColumns = { readonly unit_type: number; readonly packed_type: Int64 | null };

/** Bits 1 to 8, after bit 0 is shifted out. */
export const packedTypeMask = 255;

/** The newer field if it is positive, else bits 1 to 8 of the packed field; undefined if both are zero or missing. */
export function typeCodeOf({ unit_type: code, packed_type: packed }: UnitTypeColumns): number | undefined {
  if (code > 0) return code;
  if (packed === null) return undefined;
  // BigInt: the field may have more than 32 bits, and its shift is in two's complement, as in SQL.
  return Number((BigInt(packed) >> 1n) & BigInt(packedTypeMask)) || undefined;
}

const unitTypeNames = localisedTexts(units);

/** The name of a type; the word for unit if the code is unknown. */
export function formatUnitTypeName(code: number | undefined, language: Language): string {
  const type = code === undefined ? undefined : unitTypeOf(code);
  return unitTypeNames[language].get(type ?? 'unit') ?? '';
}

const unknownIcon = 'question';

/** The icon of a type; a question mark if the code is unknown. */
export const unitTypeIconOf = (code: number | undefined): string =>
  code === undefined ? unknownIcon : (unitTypesWithIcon[code - 1]?.[1] ?? unknownIcon);

/** The cluster of equipment on trial: its silent units cause no alert. */
export const testCluster = 'test';
