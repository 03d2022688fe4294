// Reading settlements: the history of a bank, and one period with what its totals are made of.

import type { Db } from '../../../database/db.ts';
import { Problem } from '../../../lib/problem.ts';
import { requireCoveredBank } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { findAccountBankState, type AccountBankState } from '../../account/queries/account-bank.ts';
import { kindFromCode, kinds, type Kind } from '../../account/rules/kinds.ts';
import { addPartialSums, type CurrencyTotal, type PostingSums, type PartialSum } from '../../account/rules/rollups.ts';
import { toTotal } from '../../account/schemas.ts';
import { listBankPlaceNames } from '../../places/queries/bank-place-names.ts';
import { requireWholeBank } from '../../places/queries/visible-places.ts';
import {
  countPostingsBeforePeriod,
  listClosedPeriods,
  listLocationPartialSums,
  listPeriodPartialSums,
  type SettlementPeriod,
  type PeriodPartialSum,
} from '../queries/settlement-periods.ts';
import { listKindPartialSums, type PostingRange } from '../queries/settled-postings.ts';
import { toSettlementItem, withRevision } from '../schemas.ts';

/** The state of a bank that the scope reaches as a whole. */
export async function requireSettlementsBank(
  db: Db,
  scope: Scope,
  bankId: number,
  now: number,
): Promise<AccountBankState> {
  const bank = await requireWholeBank(db, requireCoveredBank(scope, { bankId }));
  const head = await findAccountBankState(db, bank, now);
  if (head === undefined) throw new Problem('not-found');
  return head;
}

export async function getBankSettlements(db: Db, scope: Scope, bankId: number, now: number) {
  const head = await requireSettlementsBank(db, scope, bankId, now);
  const [closed, shares] = await Promise.all([listClosedPeriods(db, bankId), listPeriodPartialSums(db, bankId)]);
  const ofPeriod = Map.groupBy(shares, ({ period }) => period);
  const items = [toOpenPeriod(head), ...closed].map((period) =>
    toSettlementItem(period, addPartialSums(ofPeriod.get(period.period) ?? []).totals),
  );
  return withRevision(`${scope.tenant}-B${bankId}`, { items });
}

const toOpenPeriod = ({ open_period: period, opened_at: fromAt }: AccountBankState): SettlementPeriod => ({
  period,
  fromAt,
  throughAt: null,
  closedAt: null,
  chain: null,
});

/** A period by the number that clients know it by: the open one is 0, and has no other. */
export async function getPeriod(
  db: Db,
  bankId: number,
  head: AccountBankState,
  period: number,
): Promise<SettlementPeriod> {
  const [found] = period === 0 ? [toOpenPeriod(head)] : await listClosedPeriods(db, bankId, period);
  if (found === undefined) throw new Problem('not-found');
  return found;
}

/** The ids of a period's postings. */
export async function readPostingRange(
  db: Db,
  bankId: number,
  { period }: SettlementPeriod,
  { count }: PostingSums,
): Promise<PostingRange> {
  const before = await countPostingsBeforePeriod(db, bankId, period);
  return { first: before + 1, last: before + count };
}

export async function getBankSettlementPeriod(db: Db, scope: Scope, bankId: number, periodNumber: number, now: number) {
  const bankKid = `${scope.tenant}-B${bankId}`;
  const head = await requireSettlementsBank(db, scope, bankId, now);
  const period = await getPeriod(db, bankId, head, periodNumber);
  const [shares, ofLocations, places] = await Promise.all([
    listPeriodPartialSums(db, bankId, period.period),
    listLocationPartialSums(db, bankId, period.period),
    listBankPlaceNames(db, requireCoveredBank(scope, { bankId })),
  ]);
  const sums = addPartialSums(shares);
  const ofKinds = await listKindPartialSums(db, bankId, await readPostingRange(db, bankId, period, sums));
  const names = new Map(places.locations.map(({ location_id, name }) => [location_id, name]));
  return withRevision(bankKid, {
    ...toSettlementItem(period, sums.totals),
    locations: toLocationTotals(sums, ofLocations, bankKid, names),
    kinds: toKindTotals(Map.groupBy(ofKinds, ({ kind }) => kindFromCode(kind))),
  });
}

function toLocationTotals(
  sums: PostingSums,
  partialSums: readonly PeriodPartialSum[],
  bankKid: string,
  names: ReadonlyMap<number, string>,
) {
  const located = [...Map.groupBy(partialSums, ({ location_id }) => location_id)].toSorted(([a], [b]) => a - b);
  const totalsWithoutLocation = subtractTotals(sums.totals, addPartialSums(partialSums).totals);
  return [
    ...located.map(([id, ofLocation]) => ({
      kid: `${bankKid}-L${id}`,
      name: names.get(id) ?? '',
      totals: addPartialSums(ofLocation).totals.map(toTotal),
    })),
    ...(totalsWithoutLocation.length === 0
      ? []
      : [{ kid: null, name: '', totals: totalsWithoutLocation.map(toTotal) }]),
  ];
}

/** What is left of totals when a part of them is taken away. */
function subtractTotals(totals: readonly CurrencyTotal[], subtrahend: readonly CurrencyTotal[]): CurrencyTotal[] {
  const parts = new Map(subtrahend.map((total) => [total.currency, total]));
  return totals.flatMap((total) => {
    const { count = 0, debitMinor = 0n, creditMinor = 0n } = parts.get(total.currency) ?? {};
    return count === total.count
      ? []
      : [
          {
            currency: total.currency,
            count: total.count - count,
            debitMinor: total.debitMinor - debitMinor,
            creditMinor: total.creditMinor - creditMinor,
          },
        ];
  });
}

/** In the order in which kinds are told everywhere, the unknown one last. */
function toKindTotals(partialSums: ReadonlyMap<Kind, PartialSum[]>) {
  const order = [...kinds.filter((kind) => kind !== 'Unknown'), 'Unknown' as const];
  return order.flatMap((kind) => {
    const ofKind = partialSums.get(kind);
    return ofKind === undefined ? [] : [{ kind, totals: addPartialSums(ofKind).totals.map(toTotal) }];
  });
}
