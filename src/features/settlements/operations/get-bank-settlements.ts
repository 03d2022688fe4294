// GetBankSettlements: lists a bank's settlement periods with their totals.

import type { Static } from 'typebox';
import type { Db } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatKid, type KidOf } from '../../../lib/kid.ts';
import { addPartialSums } from '../../account/rules/rollups.ts';
import {
  listClosedPeriods,
  listPeriodPartialSums,
  type PeriodPartialSum,
  type StoredPeriod,
} from '../queries/settlement-periods.ts';
import { toSettlementPeriod, withRevision } from '../answers.ts';
import type { SettlementHistory } from '../schemas.ts';
import { requireSettlementsBank, toOpenPeriod } from '../require-settlements-bank.ts';

type GetBankSettlementsInput = { readonly bankKid: KidOf<'bank'> };

export async function getBankSettlements(
  context: ManagerContext,
  { bankKid }: GetBankSettlementsInput,
): Promise<Static<typeof SettlementHistory>> {
  const { periods, partialSums } = await context.read((db) => readSettlements(db, context, bankKid.bankId));
  const sumsByPeriod = Map.groupBy(partialSums, ({ period }) => period);
  const items = periods.map((period) =>
    toSettlementPeriod(period, addPartialSums(sumsByPeriod.get(period.period) ?? []).totals),
  );
  return withRevision(formatKid(bankKid), { timeZone: context.tenant.timeZone, items });
}

type Settlements = {
  /** Newest first. */
  readonly periods: readonly StoredPeriod[];
  readonly partialSums: readonly PeriodPartialSum[];
};

async function readSettlements(db: Db, context: ManagerContext, bankId: number): Promise<Settlements> {
  const { bank, bankState } = await requireSettlementsBank(db, context, bankId);
  const [closedPeriods, partialSums] = await Promise.all([
    listClosedPeriods(db, bank),
    listPeriodPartialSums(db, bank),
  ]);
  return { periods: [toOpenPeriod(bankState), ...closedPeriods], partialSums };
}
