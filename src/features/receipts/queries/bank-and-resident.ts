// Reads the bank and the resident of a receipts request in one row, and the rows of the bank's places.

import type { Db } from '../../../database/db.ts';
import { findPrepared, runPrepared } from '../../../database/statements/prepared-query.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import {
  selectRetentionSetting,
  selectSurveillanceRetentionSetting,
} from '../../residents/queries/retention-setting.ts';
import type { BankDataRows } from '../rules/bank-data.ts';
import type { BankResident } from '../rules/resident-history.ts';

/** Undefined if the bank is missing or deleted, or has no such resident. */
export const findBankAndResident = (db: Db, { bank: { bankId }, residentId }: BankResident) =>
  findPrepared(db, 'receipts bank and resident', { bankId, residentId }, (bind) =>
    db
      .selectFrom('residents')
      .innerJoin('banks', 'banks.bank_id', 'residents.bank_id')
      .innerJoin('ledgers', 'ledgers.bank_id', 'residents.bank_id')
      .select([
        'banks.name as bank_name',
        'banks.bank_type',
        'banks.vat_basis_points',
        'banks.discount_basis_points',
        'banks.places_version',
        'ledgers.open_period',
        'residents.name',
        'residents.location_id',
        'residents.deleted_at',
        'residents.expired_at',
      ])
      .select([selectRetentionSetting(db), selectSurveillanceRetentionSetting(db)])
      .where('residents.bank_id', '=', bind<number>('bankId'))
      .where('residents.resident_id', '=', bind<number>('residentId'))
      .where('banks.deleted_at', 'is', null),
  );

export async function readBankData(db: Db, { bankId }: GrantedBank): Promise<BankDataRows> {
  const [locations, units, periodEnds] = await Promise.all([
    runPrepared(db, 'receipts locations', { bankId }, (bind) =>
      db
        .selectFrom('locations')
        .select(['location_id', 'name', 'time_zone'])
        .where('bank_id', '=', bind<number>('bankId')),
    ),
    runPrepared(db, 'receipts unit names', { bankId }, (bind) =>
      db.selectFrom('units').select(['location_id', 'unit_id', 'name']).where('bank_id', '=', bind<number>('bankId')),
    ),
    // The ends of the closed settlement periods.
    runPrepared(db, 'receipts period ends', { bankId }, (bind) =>
      db
        .selectFrom('settlement_periods')
        .select(['period', 'through_at'])
        .where('bank_id', '=', bind<number>('bankId')),
    ),
  ]);
  return { locations, units, periodEnds };
}
