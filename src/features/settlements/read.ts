// Reading settlements: the history of a bank, and one period with what its totals are made of.

import type { Db } from '../../database/dialect.ts';
import { Problem } from '../../lib/problem.ts';
import type { Scope } from '../../permissions/scope.ts';
import { readHead, type Head } from '../account/queries/bank.ts';
import { kindOf, kinds, type Kind } from '../account/rules/kinds.ts';
import { addShares, type CurrencyTotal, type SetSums, type Share } from '../account/rules/rollups.ts';
import { totalOf } from '../account/schemas.ts';
import { demandWholeBank } from '../account/whole-bank.ts';
import { readBankPlaces } from '../places/queries/granted.ts';
import {
  countBefore,
  listClosedPeriods,
  readLocationShares,
  readPeriodShares,
  type Period,
  type PeriodShare,
} from './queries/periods.ts';
import { readKindShares, type Run } from './queries/postings.ts';
import { itemOf, revised } from './schemas.ts';

/** The state of a bank that the scope reaches as a whole. */
export async function headOf(db: Db, scope: Scope, bankId: number, now: number): Promise<Head> {
  await demandWholeBank(db, scope, bankId);
  const head = await readHead(db, scope, bankId, now);
  if (head === undefined) throw new Problem('not-found');
  return head;
}

export async function readSettlements(db: Db, scope: Scope, bankId: number, now: number) {
  const head = await headOf(db, scope, bankId, now);
  const [closed, shares] = await Promise.all([listClosedPeriods(db, bankId), readPeriodShares(db, bankId)]);
  const ofPeriod = Map.groupBy(shares, ({ period }) => period);
  const items = [openPeriodOf(head), ...closed].map((period) =>
    itemOf(period, addShares(ofPeriod.get(period.period) ?? []).totals),
  );
  return revised(`${scope.tenant}-B${bankId}`, { items });
}

const openPeriodOf = ({ open_period: period, opened_at: fromAt }: Head): Period => ({
  period,
  fromAt,
  throughAt: null,
  closedAt: null,
  chain: null,
});

/** A period by the number that clients know it by: the open one is 0, and has no other. */
export async function findPeriod(db: Db, bankId: number, head: Head, period: number): Promise<Period> {
  const [found] = period === 0 ? [openPeriodOf(head)] : await listClosedPeriods(db, bankId, period);
  if (found === undefined) throw new Problem('not-found');
  return found;
}

/** The ids of a period's postings. */
export async function runOf(db: Db, bankId: number, { period }: Period, { count }: SetSums): Promise<Run> {
  const before = await countBefore(db, bankId, period);
  return { first: before + 1, last: before + count };
}

export async function readSettlementPeriod(db: Db, scope: Scope, bankId: number, asked: number, now: number) {
  const bankKid = `${scope.tenant}-B${bankId}`;
  const head = await headOf(db, scope, bankId, now);
  const period = await findPeriod(db, bankId, head, asked);
  const [shares, ofLocations, places] = await Promise.all([
    readPeriodShares(db, bankId, period.period),
    readLocationShares(db, bankId, period.period),
    readBankPlaces(db, bankId),
  ]);
  const sums = addShares(shares);
  const ofKinds = await readKindShares(db, bankId, await runOf(db, bankId, period, sums));
  const names = new Map(places.locations.map(({ location_id, name }) => [location_id, name]));
  return revised(bankKid, {
    ...itemOf(period, sums.totals),
    locations: locationsOf(sums, ofLocations, bankKid, names),
    kinds: kindsOf(Map.groupBy(ofKinds, ({ kind }) => kindOf(kind))),
  });
}

function locationsOf(
  sums: SetSums,
  shares: readonly PeriodShare[],
  bankKid: string,
  names: ReadonlyMap<number, string>,
) {
  const located = [...Map.groupBy(shares, ({ location_id }) => location_id)].toSorted(([a], [b]) => a - b);
  const elsewhere = without(sums.totals, addShares(shares).totals);
  return [
    ...located.map(([id, ofLocation]) => ({
      kid: `${bankKid}-L${id}`,
      name: names.get(id) ?? '',
      totals: addShares(ofLocation).totals.map(totalOf),
    })),
    ...(elsewhere.length === 0 ? [] : [{ kid: null, name: '', totals: elsewhere.map(totalOf) }]),
  ];
}

/** What is left of totals when a part of them is taken away. */
function without(all: readonly CurrencyTotal[], part: readonly CurrencyTotal[]): CurrencyTotal[] {
  const parts = new Map(part.map((total) => [total.currency, total]));
  return all.flatMap((total) => {
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
function kindsOf(shares: ReadonlyMap<Kind, Share[]>) {
  const order = [...kinds.filter((kind) => kind !== 'Unknown'), 'Unknown' as const];
  return order.flatMap((kind) => {
    const ofKind = shares.get(kind);
    return ofKind === undefined ? [] : [{ kind, totals: addShares(ofKind).totals.map(totalOf) }];
  });
}
