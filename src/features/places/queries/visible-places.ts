// Whether a manager sees a place: it is there, nothing of what it belongs to is deleted, and a grant covers it. All that
// does not hold is one and the same refusal.

import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/prepared-query.ts';
import type { Int64 } from '../../../lib/int64.ts';
import { Problem } from '../../../lib/problem.ts';
import {
  coverageOf,
  type BankKey,
  type Coverage,
  type LocationKey,
  type UnitKey,
} from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';

/** What the grants cover of a bank; nothing is 404. */
export function requireBankCoverage({ grants }: Scope, { bankId }: BankKey): Coverage {
  const coverage = coverageOf(grants, bankId);
  if (coverage === undefined) throw new Problem('not-found');
  return coverage;
}

/** Throws 404 where the grants do not cover the location, whether or not it is there. */
export function requireCoveredLocation(scope: Scope, { bankId, locationId }: LocationKey): void {
  const coverage = requireBankCoverage(scope, { bankId });
  if (coverage !== 'all' && !coverage.has(locationId)) throw new Problem('not-found');
}

export type VisibleBankRow = { readonly bank_id: number; readonly bank_type: number; readonly places_version: number };

/** A bank in sight. */
export async function requireBank(db: Db, scope: Scope, at: BankKey): Promise<VisibleBankRow> {
  requireBankCoverage(scope, at);
  const [bank] = await runPrepared(db, 'bank in sight', { ...at }, (bind) =>
    db
      .selectFrom('banks')
      .select(['bank_id', 'bank_type', 'places_version'])
      .where('bank_id', '=', bind<number>('bankId'))
      .where('deleted_at', 'is', null),
  );
  if (bank === undefined) throw new Problem('not-found');
  return bank;
}

export type VisibleLocationRow = VisibleBankRow & {
  readonly location_id: number;
  readonly location_name: string;
  /** As it is stored; `storedZone` says which it is. */
  readonly time_zone: string;
  readonly currency: string;
};

/** A location in sight, and what its bank is. */
export async function requireLocation(db: Db, scope: Scope, at: LocationKey): Promise<VisibleLocationRow> {
  requireCoveredLocation(scope, at);
  const [location] = await runPrepared(db, 'location in sight', { ...at }, (bind) =>
    db
      .selectFrom('locations as l')
      .innerJoin('banks as b', 'b.bank_id', 'l.bank_id')
      .select(['b.bank_id', 'b.bank_type', 'b.places_version', 'b.currency'])
      .select(['l.location_id', 'l.name as location_name', 'l.time_zone'])
      .where('l.bank_id', '=', bind<number>('bankId'))
      .where('l.location_id', '=', bind<number>('locationId'))
      .where('l.deleted_at', 'is', null)
      .where('b.deleted_at', 'is', null),
  );
  if (location === undefined) throw new Problem('not-found');
  return location;
}

export type VisibleUnitRow = VisibleLocationRow & {
  readonly unit_id: number;
  readonly name: string;
  readonly unit_type: number;
  readonly packed_type: Int64 | null;
  readonly enabled: number;
  readonly last_contact_at: number | null;
  readonly version: number;
};

/** A unit in sight, and where it stands. */
export async function requireUnit(db: Db, scope: Scope, at: UnitKey): Promise<VisibleUnitRow> {
  requireCoveredLocation(scope, at);
  const [unit] = await runPrepared(db, 'unit in sight', { ...at }, (bind) =>
    db
      .selectFrom('units as u')
      .innerJoin('locations as l', (join) =>
        join.onRef('l.bank_id', '=', 'u.bank_id').onRef('l.location_id', '=', 'u.location_id'),
      )
      .innerJoin('banks as b', 'b.bank_id', 'u.bank_id')
      .select(['b.bank_id', 'b.bank_type', 'b.places_version', 'b.currency'])
      .select(['l.location_id', 'l.name as location_name', 'l.time_zone'])
      .select(['u.unit_id', 'u.name', 'u.unit_type', 'u.packed_type', 'u.enabled', 'u.last_contact_at', 'u.version'])
      .where('u.bank_id', '=', bind<number>('bankId'))
      .where('u.location_id', '=', bind<number>('locationId'))
      .where('u.unit_id', '=', bind<number>('unitId'))
      .where('u.deleted_at', 'is', null)
      .where('l.deleted_at', 'is', null)
      .where('b.deleted_at', 'is', null),
  );
  if (unit === undefined) throw new Problem('not-found');
  return unit;
}
