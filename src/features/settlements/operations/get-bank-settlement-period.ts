// GetBankSettlementPeriod: shows one settlement period by location and by kind.

import type { SettlementParams } from '../schemas.ts';
import type { Static } from 'typebox';
import type { Db } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatKid } from '../../../lib/kid.ts';
import { addPartialSums } from '../../account/rules/rollups.ts';
import { listBankPlaceNames } from '../../places/queries/bank-place-names.ts';
import { listKindPartialSums } from '../queries/settled-postings.ts';
import {
  countPostingsBeforePeriod,
  listLocationPartialSums,
  listPeriodPartialSums,
} from '../queries/settlement-periods.ts';
import { splitByKind, splitByLocation } from '../rules/period-totals.ts';
import { createPostingRange } from '../rules/posting-range.ts';
import { toSettlementKind, toSettlementLocation, toSettlementPeriod, withRevision } from '../answers.ts';
import type { SettlementPeriodDetail } from '../schemas.ts';
import { getSettlementPeriod, requireSettlementsBank } from '../require-settlements-bank.ts';

export async function getBankSettlementPeriod(
  context: ManagerContext,
  { bankKid, period: periodNumber }: Static<typeof SettlementParams>,
): Promise<Static<typeof SettlementPeriodDetail>> {
  const { period, sums, locationSums, kindSums, locationNames } = await context.read((db) =>
    readPeriod(db, context, bankKid.bankId, periodNumber),
  );
  const kid = formatKid(bankKid);
  return withRevision(kid, {
    timeZone: context.tenant.timeZone,
    ...toSettlementPeriod(period, sums.totals),
    locations: splitByLocation(sums.totals, locationSums).map((each) => toSettlementLocation(each, kid, locationNames)),
    kinds: splitByKind(kindSums).map(toSettlementKind),
  });
}

async function readPeriod(db: Db, context: ManagerContext, bankId: number, periodNumber: number) {
  const settlementsBank = await requireSettlementsBank(db, context, bankId);
  const { bank } = settlementsBank;
  const period = await getSettlementPeriod(db, settlementsBank, periodNumber);
  const [periodSums, locationSums, earlierCount, places] = await Promise.all([
    listPeriodPartialSums(db, bank, period.period),
    listLocationPartialSums(db, bank, period.period),
    countPostingsBeforePeriod(db, bank, period.period),
    listBankPlaceNames(db, bank),
  ]);
  const sums = addPartialSums(periodSums);
  return {
    period,
    sums,
    locationSums,
    kindSums: await listKindPartialSums(db, createPostingRange(bank, earlierCount, sums.count)),
    locationNames: new Map(places.locations.map(({ location_id, name }) => [location_id, name])),
  };
}
