// Banks as overviews show them.

import type { Db } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Scope } from '../../../permissions/scope.ts';
import type { RowSlice } from './row-slice.ts';

export type BankOverviewRow = Pick<Tables['banks'], 'bank_id' | 'name' | 'icon' | 'bank_type'>;

/** Banks that the grants touch at all, deleted ones left out. */
export async function listBankOverviewRows(db: Db, { grants }: Scope, slice: RowSlice): Promise<BankOverviewRow[]> {
  let query = db.selectFrom('banks').select(['bank_id', 'name', 'icon', 'bank_type']).where('deleted_at', 'is', null);
  if (!grants.tenantWide) {
    const grantedBankIds = [...new Set([...grants.banks, ...grants.locations.keys()])];
    if (grantedBankIds.length === 0) return [];
    query = query.where('bank_id', 'in', grantedBankIds);
  }
  if ('ids' in slice) return query.where('bank_id', 'in', slice.ids).execute();
  return query.orderBy('bank_id', slice.direction).limit(slice.limit).offset(slice.offset).execute();
}
