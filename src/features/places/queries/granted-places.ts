// Banks, locations and units within the reach of a scope.

import type { Db } from '../../../database/db.ts';
import { coverageOf } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';

export type GrantedBankRow = { readonly bank_id: number; readonly name: string; readonly icon: string | null };
export type CoveredLocationRow = { readonly bank_id: number; readonly location_id: number; readonly name: string };

/** The banks that the grants touch at all, deleted ones left out, by id. */
export function listGrantedBanks(db: Db, { grants }: Scope): Promise<GrantedBankRow[]> {
  const query = db
    .selectFrom('banks')
    .select(['bank_id', 'name', 'icon'])
    .where('deleted_at', 'is', null)
    .orderBy('bank_id');
  if (grants.tenantWide) return query.execute();
  const grantedBankIds = [...new Set([...grants.banks, ...grants.locations.keys()])];
  return grantedBankIds.length === 0 ? Promise.resolve([]) : query.where('bank_id', 'in', grantedBankIds).execute();
}

/** The locations that the grants cover in these banks, deleted ones left out, by id. */
export async function listCoveredLocations(
  db: Db,
  { grants }: Scope,
  bankIds: readonly number[],
): Promise<CoveredLocationRow[]> {
  if (bankIds.length === 0) return [];
  const rows = await db
    .selectFrom('locations')
    .select(['bank_id', 'location_id', 'name'])
    .where('bank_id', 'in', bankIds)
    .where('deleted_at', 'is', null)
    .orderBy('bank_id')
    .orderBy('location_id')
    .execute();
  return rows.filter(({ bank_id, location_id }) => {
    const coverage = coverageOf(grants, bank_id);
    return coverage === 'all' || coverage?.has(location_id) === true;
  });
}

export type LocationNameRow = {
  readonly location_id: number;
  readonly name: string;
  readonly deleted_at: number | null;
};
export type UnitNameRow = LocationNameRow & { readonly unit_id: number };

/** Every location and unit of a bank, deleted ones too: postings of the past name them. */
export async function listBankPlaceNames(
  db: Db,
  bankId: number,
): Promise<{ locations: LocationNameRow[]; units: UnitNameRow[] }> {
  const [locations, units] = await Promise.all([
    db
      .selectFrom('locations')
      .select(['location_id', 'name', 'deleted_at'])
      .where('bank_id', '=', bankId)
      .orderBy('location_id')
      .execute(),
    db
      .selectFrom('units')
      .select(['location_id', 'unit_id', 'name', 'deleted_at'])
      .where('bank_id', '=', bankId)
      .orderBy('location_id')
      .orderBy('unit_id')
      .execute(),
  ]);
  return { locations, units };
}
