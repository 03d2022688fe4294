// Reads what is stored of what lines of the stream of money name.

import type { Db } from '../../database/db.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import type { ComputerUnit } from './read-computer-units.ts';
import {
  findBookedContents,
  findKeyHolders,
  findRefundableUses,
  getBankMoney,
  type UnitRef,
} from './queries/money-knowledge.ts';
import { parseMoneyLine, type MoneyLine } from './rules/money-line.ts';
import type { StreamLine } from './rules/parse-lines.ts';
import { formatKeyName, storedRefOf, type MoneyKnowledge } from './rules/plan-money-lines.ts';

type LinesToKnow = {
  readonly bank: WholeGrantedBank;
  readonly computerId: number;
  readonly lines: readonly StreamLine[];
  readonly now: number;
};

/** As many statements for one line as for many. */
export async function readMoneyKnowledge(
  db: Db,
  { bank, computerId, lines, now }: LinesToKnow,
  units: ReadonlyMap<string, ComputerUnit>,
): Promise<MoneyKnowledge<ComputerUnit>> {
  const money = lines.flatMap((line) => parseMoneyLine(line) ?? []);
  const keyNames = new Set(money.flatMap(({ key }) => (key === undefined ? [] : (formatKeyName(key) ?? []))));
  const refsOf = (pick: (line: MoneyLine) => string | undefined): UnitRef[] =>
    money.flatMap((line) => {
      const unit = line.unit === undefined ? undefined : units.get(line.unit);
      const ref = pick(line);
      const isUnknown = line.unit !== undefined && unit === undefined;
      return ref === undefined || isUnknown ? [] : [{ unit, ref: storedRefOf(ref, unit, computerId) }];
    });
  const [{ currency, vat_basis_points: vatBasisPoints }, keyHolders, contents, uses] = await Promise.all([
    getBankMoney(db, bank),
    findKeyHolders(db, bank, keyNames, now),
    findBookedContents(
      db,
      bank,
      refsOf(({ ref }) => ref),
    ),
    findRefundableUses(
      db,
      bank,
      refsOf(({ refundedRef }) => refundedRef),
    ),
  ]);
  return { currency, vatBasisPoints, units, keyHolders, contents, uses };
}
