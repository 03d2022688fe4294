// Creates the demo tenant's places: a cash bank, a rent bank, and a bank in which everything possible is disabled or
// deleted.

import type { BankType } from '../../src/features/places/rules/bank-types.ts';
import type { UnitType } from '../../src/features/places/rules/unit-types.ts';
import { gatewayNameOf } from './gateways.ts';
import { pickLastContactAt } from './last-contacts.ts';
import { otherUnitTypes, bankDefinitions, type BankDefinition } from './bank-definitions.ts';
import { createSeededRandom } from '../random.ts';
import { dayMs } from '../../src/lib/time/durations.ts';

type LifecycleState = { readonly enabled: boolean; /** MS2000. */ readonly deletedAt: number | null };

export type DemoUnit = LifecycleState & {
  readonly locationId: number;
  readonly unitId: number;
  readonly type: UnitType;
  /** The type is stored only in the field of older equipment. */
  readonly packed: boolean;
  readonly name: string;
  /** MS2000; null if its device was never in contact. */
  readonly lastContactAt: number | null;
  /** The gateway through which it is connected; null if its device was never in contact. */
  readonly gateway: string | null;
};

export type DemoLocation = LifecycleState & {
  readonly locationId: number;
  readonly name: string;
  readonly icon: string | null;
  /** Null if it is not recorded. */
  readonly street: string | null;
  readonly units: readonly DemoUnit[];
};

export type DemoBank = {
  readonly bankId: number;
  readonly name: string;
  readonly type: BankType;
  readonly icon: string | null;
  readonly vatBasisPoints: number | null;
  readonly discountBasisPoints: number | null;
  readonly enabled: boolean;
  readonly residents: number;
  readonly postings: number;
  readonly locations: readonly DemoLocation[];
};

const houseLetters = ['A', 'B', 'C', 'Ø', 'Æ'];
// The second location names an existing icon, the third an unknown one.
const icons: readonly (string | null)[] = [null, 'laundry_room', 'lighthouse', null, 'place'];
const packedTypeInterval = 17;

export function createDemoBanks(now: number): DemoBank[] {
  return bankDefinitions.map((definition) => ({
    ...definition,
    name: `Housing association ${definition.treeName}`,
    locations: Array.from({ length: definition.locations }, (_, index) => createDemoLocation(definition, index, now)),
  }));
}

function createDemoLocation(definition: BankDefinition, locationIndex: number, now: number): DemoLocation {
  const locationId = locationIndex + 1;
  const types = [
    ...definition.unitTypesOfEveryLocation,
    ...Array.from({ length: definition.otherUnitsPerLocation }, (_, turn) =>
      otherUnitTypeAt(locationIndex * definition.otherUnitsPerLocation + turn),
    ),
  ];
  const state = definition.enabled ? inUse : locationIndex === 1 ? deleted(now) : disabled;
  const random = createSeededRandom(`contacts/${definition.bankId}/${locationId}`);
  const units = types.map((type, index): DemoUnit => {
    const unitIds = { locationId, unitId: index + 1 };
    const inBank = locationIndex * types.length + index;
    const lastContactAt = pickLastContactAt(inBank, definition.type, now, random);
    return {
      ...unitIds,
      type,
      packed: inBank % packedTypeInterval === packedTypeInterval - 1,
      name: `{${type}} ${types.slice(0, index + 1).filter((each) => each === type).length}`,
      lastContactAt,
      gateway: gatewayNameOf(definition.bankId, { locationId, lastContactAt }, now),
      ...unitState(definition, unitIds, type, now),
    };
  });
  const street =
    locationIndex === definition.locationWithoutAddress ? null : `${definition.treeName} Lane ${2 + locationIndex * 2}`;
  return {
    locationId,
    name: `${definition.treeName} house ${houseLetters[locationIndex]}`,
    icon: icons[locationIndex] ?? null,
    street,
    ...state,
    units,
  };
}

const otherUnitTypeAt = (turn: number): UnitType => otherUnitTypes[turn % otherUnitTypes.length] as UnitType;

const inUse: LifecycleState = { enabled: true, deletedAt: null };
const disabled: LifecycleState = { enabled: false, deletedAt: null };
const deleted = (now: number, daysAgo = 20): LifecycleState => ({ enabled: false, deletedAt: now - daysAgo * dayMs });

// The first bank has a deleted unit with postings, a deleted unit without postings, and a disabled unit.
function unitState(
  { enabled, type: bankType }: BankDefinition,
  { locationId, unitId }: { locationId: number; unitId: number },
  type: UnitType,
  now: number,
): LifecycleState {
  if (!enabled) return locationId === 2 || unitId % 2 === 0 ? deleted(now) : disabled;
  if (bankType === 'rent') return inUse;
  if (locationId === 2 && unitId === 3) return deleted(now, 200);
  if (locationId === 5 && type === 'door') return deleted(now, 200);
  return locationId === 3 && unitId === 3 ? disabled : inUse;
}
