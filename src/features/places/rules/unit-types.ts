// What a unit can be. The code is what is stored and shown; the name is the placeholder that a unit's own name holds
// (`{washer} 3`) and the key of its word in every language; the icon draws it.

import type { Int64 } from '../../../lib/int64.ts';
import { localisedTexts, type Language } from '../../../lib/language.ts';

/** The code of a type is its place in this list, counted from one: types are appended, never moved or taken out. */
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

/** Undefined for a code that this version does not know. */
export const unitTypeOf = (code: number): UnitType | undefined => unitTypes[code - 1];

/** What residents can book. */
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

/** Whether units of a type are booked at all. */
export const isBookableType = (code: number | undefined): boolean =>
  code !== undefined && bookableTypes.has(unitTypeOf(code));

/** What is stored of a unit's type: the newer field, 0 where it is missing, and what older equipment packs. */
export type UnitTypeColumns = { readonly unit_type: number; readonly packed_type: Int64 | null };

/** Bits 1 to 8, once bit 0 is shifted out. */
export const packedTypeMask = 255;

/** The newer field where it is positive, else bits 1 to 8 of the packed one; undefined where neither tells. */
export function typeCodeOf({ unit_type: code, packed_type: packed }: UnitTypeColumns): number | undefined {
  if (code > 0) return code;
  if (packed === null) return undefined;
  // Wider than a number's own shift, and in two's complement, as SQL has it.
  return Number((BigInt(packed) >> 1n) & BigInt(packedTypeMask)) || undefined;
}

const unitTypeNames = localisedTexts('units');

/** What a type is called; what is not known is a unit. */
export function formatUnitTypeName(code: number | undefined, language: Language): string {
  const type = code === undefined ? undefined : unitTypeOf(code);
  return unitTypeNames[language].get(type ?? 'unit') ?? '';
}

const unknownIcon = 'question';

/** The icon that draws a type; what is not known is a question. */
export function unitTypeIconOf(code: number | undefined): string {
  return code === undefined ? unknownIcon : (unitTypesWithIcon[code - 1]?.[1] ?? unknownIcon);
}
