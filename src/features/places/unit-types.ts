// What a unit can be. The code is what is stored and shown; the name is the placeholder that a unit's own name holds
// (`{washer} 3`) and the key of its word in every language.

/** The code of a type is its place in this list, counted from one. */
export const unitTypes = [
  'washer',
  'dryer',
  'ironer',
  'shower',
  'sauna',
  'electricity_meter',
  'water_meter',
  'heat_meter',
  'gas_meter',
  'door',
  'lock',
  'ev_charger',
  'parking',
  'guest_room',
  'party_room',
  'payment_terminal',
] as const;
export type UnitType = (typeof unitTypes)[number];

export const unitTypeCode = (type: UnitType): number => unitTypes.indexOf(type) + 1;

/** Undefined for a code that this version does not know. */
export const unitTypeOf = (code: number): UnitType | undefined => unitTypes[code - 1];
