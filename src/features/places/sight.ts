// Whether a manager sees a place: it is there, nothing of what it belongs to is deleted, and a grant covers it. All that
// does not hold is one and the same refusal.

import type { Db } from '../../database/dialect.ts';
import { runPrepared } from '../../database/prepared.ts';
import type { Int64 } from '../../lib/int64.ts';
import { Problem } from '../../lib/problem.ts';
import { reachOf, type Reach } from '../../permissions/needs.ts';
import type { Scope } from '../../permissions/scope.ts';

export type BankAt = { readonly bankId: number };
export type LocationAt = BankAt & { readonly locationId: number };
export type UnitAt = LocationAt & { readonly unitId: number };

/** What the grants cover of a bank; nothing is 404. */
export function demandReach({ grants }: Scope, { bankId }: BankAt): Exclude<Reach, undefined> {
  const reach = reachOf(grants, bankId);
  if (reach === undefined) throw new Problem('not-found');
  return reach;
}

/** Throws 404 where the grants do not cover the location, whether or not it is there. */
export function demandCovered(scope: Scope, { bankId, locationId }: LocationAt): void {
  const reach = demandReach(scope, { bankId });
  if (reach !== 'all' && !reach.has(locationId)) throw new Problem('not-found');
}

export type BankFacts = { readonly bank_id: number; readonly bank_type: number; readonly places_version: number };

/** A bank in sight. */
export async function demandBank(db: Db, scope: Scope, at: BankAt): Promise<BankFacts> {
  demandReach(scope, at);
  const [bank] = await runPrepared(db, 'bank in sight', { ...at }, (slot) =>
    db
      .selectFrom('banks')
      .select(['bank_id', 'bank_type', 'places_version'])
      .where('bank_id', '=', slot<number>('bankId'))
      .where('deleted_at', 'is', null),
  );
  if (bank === undefined) throw new Problem('not-found');
  return bank;
}

export type LocationFacts = BankFacts & {
  readonly location_id: number;
  readonly location_name: string;
  /** As it is stored; `storedZone` says which it is. */
  readonly time_zone: string;
  readonly currency: string;
};

/** A location in sight, and what its bank is. */
export async function demandLocation(db: Db, scope: Scope, at: LocationAt): Promise<LocationFacts> {
  demandCovered(scope, at);
  const [location] = await runPrepared(db, 'location in sight', { ...at }, (slot) =>
    db
      .selectFrom('locations as l')
      .innerJoin('banks as b', 'b.bank_id', 'l.bank_id')
      .select(['b.bank_id', 'b.bank_type', 'b.places_version', 'b.currency'])
      .select(['l.location_id', 'l.name as location_name', 'l.time_zone'])
      .where('l.bank_id', '=', slot<number>('bankId'))
      .where('l.location_id', '=', slot<number>('locationId'))
      .where('l.deleted_at', 'is', null)
      .where('b.deleted_at', 'is', null),
  );
  if (location === undefined) throw new Problem('not-found');
  return location;
}

export type UnitFacts = LocationFacts & {
  readonly unit_id: number;
  readonly name: string;
  readonly unit_type: number;
  readonly packed_type: Int64 | null;
  readonly enabled: number;
  readonly last_contact_at: number | null;
  readonly version: number;
};

/** A unit in sight, and where it stands. */
export async function demandUnit(db: Db, scope: Scope, at: UnitAt): Promise<UnitFacts> {
  demandCovered(scope, at);
  const [unit] = await runPrepared(db, 'unit in sight', { ...at }, (slot) =>
    db
      .selectFrom('units as u')
      .innerJoin('locations as l', (join) =>
        join.onRef('l.bank_id', '=', 'u.bank_id').onRef('l.location_id', '=', 'u.location_id'),
      )
      .innerJoin('banks as b', 'b.bank_id', 'u.bank_id')
      .select(['b.bank_id', 'b.bank_type', 'b.places_version', 'b.currency'])
      .select(['l.location_id', 'l.name as location_name', 'l.time_zone'])
      .select(['u.unit_id', 'u.name', 'u.unit_type', 'u.packed_type', 'u.enabled', 'u.last_contact_at', 'u.version'])
      .where('u.bank_id', '=', slot<number>('bankId'))
      .where('u.location_id', '=', slot<number>('locationId'))
      .where('u.unit_id', '=', slot<number>('unitId'))
      .where('u.deleted_at', 'is', null)
      .where('l.deleted_at', 'is', null)
      .where('b.deleted_at', 'is', null),
  );
  if (unit === undefined) throw new Problem('not-found');
  return unit;
}
