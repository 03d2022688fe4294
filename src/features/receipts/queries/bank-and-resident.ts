// Reads the bank and the resident of a receipts request in one row.

import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import {
  selectRetentionSetting,
  selectSurveillanceRetentionSetting,
} from '../../residents/queries/retention-setting.ts';
import type { BankResident } from '../rules/resident-history.ts';

type BankAndResidentRow = {
  readonly bank_name: string;
  readonly bank_type: number;
  readonly vat_basis_points: number | null;
  readonly discount_basis_points: number | null;
  readonly places_version: number;
  readonly open_period: number;
  /** The tenant's stored retention of identities in days. */
  readonly retention_setting: string | null;
  /** The tenant's stored retention of residents' histories in days. */
  readonly surveillance_retention_setting: string | null;
  readonly name: string;
  readonly location_id: number | null;
  readonly deleted_at: number | null;
  readonly expired_at: number | null;
};

/** Undefined if the bank is missing or deleted, or has no such resident. */
export async function findBankAndResident(
  db: Db,
  { bank: { bankId }, residentId }: BankResident,
): Promise<BankAndResidentRow | undefined> {
  const [row] = await runPrepared(db, 'receipts bank and resident', { bankId, residentId }, (bind) =>
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
  return row;
}
