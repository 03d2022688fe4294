// Writes the files of a settlement's archive. Postings are read once: the sums of the later files, and the manifest at
// the end, are collected while the earlier files are written.

import { createHash } from 'node:crypto';
import { csvBom, formatCsvChunks, formatCsvRow, type CsvCell } from '../../../lib/text/csv.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import type { StreamedFile } from '../../../providers/zip/zip.ts';
import { toCurrencyTotal } from '../../account/answers.ts';
import {
  findVisibleResidentId,
  formatPostingCells,
  formatResidentCells,
  formatTotalCells,
  archivePostingColumns,
  archiveResidentColumns,
  archiveTotalColumns,
  type ArchivedSettlement,
} from './archive-rows.ts';
import type { SettledPostingRow } from '../queries/settled-postings.ts';
import type { SettlementCharges } from '../read-charges.ts';
import { SettlementSums } from './settlement-sums.ts';

type PostingBatches = AsyncIterable<readonly SettledPostingRow[]>;
type CellBatches = AsyncIterable<readonly CsvCell[][]> | Iterable<readonly CsvCell[][]>;
type FileSummary = { readonly rows: number; readonly bytes: number; readonly sha256: string };
type ManifestFile = FileSummary & { readonly name: string };

/**
 * In the order of the archive, which must be written in this order. `charges` are those of a bank that has a profile for
 * them.
 */
export function createArchiveFiles(
  settlement: ArchivedSettlement,
  batches: PostingBatches,
  charges: SettlementCharges | undefined,
): StreamedFile[] {
  const sums = new SettlementSums();
  const files: ManifestFile[] = [];
  const createCsvEntry = (name: string, columns: readonly string[], formatRows: () => CellBatches): StreamedFile => ({
    name,
    content: () => {
      let rows = 0;
      const chunks = streamCsv(columns, formatRows(), (count) => (rows += count));
      return summarise(chunks, (summary) => files.push({ name, rows, ...summary }));
    },
  });
  const createChargesEntry = ({ count: rows, content }: SettlementCharges): StreamedFile => {
    const name = 'charges.csv';
    return { name, content: () => summarise(content(), (summary) => files.push({ name, rows, ...summary })) };
  };
  return [
    createCsvEntry('postings.csv', archivePostingColumns, () => streamPostingRows(settlement, batches, sums)),
    createCsvEntry('residents.csv', archiveResidentColumns, () => [
      sums.listResidentSums().map((sum) => formatResidentCells(sum, settlement)),
    ]),
    createCsvEntry('totals.csv', archiveTotalColumns, () => [
      settlement.totals.map((total) => formatTotalCells(total, settlement)),
    ]),
    ...(charges === undefined ? [] : [createChargesEntry(charges)]),
    { name: 'manifest.json', content: () => streamManifest(settlement, files, charges) },
  ];
}

async function* streamCsv(
  columns: readonly string[],
  batches: CellBatches,
  count: (rows: number) => void,
): AsyncGenerator<Buffer> {
  yield Buffer.from(csvBom + formatCsvRow(columns));
  for await (const batch of batches) {
    count(batch.length);
    for (const text of formatCsvChunks(batch)) yield Buffer.from(text);
  }
}

/** Passes the chunks on, and at their end says what the file is for the manifest. */
async function* summarise(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onFinished: (summary: Omit<FileSummary, 'rows'>) => void,
): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunks) {
    digest.update(chunk);
    bytes += chunk.length;
    yield chunk;
  }
  onFinished({ bytes, sha256: digest.digest('hex') });
}

async function* streamPostingRows(
  settlement: ArchivedSettlement,
  batches: PostingBatches,
  sums: SettlementSums,
): AsyncGenerator<CsvCell[][]> {
  for await (const rows of batches)
    yield rows.map((row) => {
      if (row.period !== settlement.period.period)
        throw new Error(`posting ${row.posting_id} belongs to another period`);
      const residentId = findVisibleResidentId(row, settlement);
      sums.add(row, residentId);
      return formatPostingCells(row, residentId, settlement);
    });
  // Checked before any file shows the sums.
  if (!sums.equalTotals(settlement.totals)) throw new Error('the postings of a settlement differ from its totals');
}

async function* streamManifest(
  { bankKid, period, totals }: ArchivedSettlement,
  files: readonly ManifestFile[],
  charges: SettlementCharges | undefined,
): AsyncGenerator<string> {
  const manifest = {
    bankKid,
    period: period.period,
    fromUtc: formatUtc(period.fromAt),
    throughUtc: formatUtc(period.throughAt),
    closedAtUtc: formatUtc(period.closedAt),
    // The link of the closing in the ledger's hash chain.
    ...(period.chain === null ? {} : { chain: period.chain }),
    totals: totals.map(toCurrencyTotal),
    files,
    ...(charges === undefined ? {} : { charges: describeCharges(charges) }),
  };
  yield `${JSON.stringify(manifest, null, 2)}\n`;
}

/** By what they were written, and how many are left out because the identities of their residents are no longer shown. */
const describeCharges = ({ profile, version, keySource, withheld }: SettlementCharges) => ({
  profile,
  version,
  keys: keySource,
  withheld,
});
