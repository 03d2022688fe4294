// Reads the names, time zones and period ends of a bank. Deleted places are included, because old postings name them.

import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import type { BankDataRows, ReceiptsLocationRow, PeriodEndRow, ReceiptsUnitRow } from '../rules/bank-data.ts';

export async function readBankData(db: Db, bank: GrantedBank): Promise<BankDataRows> {
  const [locations, units, periodEnds] = await Promise.all([
    listLocations(db, bank),
    listUnitNames(db, bank),
    listPeriodEnds(db, bank),
  ]);
  return { locations, units, periodEnds };
}

function listLocations(db: Db, { bankId }: GrantedBank): Promise<ReceiptsLocationRow[]> {
  return runPrepared(db, 'receipts locations', { bankId }, (bind) =>
    db
      .selectFrom('locations')
      .select(['location_id', 'name', 'time_zone'])
      .where('bank_id', '=', bind<number>('bankId')),
  );
}

function listUnitNames(db: Db, { bankId }: GrantedBank): Promise<ReceiptsUnitRow[]> {
  return runPrepared(db, 'receipts unit names', { bankId }, (bind) =>
    db.selectFrom('units').select(['location_id', 'unit_id', 'name']).where('bank_id', '=', bind<number>('bankId')),
  );
}

/** The ends of the closed settlement periods. */
function listPeriodEnds(db: Db, { bankId }: GrantedBank): Promise<PeriodEndRow[]> {
  return runPrepared(db, 'receipts period ends', { bankId }, (bind) =>
    db.selectFrom('settlement_periods').select(['period', 'through_at']).where('bank_id', '=', bind<number>('bankId')),
  );
}
