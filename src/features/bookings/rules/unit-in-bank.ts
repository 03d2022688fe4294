// Identifies the unit of a booking within its bank, and gives the unit's type. The unit may no longer exist.

import { typeCodeOf, type UnitTypeColumns } from '../../places/rules/unit-types.ts';

export type UnitInBankKey = { readonly location_id: number; readonly unit_id: number };

/** The key as a text, for maps. */
export const formatUnitInBankKey = ({ location_id, unit_id }: UnitInBankKey): string => `${location_id}/${unit_id}`;

/** Null if the unit does not exist. */
export type OptionalUnitTypeColumns = {
  readonly unit_type: number | null;
  readonly packed_type: UnitTypeColumns['packed_type'];
};

/** Undefined if the unit does not exist or its type is unknown. */
export const unitTypeCodeOf = ({ unit_type, packed_type }: OptionalUnitTypeColumns): number | undefined =>
  typeCodeOf({ unit_type: unit_type ?? 0, packed_type });
