// DownloadBankSettlement: a closed period as an archive, streamed while it is read.

import type { Db } from '../../database/dialect.ts';
import type { ManagerDoor } from '../../http/door.ts';
import type { Download } from '../../http/download.ts';
import { countedBatches } from '../../lib/batches.ts';
import { fromMs2000 } from '../../lib/ms2000.ts';
import { Problem } from '../../lib/problem.ts';
import { zipOf } from '../../providers/zip/zip.ts';
import type { Head } from '../account/queries/bank.ts';
import { effectiveRetentionDays, identityCutoff } from '../account/rules/identity.ts';
import { addShares } from '../account/rules/rollups.ts';
import { archiveFiles, type Settlement } from './archive-files.ts';
import { readPeriodShares } from './queries/periods.ts';
import { listRun, readIdentities, type Run, type SettledRow } from './queries/postings.ts';
import { findPeriod, headOf, runOf } from './read.ts';

const batchRows = 2000;

export function downloadSettlement(door: ManagerDoor, bankId: number, period: number): Download {
  return {
    type: 'application/zip',
    fileName: `${door.tenant.name}-B${bankId}-settlement-${period}.zip`,
    content: archiveOf(door, bankId, period),
  };
}

type Beginning = {
  readonly settlement: Settlement;
  readonly run: Run;
  readonly rows: readonly SettledRow[];
};

async function* archiveOf(door: ManagerDoor, bankId: number, period: number): AsyncGenerator<Uint8Array> {
  const { settlement, run, rows } = await door.read((db) => begin(db, door, bankId, period));
  const batches = countedBatches({
    first: rows,
    count: run.last - run.first + 1,
    next: ({ posting_id }) => door.readLater((db) => listRun(db, bankId, { ...run, first: posting_id + 1 }, batchRows)),
  });
  yield* zipOf(archiveFiles(settlement, batches), fromMs2000(settlement.period.closedAt));
}

/** Everything but the rows, which never change, and the first of those. */
async function begin(db: Db, door: ManagerDoor, bankId: number, asked: number): Promise<Beginning> {
  const { scope } = door;
  const now = door.now();
  const head = await headOf(db, scope, bankId, now);
  const period = await findPeriod(db, bankId, head, asked);
  const { throughAt, closedAt } = period;
  if (throughAt === null || closedAt === null) throw new Problem('period-open');
  const sums = addShares(await readPeriodShares(db, bankId, period.period));
  const run = await runOf(db, bankId, period, sums);
  const [rows, identities] = await Promise.all([listRun(db, bankId, run, batchRows), readIdentities(db, bankId)]);
  const settlement = {
    bankKid: `${scope.tenant}-B${bankId}`,
    period: { ...period, throughAt, closedAt },
    totals: sums.totals,
    identities,
    cutoff: cutoffOf(head, scope.retentionDays, now),
    now,
  };
  return { settlement, run, rows };
}

const cutoffOf = ({ retention }: Head, managerDays: number, now: number): number =>
  identityCutoff(effectiveRetentionDays(Number(retention ?? 0), managerDays), now);
