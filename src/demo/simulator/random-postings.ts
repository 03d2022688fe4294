// Records one random activity in a demo database: an active resident uses a working unit, or pays.

import type { Db, LockableDb } from '../../database/db.ts';
import { takeLocks } from '../../database/locks.ts';
import { appendPostings } from '../../features/account/queries/ledger.ts';
import { ledgerLock } from '../../features/account/queries/ledger-head.ts';
import type { PostingDraft } from '../../features/account/rules/posting-draft.ts';
import { latestTimeOf } from '../../features/account/rules/latest-time.ts';
import { decideRecordingTime } from '../../lib/recording-time.ts';
import { typeCodeOf, unitTypeOf } from '../../features/places/rules/unit-types.ts';
import { requireCoveredBank, type GrantedBank } from '../../permissions/coverage.ts';
import type { Scope } from '../../permissions/scope.ts';
import { consumptionDraft, paymentDraft } from '../postings/posting-drafts.ts';
import { consumptionUnitTypes } from '../tariff.ts';
import type { Random } from '../random.ts';

const paymentShare = 0.15;

type Times = { readonly now: number; readonly clock: () => number };
type RandomPostingInput = Times & { readonly purchase: boolean; readonly random: Random };

/** Records nothing if there is no active resident or no usable unit. */
export async function recordRandomPosting(
  db: LockableDb,
  scope: Scope,
  { now, clock, purchase, random }: RandomPostingInput,
): Promise<void> {
  const banks = await listOpenBanks(db);
  if (banks.length === 0) return;
  const { bank_id: bankId, currency, vat_basis_points: vatBasisPoints } = random.pick(banks);
  const bank = requireCoveredBank(scope, { bankId });
  const residents = await listActiveResidents(db, bankId);
  if (residents.length === 0) return;
  const { resident_id: residentId, location_id: locationId } = random.pick(residents);
  const postingContext = { tenant: { currency }, bank: { vatBasisPoints } };
  if (!purchase && random.chance(paymentShare)) {
    await recordPosting(db, bank, { now, clock }, (at) =>
      paymentDraft(postingContext, random, { at, residentId, locationId }),
    );
    return;
  }
  const units = await listUsableUnits(db, bankId, locationId);
  if (units.length === 0) return;
  // Above all ids that seeding uses, and a new one each second.
  const documentId = Math.floor(now / 1000);
  const unit = random.pick(units);
  await recordPosting(db, bank, { now, clock }, (at) =>
    consumptionDraft(postingContext, random, { at, residentId, unit, documentId }),
  );
}

async function recordPosting(
  db: LockableDb,
  bank: GrantedBank,
  { now, clock }: Times,
  createDraft: (at: number) => PostingDraft,
): Promise<void> {
  const [ledger] = await takeLocks(db, [ledgerLock(bank, { reservedCount: 1, now })]);
  if (ledger === undefined) throw new Error(`bank ${bank.bankId} has no ledger`);
  await appendPostings(db, ledger, [
    createDraft(decideRecordingTime(latestTimeOf(ledger), { now, currentTime: clock() })),
  ]);
}

function listOpenBanks(db: Db) {
  return db
    .selectFrom('banks')
    .innerJoin('ledgers', 'ledgers.bank_id', 'banks.bank_id')
    .select(['banks.bank_id', 'currency', 'vat_basis_points'])
    .where('enabled', '=', 1)
    .where('deleted_at', 'is', null)
    .orderBy('banks.bank_id')
    .execute();
}

function listActiveResidents(db: Db, bankId: number) {
  return db
    .selectFrom('residents')
    .innerJoin('locations as home', (join) =>
      join.onRef('home.bank_id', '=', 'residents.bank_id').onRef('home.location_id', '=', 'residents.location_id'),
    )
    .select(['resident_id', 'home.location_id'])
    .where('residents.bank_id', '=', bankId)
    .where('residents.enabled', '=', 1)
    .where('residents.deleted_at', 'is', null)
    .where('expired_at', 'is', null)
    .where('home.enabled', '=', 1)
    .where('home.deleted_at', 'is', null)
    .orderBy('resident_id')
    .execute();
}

async function listUsableUnits(db: Db, bankId: number, locationId: number) {
  const rows = await db
    .selectFrom('units')
    .select(['unit_id', 'unit_type', 'packed_type'])
    .where('bank_id', '=', bankId)
    .where('location_id', '=', locationId)
    .where('enabled', '=', 1)
    .where('deleted_at', 'is', null)
    .orderBy('unit_id')
    .execute();
  return rows.flatMap(({ unit_id: unitId, ...stored }) => {
    const code = typeCodeOf(stored);
    const type = code === undefined ? undefined : unitTypeOf(code);
    return type !== undefined && consumptionUnitTypes.has(type) ? [{ locationId, unitId, type }] : [];
  });
}
