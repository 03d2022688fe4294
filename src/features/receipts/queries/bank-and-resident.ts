// What has to be known of a bank and a resident before any posting is read.

import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/prepared-query.ts';
import { coverageOf } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { retentionSettingName } from '../../residents/queries/retention-setting.ts';

export type BankAndResidentRow = {
  readonly bank_type: number;
  readonly vat_basis_points: number | null;
  readonly discount_basis_points: number | null;
  readonly places_version: number;
  readonly open_period: number;
  /** The tenant's retention of identities, as it is stored. */
  readonly retention: string | null;
  readonly location_id: number | null;
  readonly deleted_at: number | null;
  readonly expired_at: number | null;
};

/** Undefined where the grants do not touch the bank, it is missing or deleted, or has no such resident. */
export async function findBankAndResident(
  db: Db,
  { grants }: Scope,
  { bankId, userId }: { readonly bankId: number; readonly userId: number },
): Promise<BankAndResidentRow | undefined> {
  if (coverageOf(grants, bankId) === undefined) return undefined;
  const [head] = await runPrepared(
    db,
    'receipts head',
    { bankId, userId, retentionSetting: retentionSettingName },
    (at) =>
      db
        .selectFrom('residents')
        .innerJoin('banks', 'banks.bank_id', 'residents.bank_id')
        .innerJoin('ledgers', 'ledgers.bank_id', 'residents.bank_id')
        .select([
          'banks.bank_type',
          'banks.vat_basis_points',
          'banks.discount_basis_points',
          'banks.places_version',
          'ledgers.open_period',
          'residents.location_id',
          'residents.deleted_at',
          'residents.expired_at',
        ])
        .select((eb) =>
          eb
            .selectFrom('tenant_settings')
            .select('value')
            .where('name', '=', at<string>('retentionSetting'))
            .as('retention'),
        )
        .where('residents.bank_id', '=', at<number>('bankId'))
        .where('residents.resident_id', '=', at<number>('userId'))
        .where('banks.deleted_at', 'is', null),
  );
  return head;
}

export type LocationRow = { readonly location_id: number; readonly name: string; readonly time_zone: string };

/** A bank's locations by their ids, deleted ones too: postings of the past name them. */
export async function readLocations(db: Db, bankId: number): Promise<ReadonlyMap<number, LocationRow>> {
  const rows = await runPrepared(db, 'receipts locations', { bankId }, (at) =>
    db.selectFrom('locations').select(['location_id', 'name', 'time_zone']).where('bank_id', '=', at<number>('bankId')),
  );
  return new Map(rows.map((row) => [row.location_id, row]));
}

export type UnitNameRow = { readonly location_id: number; readonly unit_id: number; readonly name: string };

/** What a bank's units are called, deleted ones too. */
export function listUnitNames(db: Db, bankId: number): Promise<UnitNameRow[]> {
  return runPrepared(db, 'receipts units', { bankId }, (at) =>
    db.selectFrom('units').select(['location_id', 'unit_id', 'name']).where('bank_id', '=', at<number>('bankId')),
  );
}

/** When a bank's closed periods ended. */
export async function readPeriodEnds(db: Db, bankId: number): Promise<ReadonlyMap<number, number>> {
  const rows = await runPrepared(db, 'receipts periods', { bankId }, (at) =>
    db.selectFrom('settlement_periods').select(['period', 'through_at']).where('bank_id', '=', at<number>('bankId')),
  );
  return new Map(rows.map(({ period, through_at }) => [period, through_at]));
}
