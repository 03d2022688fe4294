// DownloadBankSettlement: a closed period as an archive, streamed while it is read.

import type { Db } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { Download } from '../../../http/download.ts';
import { prefetchBatches } from '../../../lib/prefetch-batches.ts';
import { fromMs2000 } from '../../../lib/ms2000.ts';
import { Problem } from '../../../lib/problem.ts';
import { requireCoveredBank } from '../../../permissions/coverage.ts';
import { streamZip } from '../../../providers/zip/zip.ts';
import { getIdentityVisibility } from '../../residents/rules/identity.ts';
import { readResidentIdentities } from '../../residents/queries/identities.ts';
import { addPartialSums } from '../../account/rules/rollups.ts';
import { createArchiveFiles, type ArchivedSettlement } from '../archive-files.ts';
import { listPeriodPartialSums } from '../queries/settlement-periods.ts';
import { listPostingsInRange, type PostingRange, type SettledPostingRow } from '../queries/settled-postings.ts';
import { getPeriod, requireSettlementsBank, readPostingRange } from './get-bank-settlement-period.ts';

const batchRows = 2000;

export function downloadBankSettlement(context: ManagerContext, bankId: number, period: number): Download {
  return {
    mediaType: 'application/zip',
    fileName: `${context.tenant.name}-B${bankId}-settlement-${period}.zip`,
    content: streamArchive(context, bankId, period),
  };
}

type ArchiveSnapshot = {
  readonly settlement: ArchivedSettlement;
  readonly postingRange: PostingRange;
  readonly firstBatch: readonly SettledPostingRow[];
};

async function* streamArchive(context: ManagerContext, bankId: number, period: number): AsyncGenerator<Uint8Array> {
  const { settlement, postingRange, firstBatch } = await context.read((db) =>
    readArchiveSnapshot(db, context, bankId, period),
  );
  const batches = prefetchBatches({
    first: firstBatch,
    totalCount: postingRange.last - postingRange.first + 1,
    readNext: ({ posting_id }) =>
      context.readWithNewDeadline((db) =>
        listPostingsInRange(db, bankId, { ...postingRange, first: posting_id + 1 }, batchRows),
      ),
  });
  yield* streamZip(createArchiveFiles(settlement, batches), fromMs2000(settlement.period.closedAt));
}

/** Everything but the rows, which never change, and the first of those. */
async function readArchiveSnapshot(
  db: Db,
  context: ManagerContext,
  bankId: number,
  periodNumber: number,
): Promise<ArchiveSnapshot> {
  const { scope } = context;
  const now = context.now;
  const head = await requireSettlementsBank(db, scope, bankId, now);
  const period = await getPeriod(db, bankId, head, periodNumber);
  const { throughAt, closedAt } = period;
  if (throughAt === null || closedAt === null) throw new Problem('period-open');
  const sums = addPartialSums(await listPeriodPartialSums(db, bankId, period.period));
  const postingRange = await readPostingRange(db, bankId, period, sums);
  const [rows, identities] = await Promise.all([
    listPostingsInRange(db, bankId, postingRange, batchRows),
    readResidentIdentities(db, requireCoveredBank(scope, { bankId })),
  ]);
  const settlement = {
    bankKid: `${scope.tenant}-B${bankId}`,
    period: { ...period, throughAt, closedAt },
    totals: sums.totals,
    identities,
    identityVisibility: getIdentityVisibility(head.retention_setting, scope, now),
  };
  return { settlement, postingRange, firstBatch: rows };
}
