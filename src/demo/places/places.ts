// The demo tenant's places: a cash bank, a rent bank, and a bank where everything that can be is disabled or deleted.

import type { BankType } from '../../features/places/rules/bank-types.ts';
import type { UnitType } from '../../features/places/rules/unit-types.ts';
import { dayMs } from '../calendar.ts';
import { pickLastContactAt } from './last-contacts.ts';
import { otherUnitTypes, bankOutlines, type BankOutline } from './bank-outlines.ts';
import { createSeededRandom } from '../random.ts';

type LifecycleState = { readonly enabled: boolean; /** MS2000. */ readonly deletedAt: number | null };

export type DemoUnit = LifecycleState & {
  readonly locationId: number;
  readonly unitId: number;
  readonly type: UnitType;
  /** Only the field that older equipment has tells the type. */
  readonly packed: boolean;
  readonly name: string;
  /** MS2000; null where its device was never heard of. */
  readonly lastContactAt: number | null;
};

export type DemoLocation = LifecycleState & {
  readonly locationId: number;
  readonly name: string;
  readonly icon: string | null;
  /** Null where nobody wrote it down. */
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
// Of the second and the third one names an icon, the other none that there is.
const icons: readonly (string | null)[] = [null, 'laundry_room', 'lighthouse', null, 'place'];
const packedTypeInterval = 17;

export function createDemoBanks(now: number): DemoBank[] {
  return bankOutlines.map((outline) => ({
    ...outline,
    name: `Housing association ${outline.treeName}`,
    locations: Array.from({ length: outline.locations }, (_, at) => createDemoLocation(outline, at, now)),
  }));
}

function createDemoLocation(outline: BankOutline, at: number, now: number): DemoLocation {
  const locationId = at + 1;
  const types = [
    ...outline.unitTypesOfEveryLocation,
    ...Array.from({ length: outline.otherUnitsPerLocation }, (_, turn) =>
      otherUnitTypeAt(at * outline.otherUnitsPerLocation + turn),
    ),
  ];
  const state = outline.enabled ? inUse : at === 1 ? deleted(now) : disabled;
  const random = createSeededRandom(`contacts/${outline.bankId}/${locationId}`);
  const units = types.map((type, index): DemoUnit => {
    const unitIds = { locationId, unitId: index + 1 };
    const inBank = at * types.length + index;
    return {
      ...unitIds,
      type,
      packed: inBank % packedTypeInterval === packedTypeInterval - 1,
      name: `{${type}} ${types.slice(0, index + 1).filter((each) => each === type).length}`,
      lastContactAt: pickLastContactAt(inBank, outline.type, now, random),
      ...unitState(outline, unitIds, type, now),
    };
  });
  const street = at === outline.locationWithoutAddress ? null : `${outline.treeName} Lane ${2 + at * 2}`;
  return {
    locationId,
    name: `${outline.treeName} house ${houseLetters[at]}`,
    icon: icons[at] ?? null,
    street,
    ...state,
    units,
  };
}

const otherUnitTypeAt = (turn: number): UnitType => otherUnitTypes[turn % otherUnitTypes.length] as UnitType;

const inUse: LifecycleState = { enabled: true, deletedAt: null };
const disabled: LifecycleState = { enabled: false, deletedAt: null };
const deleted = (now: number, daysAgo = 20): LifecycleState => ({ enabled: false, deletedAt: now - daysAgo * dayMs });

// The busy bank has a deleted unit that postings name, one that none names, and a disabled one.
function unitState(
  { enabled, type: bankType }: BankOutline,
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
