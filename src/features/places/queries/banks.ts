// Lists banks for overviews, and reads the name of one.

import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import { grantedBankIds, type GrantedBank } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';
import type { RowSlice } from './row-slice.ts';

export type BankOverviewRow = Pick<Tables['banks'], 'bank_id' | 'name' | 'icon' | 'bank_type'>;

/** Banks that the grants cover, as a whole or in part, without deleted ones. */
export async function listBankOverviewRows(db: Db, { grants }: Scope, slice: RowSlice): Promise<BankOverviewRow[]> {
  const bankIds = grantedBankIds(grants);
  if (bankIds.length === 0) return [];
  let query = db.selectFrom('banks').select(['bank_id', 'name', 'icon', 'bank_type']).where('deleted_at', 'is', null);
  if (bankIds !== 'all') query = query.where('bank_id', 'in', bankIds);
  if ('ids' in slice) return query.where('bank_id', 'in', slice.ids).execute();
  const { direction, after, offset, limit } = slice;
  if (after !== undefined) query = query.where('bank_id', direction === 'asc' ? '>' : '<', after[0]);
  return query.orderBy('bank_id', direction).limit(limit).offset(offset).execute();
}

/** Empty if the bank does not exist. */
export async function readBankName(db: Db, bank: GrantedBank): Promise<string> {
  const [row] = await runPrepared(db, 'bank name', bank, (bind) =>
    db.selectFrom('banks').select('name').where('bank_id', '=', bind<number>('bankId')),
  );
  return row?.name ?? '';
}
