// Defines the three demo banks and the size of each.

import type { BankType } from '../../src/features/places/rules/bank-types.ts';
import { unitTypes, type UnitType } from '../../src/features/places/rules/unit-types.ts';

export type BankDefinition = {
  readonly bankId: number;
  readonly treeName: string;
  readonly type: BankType;
  /** The first bank names an existing icon, the second an unknown one, the third none. */
  readonly icon: string | null;
  readonly vatBasisPoints: number | null;
  /** A Danish custom that exists only in kroner, so only banks of Danish tenants have it. */
  readonly discountBasisPoints: number | null;
  /** In a disabled bank everything else is disabled too. */
  readonly enabled: boolean;
  readonly residents: number;
  readonly postings: number;
  readonly locations: number;
  /** The index of the location that has only a name. */
  readonly locationWithoutAddress?: number;
  /** Every location has these units, and `otherUnitsPerLocation` more whose types alternate. */
  readonly unitTypesOfEveryLocation: readonly UnitType[];
  readonly otherUnitsPerLocation: number;
};

export const bankDefinitions: readonly BankDefinition[] = [
  {
    bankId: 1001,
    treeName: 'Alder',
    type: 'cash',
    icon: 'building',
    vatBasisPoints: 2500,
    discountBasisPoints: 750,
    enabled: true,
    residents: 240,
    postings: 12_000,
    locations: 5,
    unitTypesOfEveryLocation: ['washer', 'washer', 'washer', 'dryer', 'dryer'],
    otherUnitsPerLocation: 8,
  },
  {
    bankId: 1002,
    treeName: 'Birch',
    type: 'rent',
    icon: 'campus',
    vatBasisPoints: null,
    discountBasisPoints: null,
    enabled: true,
    residents: 120,
    postings: 6000,
    locations: 4,
    locationWithoutAddress: 3,
    unitTypesOfEveryLocation: ['washer', 'dryer', 'electricity_meter', 'water_meter', 'heat_meter'],
    otherUnitsPerLocation: 5,
  },
  {
    bankId: 1003,
    treeName: 'Cedar',
    type: 'cash',
    icon: null,
    vatBasisPoints: null,
    discountBasisPoints: null,
    enabled: false,
    residents: 40,
    postings: 2000,
    locations: 3,
    unitTypesOfEveryLocation: ['washer', 'dryer'],
    otherUnitsPerLocation: 3,
  },
];

/** Every type except the machines that each laundry has. */
export const otherUnitTypes: readonly UnitType[] = unitTypes.filter((type) => type !== 'washer' && type !== 'dryer');
