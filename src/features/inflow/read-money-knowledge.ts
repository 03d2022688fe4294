// Reads what is stored of what lines of the stream of money name.

import type { Db } from '../../database/db.ts';
import type { ComputerContext } from '../../http/context/operation-context.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import { findLedgerHead, type LedgerHead } from '../account/queries/ledger-head.ts';
import { readComputerUnits, type ComputerUnit } from './read-computer-units.ts';
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
import type { StreamRequest } from './read-stream-request.ts';

type LinesToKnow = {
  readonly bank: WholeGrantedBank;
  readonly computerId: number;
  readonly lines: readonly StreamLine[];
  readonly now: number;
};

export type KnownRequest = { readonly context: ComputerContext; readonly knowledge: MoneyKnowledge<ComputerUnit> };

export type KnownMoney = {
  /** In the order of the requests. */
  readonly requests: readonly KnownRequest[];
  /** Undefined if the bank has no ledger. */
  readonly ledger: LedgerHead | undefined;
};

/** Reads what requests need to be booked: sent together with their locks, and run after them. */
export async function readKnownMoney(
  db: Db,
  bank: WholeGrantedBank,
  requests: readonly StreamRequest[],
): Promise<KnownMoney> {
  const readKnown = async ({ context, key, body: { lines } }: StreamRequest): Promise<KnownRequest> => {
    const toKnow = { bank, computerId: key.computerId, lines, now: context.now };
    const units = readComputerUnits(db, bank, context.computer.name);
    return { context, knowledge: await readMoneyKnowledge(db, toKnow, units) };
  };
  const [ledger, known] = await Promise.all([findLedgerHead(db, bank), Promise.all(requests.map(readKnown))]);
  return { requests: known, ledger };
}

/**
 * Reads what many lines need with as many statements as one line needs, sent together as far as they do not depend on
 * the units.
 */
export async function readMoneyKnowledge(
  db: Db,
  toKnow: LinesToKnow,
  units: Promise<ReadonlyMap<string, ComputerUnit>>,
): Promise<MoneyKnowledge<ComputerUnit>> {
  const { bank, lines, now } = toKnow;
  const moneyOf = parseMoneyLines(lines);
  const money = [...moneyOf.values()];
  const keyNames = new Set(money.flatMap(({ key }) => (key === undefined ? [] : (formatKeyName(key) ?? []))));
  const [{ currency, vat_basis_points: vatBasisPoints }, keyHolders, referenced] = await Promise.all([
    getBankMoney(db, bank),
    findKeyHolders(db, bank, keyNames, now),
    units.then((known) => readReferenced(db, toKnow, money, known)),
  ]);
  return { moneyOf, currency, vatBasisPoints, keyHolders, ...referenced };
}

function parseMoneyLines(lines: readonly StreamLine[]): ReadonlyMap<StreamLine, MoneyLine> {
  const moneyOf = new Map<StreamLine, MoneyLine>();
  for (const line of lines) {
    const money = parseMoneyLine(line);
    if (money !== undefined) moneyOf.set(line, money);
  }
  return moneyOf;
}

async function readReferenced(
  db: Db,
  { bank, computerId }: LinesToKnow,
  money: readonly MoneyLine[],
  units: ReadonlyMap<string, ComputerUnit>,
): Promise<Pick<MoneyKnowledge<ComputerUnit>, 'units' | 'contents' | 'uses'>> {
  const refsOf = (pick: (line: MoneyLine) => string | undefined): UnitRef[] =>
    money.flatMap((line) => {
      const unit = line.unit === undefined ? undefined : units.get(line.unit);
      const ref = pick(line);
      const isUnknown = line.unit !== undefined && unit === undefined;
      return ref === undefined || isUnknown ? [] : [{ unit, ref: storedRefOf(ref, unit, computerId) }];
    });
  const [contents, uses] = await Promise.all([
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
  return { units, contents, uses };
}
