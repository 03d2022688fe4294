// GetBankSettlements: lists a bank's settlement periods with their totals.

import type { Static } from 'typebox';
import type { Db } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatKid, type KidOf } from '../../../lib/kid.ts';
import { addPartialSums } from '../../account/rules/rollups.ts';
import { listClosedPeriods, listPeriodPartialSums } from '../queries/settlement-periods.ts';
import { toSettlementPeriod, withRevision } from '../answers.ts';
import type { SettlementHistory } from '../schemas.ts';
import { requireSettlementsBank, toOpenPeriod } from '../require-settlements-bank.ts';

export async function getBankSettlements(
  context: ManagerContext,
  { bankKid }: { readonly bankKid: KidOf<'bank'> },
): Promise<Static<typeof SettlementHistory>> {
  const { periods, partialSums } = await context.read((db) => readSettlements(db, context, bankKid.bankId));
  const sumsByPeriod = Map.groupBy(partialSums, ({ period }) => period);
  const items = periods.map((period) =>
    toSettlementPeriod(period, addPartialSums(sumsByPeriod.get(period.period) ?? []).totals),
  );
  return withRevision(formatKid(bankKid), { timeZone: context.tenant.timeZone, items });
}

/** The newest period is first. */
async function readSettlements(db: Db, context: ManagerContext, bankId: number) {
  const { bank, bankState } = await requireSettlementsBank(db, context, bankId);
  const [closedPeriods, partialSums] = await Promise.all([
    listClosedPeriods(db, bank),
    listPeriodPartialSums(db, bank),
  ]);
  return { periods: [toOpenPeriod(bankState), ...closedPeriods], partialSums };
}
