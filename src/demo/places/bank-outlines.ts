// The three demo banks in outline: what they are, and how much there is of everything.

import type { BankType } from '../../features/places/rules/bank-types.ts';
import { unitTypes, type UnitType } from '../../features/places/rules/unit-types.ts';

export type BankOutline = {
  readonly bankId: number;
  readonly treeName: string;
  readonly type: BankType;
  /** One names an icon, one names none that there is, one has no setting. */
  readonly icon: string | null;
  readonly vatBasisPoints: number | null;
  /** A Danish custom, and given in kroner alone: no other tenant's bank has it. */
  readonly discountBasisPoints: number | null;
  /** In a bank that is not, nothing else is either. */
  readonly enabled: boolean;
  readonly residents: number;
  readonly postings: number;
  readonly locations: number;
  /** Which of them, counted from 0, is known by its name alone. */
  readonly locationWithoutAddress?: number;
  /** Every location has these, and then as many more, of the other types in turn. */
  readonly unitTypesOfEveryLocation: readonly UnitType[];
  readonly otherUnitsPerLocation: number;
};

export const bankOutlines: readonly BankOutline[] = [
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

/** Every type beside the machines that each laundry has. */
export const otherUnitTypes: readonly UnitType[] = unitTypes.filter((type) => type !== 'washer' && type !== 'dryer');
