// The files of a settlement's archive. Postings are read once: what the other files sum up is added up while they pass,
// and the manifest, which stands last, tells what all of them came to.

import { createHash } from 'node:crypto';
import { csvBom, csvChunks, csvRow, type CsvCell } from '../../lib/csv.ts';
import { gdprUserId } from '../../lib/kid.ts';
import { utcText } from '../../lib/ms2000.ts';
import type { ZipEntry } from '../../providers/zip/zip.ts';
import { documentKeyOf } from '../account/rules/documents.ts';
import { isAnonymized } from '../account/rules/identity.ts';
import { kindOf, paymentKindOf } from '../account/rules/kinds.ts';
import type { CurrencyTotal } from '../account/rules/rollups.ts';
import { totalOf } from '../account/schemas.ts';
import type { Period } from './queries/periods.ts';
import type { Identity, SettledRow } from './queries/postings.ts';
import { SettlementSums } from './sums.ts';

export type Settlement = {
  readonly bankKid: string;
  readonly period: Period & { readonly throughAt: number; readonly closedAt: number };
  readonly totals: readonly CurrencyTotal[];
  readonly identities: ReadonlyMap<number, Identity>;
  /** Identities of postings before it have expired. */
  readonly cutoff: number;
  readonly now: number;
};

type Batches = AsyncIterable<readonly SettledRow[]>;
type FileFacts = { readonly name: string; readonly rows: number; readonly bytes: number; readonly sha256: string };

/** In the order in which they stand in the archive. */
export function archiveFiles(settlement: Settlement, batches: Batches): ZipEntry[] {
  const sums = new SettlementSums();
  const facts: FileFacts[] = [];
  const csv = (name: string, columns: readonly string[], rows: () => RowBatches): ZipEntry => ({
    name,
    content: () => csvFile(columns, rows(), (counted) => facts.push({ name, ...counted })),
  });
  return [
    csv('postings.csv', postingColumns, () => postingRows(settlement, batches, sums)),
    csv('residents.csv', residentColumns, () => residentRows(settlement, sums)),
    csv('totals.csv', totalColumns, () => totalRows(settlement)),
    { name: 'manifest.json', content: () => manifest(settlement, facts) },
  ];
}

type RowBatches = AsyncIterable<readonly (readonly CsvCell[])[]> | Iterable<readonly (readonly CsvCell[])[]>;

async function* csvFile(
  columns: readonly string[],
  batches: RowBatches,
  tell: (counted: Omit<FileFacts, 'name'>) => void,
): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  let [rows, bytes] = [0, 0];
  const chunkOf = (text: string): Buffer => {
    const chunk = Buffer.from(text);
    digest.update(chunk);
    bytes += chunk.length;
    return chunk;
  };
  yield chunkOf(csvBom + csvRow(columns));
  for await (const batch of batches) {
    rows += batch.length;
    for (const text of csvChunks(batch)) yield chunkOf(text);
  }
  tell({ rows, bytes, sha256: digest.digest('hex') });
}

const postingColumns = [
  'kid',
  'recordedAtUtc',
  'locationKid',
  'unitKid',
  'userKid',
  'kind',
  'amountMinor',
  'currency',
  'documentKey',
];

async function* postingRows(settlement: Settlement, batches: Batches, sums: SettlementSums) {
  for await (const rows of batches)
    yield rows.map((row) => {
      if (row.period !== settlement.period.period) throw new Error(`posting ${row.posting_id} is of another period`);
      const userId = shownUser(row, settlement);
      sums.add(row, userId);
      return postingCells(row, userId, settlement.bankKid);
    });
  // Before the sums are written down anywhere: what the ledger keeps as the period's totals is what passed here.
  if (!sums.areTotals(settlement.totals)) throw new Error('the postings of a settlement do not come to its totals');
}

/** Whose posting it is; nobody's where the identity has expired. */
function shownUser(row: SettledRow, { identities, cutoff, now }: Settlement): number {
  const resident_expired_at = identities.get(row.user_id)?.expiredAt ?? null;
  return isAnonymized({ ...row, resident_expired_at }, cutoff, now) ? gdprUserId : row.user_id;
}

function postingCells(row: SettledRow, userId: number, bankKid: string): CsvCell[] {
  const locationKid = row.location_id === 0 ? '' : `${bankKid}-L${row.location_id}`;
  const isPaymentManaged = paymentKindOf(row.payment_kind) === 'Managed';
  return [
    `${bankKid}-X${row.posting_id}`,
    utcText(row.recorded_at),
    locationKid,
    locationKid === '' || row.unit_id === 0 ? '' : `${locationKid}-U${row.unit_id}`,
    `${bankKid}-R${userId}`,
    kindOf(row.kind),
    row.amount_minor,
    row.currency,
    documentKeyOf({ ...row, isPaymentManaged, isAnonymized: userId === gdprUserId }),
  ];
}

const residentColumns = ['userKid', 'name', 'currency', 'count', 'amountMinor'];

function* residentRows({ bankKid, identities }: Settlement, sums: SettlementSums) {
  yield sums.residents().map(({ userId, currency, count, amountMinor }) => {
    const name = userId === gdprUserId ? '' : (identities.get(userId)?.name ?? '');
    return [`${bankKid}-R${userId}`, name, currency, count, amountMinor];
  });
}

const totalColumns = ['currency', 'count', 'debitMinor', 'creditMinor', 'amountMinor'];

function* totalRows({ totals }: Settlement) {
  yield totals.map(({ currency, count, debitMinor, creditMinor }) => [
    currency,
    count,
    debitMinor,
    creditMinor,
    debitMinor + creditMinor,
  ]);
}

async function* manifest({ bankKid, period, totals }: Settlement, files: readonly FileFacts[]): AsyncGenerator<string> {
  const facts = {
    bankKid,
    period: period.period,
    fromUtc: utcText(period.fromAt),
    throughUtc: utcText(period.throughAt),
    closedAtUtc: utcText(period.closedAt),
    // What the ledger's hash chain came to when the period was closed.
    ...(period.chain === null ? {} : { chain: period.chain }),
    totals: totals.map(totalOf),
    files,
  };
  yield `${JSON.stringify(facts, null, 2)}\n`;
}
