// Lists the banks and locations that a scope covers.

import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import { coverageOf, covers, grantedBankIds } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';

export type GrantedBankRow = { readonly bank_id: number; readonly name: string; readonly icon: string | null };
export type CoveredLocationRow = { readonly bank_id: number; readonly location_id: number; readonly name: string };

export type GrantedPlaces = {
  readonly banks: readonly GrantedBankRow[];
  readonly locations: readonly CoveredLocationRow[];
};

export async function listGrantedPlaces(db: Db, scope: Scope): Promise<GrantedPlaces> {
  // Sent together.
  const [banks, locations] = await Promise.all([listGrantedBanks(db, scope), listCoveredLocations(db, scope)]);
  return { banks, locations };
}

/** Banks that the grants cover, as a whole or in part, without deleted ones, by id. */
export async function listGrantedBanks(db: Db, { grants }: Scope): Promise<GrantedBankRow[]> {
  const bankIds = grantedBankIds(grants);
  if (bankIds.length === 0) return [];
  const build = () =>
    db.selectFrom('banks').select(['bank_id', 'name', 'icon']).where('deleted_at', 'is', null).orderBy('bank_id');
  return bankIds === 'all'
    ? runPrepared(db, 'all banks', {}, build)
    : build().where('bank_id', 'in', bankIds).execute();
}

/** Locations that the grants cover, without deleted ones and those of deleted banks, by id. */
async function listCoveredLocations(db: Db, { grants }: Scope): Promise<CoveredLocationRow[]> {
  const bankIds = grantedBankIds(grants);
  if (bankIds.length === 0) return [];
  const build = () =>
    db
      .selectFrom('locations as l')
      .innerJoin('banks as b', 'b.bank_id', 'l.bank_id')
      .select(['l.bank_id', 'l.location_id', 'l.name'])
      .where('l.deleted_at', 'is', null)
      .where('b.deleted_at', 'is', null)
      .orderBy('l.bank_id')
      .orderBy('l.location_id');
  const rows = await (bankIds === 'all'
    ? runPrepared(db, 'all locations', {}, build)
    : build().where('l.bank_id', 'in', bankIds).execute());
  return rows.filter(({ bank_id, location_id }) => {
    const coverage = coverageOf(grants, bank_id);
    return coverage !== undefined && covers({ coverage }, location_id);
  });
}
