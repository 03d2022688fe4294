// The demo tenant's places: a cash bank, a rent bank, and a bank where everything that can be is disabled or deleted.

import type { BankType } from '../features/places/bank-types.ts';
import type { UnitType } from '../features/places/unit-types.ts';
import { dayMs } from './calendar.ts';
import { lastContactOf } from './contacts.ts';
import { otherTypes, outlines, type Outline } from './outlines.ts';
import { seededRandom } from './random.ts';

type State = { readonly enabled: boolean; /** MS2000. */ readonly deletedAt: number | null };

export type DemoUnit = State & {
  readonly locationId: number;
  readonly unitId: number;
  readonly type: UnitType;
  /** Only the field that older equipment has tells the type. */
  readonly packed: boolean;
  readonly name: string;
  /** MS2000; null where its device was never heard of. */
  readonly lastContactAt: number | null;
};

export type DemoLocation = State & {
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

const houses = ['A', 'B', 'C', 'Ø', 'Æ'];
// Of the second and the third one names an icon, the other none that there is.
const icons: readonly (string | null)[] = [null, 'laundry_room', 'lighthouse', null, 'place'];
const packedEvery = 17;

export function demoBanks(now: number): DemoBank[] {
  return outlines.map((outline) => ({
    ...outline,
    name: `Housing association ${outline.tree}`,
    locations: Array.from({ length: outline.locations }, (_, at) => demoLocation(outline, at, now)),
  }));
}

function demoLocation(outline: Outline, at: number, now: number): DemoLocation {
  const locationId = at + 1;
  const types = [
    ...outline.core,
    ...Array.from({ length: outline.more }, (_, turn) => turnOf(at * outline.more + turn)),
  ];
  const state = outline.enabled ? inUse : at === 1 ? deleted(now) : disabled;
  const random = seededRandom(`contacts/${outline.bankId}/${locationId}`);
  const units = types.map((type, index): DemoUnit => {
    const place = { locationId, unitId: index + 1 };
    const inBank = at * types.length + index;
    return {
      ...place,
      type,
      packed: inBank % packedEvery === packedEvery - 1,
      name: `{${type}} ${types.slice(0, index + 1).filter((each) => each === type).length}`,
      lastContactAt: lastContactOf(inBank, outline.type, now, random),
      ...unitState(outline, place, type, now),
    };
  });
  const street = at === outline.unaddressed ? null : `${outline.tree} Lane ${2 + at * 2}`;
  return { locationId, name: `${outline.tree} house ${houses[at]}`, icon: icons[at] ?? null, street, ...state, units };
}

const turnOf = (turn: number): UnitType => otherTypes[turn % otherTypes.length] as UnitType;

const inUse: State = { enabled: true, deletedAt: null };
const disabled: State = { enabled: false, deletedAt: null };
const deleted = (now: number, daysAgo = 20): State => ({ enabled: false, deletedAt: now - daysAgo * dayMs });

// The busy bank has a deleted unit that postings name, one that none names, and a disabled one.
function unitState(
  { enabled, type: bankType }: Outline,
  { locationId, unitId }: { locationId: number; unitId: number },
  type: UnitType,
  now: number,
): State {
  if (!enabled) return locationId === 2 || unitId % 2 === 0 ? deleted(now) : disabled;
  if (bankType === 'rent') return inUse;
  if (locationId === 2 && unitId === 3) return deleted(now, 200);
  if (locationId === 5 && type === 'door') return deleted(now, 200);
  return locationId === 3 && unitId === 3 ? disabled : inUse;
}
