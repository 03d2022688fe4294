// Reads the name of a bank.

import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';

/** Empty if the bank does not exist. */
export async function readBankName(db: Db, bank: GrantedBank): Promise<string> {
  const [row] = await runPrepared(db, 'bank name', bank, (bind) =>
    db.selectFrom('banks').select('name').where('bank_id', '=', bind<number>('bankId')),
  );
  return row?.name ?? '';
}
