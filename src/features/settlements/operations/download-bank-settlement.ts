// DownloadBankSettlement: streams a closed settlement period as a ZIP archive while its postings are read.

import type { SettlementParams } from '../schemas.ts';
import type { Static } from 'typebox';
import type { Db } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { Download } from '../../../http/representations/results.ts';
import { createDecimalAmountFormatter } from '../../../lib/values/decimal-amount.ts';
import { formatKid, type KidOf } from '../../../lib/kid.ts';
import { fromMs2000 } from '../../../lib/time/ms2000.ts';
import { prefetchBatches } from '../../../lib/queues/prefetch-batches.ts';
import { Problem } from '../../../lib/problem.ts';
import { streamZip } from '../../../providers/zip/zip.ts';
import { addPartialSums } from '../../account/rules/rollups.ts';
import { recordExport } from '../../audit/record-export.ts';
import { readIdentitiesOfPeriod } from '../../residents/queries/former-names.ts';
import { getIdentityVisibility } from '../../residents/rules/identity.ts';
import { readCharges } from '../read-charges.ts';
import { createArchiveFiles } from '../rules/archive-files.ts';
import { listPostingsInRange } from '../queries/settled-postings.ts';
import { countPostingsBeforePeriod, listPeriodPartialSums } from '../queries/settlement-periods.ts';
import { countRange, createPostingRange } from '../rules/posting-range.ts';
import { getSettlementPeriod, requireSettlementsBank } from '../require-settlements-bank.ts';

const batchRows = 2000;

export function downloadBankSettlement(
  context: ManagerContext,
  { bankKid, period: periodNumber }: Static<typeof SettlementParams>,
): Download {
  return {
    mediaType: 'application/zip',
    fileName: `${formatKid(bankKid)}-settlement-${periodNumber}.zip`,
    content: streamArchive(context, bankKid, periodNumber),
  };
}

async function* streamArchive(
  context: ManagerContext,
  bankKid: KidOf<'bank'>,
  periodNumber: number,
): AsyncGenerator<Uint8Array> {
  const { settlement, charges, range, firstBatch } = await context.readForDownload((db) =>
    readArchiveStart(db, context, bankKid, periodNumber),
  );
  // Postings never change, so the further batches need not be of the same snapshot.
  const batches = prefetchBatches({
    first: firstBatch,
    totalCount: countRange(range),
    readNext: ({ posting_id }) =>
      context.readForDownload((db) => listPostingsInRange(db, { ...range, first: posting_id + 1 }, batchRows)),
  });
  yield* streamZip(createArchiveFiles(settlement, batches, charges), fromMs2000(settlement.period.closedAt));
}

/** Reads everything except the postings, and their first batch. */
async function readArchiveStart(db: Db, context: ManagerContext, bankKid: KidOf<'bank'>, periodNumber: number) {
  const { scope, now } = context;
  const settlementsBank = await requireSettlementsBank(db, context, bankKid.bankId);
  const { bank, bankState } = settlementsBank;
  const period = await getSettlementPeriod(db, settlementsBank, periodNumber);
  const { throughAt, closedAt } = period;
  if (throughAt === null || closedAt === null) throw new Problem('period-open');
  const [partialSums, earlierCount, identities] = await Promise.all([
    listPeriodPartialSums(db, bank, period.period),
    countPostingsBeforePeriod(db, bank, period.period),
    readIdentitiesOfPeriod(db, bank, period.period),
  ]);
  const sums = addPartialSums(partialSums);
  const range = createPostingRange(bank, earlierCount, sums.count);
  const settlement = {
    bankKid: formatKid(bankKid),
    period: { ...period, throughAt, closedAt },
    totals: sums.totals,
    identities,
    identityVisibility: getIdentityVisibility(bankState.retention_setting, scope, now),
    formatAmount: createDecimalAmountFormatter(),
  };
  const { bankKid: object, identityVisibility: visibility } = settlement;
  const { tenant } = context;
  const charges = await readCharges(db, { tenant, bank, period: settlement.period, range, identities, visibility });
  const counts = { rows: sums.count, ...(charges === undefined ? {} : { charges: charges.count }) };
  const [firstBatch] = await Promise.all([
    listPostingsInRange(db, range, batchRows),
    recordExport(context, { object, bankId: bank.bankId, exported: { period: period.period, ...counts } }),
  ]);
  return { settlement, charges, range, firstBatch };
}
