// Decides whether a resident may use a unit now, for a computer that asks with a key.

import { findKeyRefusal, type KeyHolderColumns } from '../../residents/rules/key-use.ts';

/** In the order in which they are found. */
export const refusalReasons = [
  'unknown-unit',
  'unknown-key',
  'resident-expired',
  'resident-disabled',
  'unit-disabled',
  'out-of-order',
  'blocked',
  'closed',
  'booked-by-other',
] as const;
type RefusalReason = (typeof refusalReasons)[number];

export type UnitFacts = {
  readonly isEnabled: boolean;
  /** By a manager, or by the equipment itself. */
  readonly isOutOfOrder: boolean;
  /** The setting AccessMode of units with a lock. */
  readonly accessMode: string | null;
  /** Null: unknown. */
  readonly isOpen: boolean | null;
  /** Whether it is unlocked during the opening hours: then residents need keys outside of them. */
  readonly isFreeInOpeningHours: boolean;
  /** Who has booked it now. */
  readonly bookedBy: number | undefined;
};

export type AuthorisationFacts = {
  /** Undefined unless the unit is one of the computer. */
  readonly unit: UnitFacts | undefined;
  /** The resident of the bank who has the key. */
  readonly holder: (KeyHolderColumns & { readonly resident_id: number }) | undefined;
};

export type Authorisation =
  | { readonly allowed: true; readonly reason: null; readonly residentId: number }
  /** The resident is known only where it is the unit that cannot be used. */
  | { readonly allowed: false; readonly reason: RefusalReason; readonly residentId: number | null };

export function decideAuthorisation({ unit, holder }: AuthorisationFacts, now: number): Authorisation {
  if (unit === undefined) return refuse('unknown-unit');
  const keyRefusal = findKeyRefusal(holder, now);
  if (holder === undefined || keyRefusal !== undefined) return refuse(keyRefusal ?? 'unknown-key');
  const { resident_id: residentId } = holder;
  const reason = findUnitRefusal(unit, residentId);
  return reason === undefined ? { allowed: true, reason: null, residentId } : { ...refuse(reason), residentId };
}

const refuse = (reason: RefusalReason) => ({ allowed: false, reason, residentId: null }) as const;

function findUnitRefusal(unit: UnitFacts, residentId: number): RefusalReason | undefined {
  if (!unit.isEnabled) return 'unit-disabled';
  if (unit.isOutOfOrder) return 'out-of-order';
  if (unit.accessMode === 'Blocked') return 'blocked';
  if (unit.isOpen === false && !unit.isFreeInOpeningHours) return 'closed';
  return unit.bookedBy === undefined || unit.bookedBy === residentId ? undefined : 'booked-by-other';
}
