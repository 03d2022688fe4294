// The files of a settlement's archive. Postings are read once: what the other files sum up is added up while they pass,
// and the manifest, which stands last, tells what all of them came to.

import { createHash } from 'node:crypto';
import { csvBom, formatCsvChunks, formatCsvRow, type CsvCell } from '../../lib/csv.ts';
import { gdprUserId } from '../../lib/kid.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import type { ZipEntry } from '../../providers/zip/zip.ts';
import { formatDocumentKey } from '../account/rules/documents.ts';
import type { ResidentIdentities } from '../residents/queries/identities.ts';
import { toVisibleIdentity, type IdentityVisibility } from '../residents/rules/identity.ts';
import { kindFromCode, paymentKindFromCode } from '../account/rules/kinds.ts';
import type { CurrencyTotal } from '../account/rules/rollups.ts';
import { toTotal } from '../account/schemas.ts';
import type { SettlementPeriod } from './queries/settlement-periods.ts';
import type { SettledPostingRow } from './queries/settled-postings.ts';
import { SettlementSums } from './rules/settlement-sums.ts';

export type ArchivedSettlement = {
  readonly bankKid: string;
  readonly period: SettlementPeriod & { readonly throughAt: number; readonly closedAt: number };
  readonly totals: readonly CurrencyTotal[];
  readonly identities: ResidentIdentities;
  readonly identityVisibility: IdentityVisibility;
};

type PostingBatches = AsyncIterable<readonly SettledPostingRow[]>;
type ArchiveFileSummary = {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
};

/** In the order in which they stand in the archive. */
export function createArchiveFiles(settlement: ArchivedSettlement, batches: PostingBatches): ZipEntry[] {
  const sums = new SettlementSums();
  const summaries: ArchiveFileSummary[] = [];
  const createCsvEntry = (name: string, columns: readonly string[], rows: () => CellBatches): ZipEntry => ({
    name,
    content: () => streamCsvFile(columns, rows(), (counted) => summaries.push({ name, ...counted })),
  });
  return [
    createCsvEntry('postings.csv', postingColumns, () => streamPostingRows(settlement, batches, sums)),
    createCsvEntry('residents.csv', residentColumns, () => listResidentRows(settlement, sums)),
    createCsvEntry('totals.csv', totalColumns, () => listTotalRows(settlement)),
    { name: 'manifest.json', content: () => streamManifest(settlement, summaries) },
  ];
}

type CellBatches = AsyncIterable<readonly (readonly CsvCell[])[]> | Iterable<readonly (readonly CsvCell[])[]>;

async function* streamCsvFile(
  columns: readonly string[],
  batches: CellBatches,
  onFinished: (counted: Omit<ArchiveFileSummary, 'name'>) => void,
): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  let [rows, bytes] = [0, 0];
  const encodeChunk = (text: string): Buffer => {
    const chunk = Buffer.from(text);
    digest.update(chunk);
    bytes += chunk.length;
    return chunk;
  };
  yield encodeChunk(csvBom + formatCsvRow(columns));
  for await (const batch of batches) {
    rows += batch.length;
    for (const text of formatCsvChunks(batch)) yield encodeChunk(text);
  }
  onFinished({ rows, bytes, sha256: digest.digest('hex') });
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

async function* streamPostingRows(settlement: ArchivedSettlement, batches: PostingBatches, sums: SettlementSums) {
  for await (const rows of batches)
    yield rows.map((row) => {
      if (row.period !== settlement.period.period) throw new Error(`posting ${row.posting_id} is of another period`);
      const userId = findVisibleUserId(row, settlement);
      sums.add(row, userId);
      return formatPostingCells(row, userId, settlement.bankKid);
    });
  // Before the sums are written down anywhere: what the ledger keeps as the period's totals is what passed here.
  if (!sums.equalTotals(settlement.totals)) throw new Error('the postings of a settlement do not come to its totals');
}

/** Whose posting it is; nobody's where the identity has expired. */
function findVisibleUserId(row: SettledPostingRow, { identities, identityVisibility }: ArchivedSettlement): number {
  const { name = null, expiredAt = null } = identities.get(row.user_id) ?? {};
  const identity = { ...row, resident_name: name, resident_expired_at: expiredAt };
  return toVisibleIdentity(identity, identityVisibility).userId;
}

function formatPostingCells(row: SettledPostingRow, userId: number, bankKid: string): CsvCell[] {
  const locationKid = row.location_id === 0 ? '' : `${bankKid}-L${row.location_id}`;
  const isPaymentManaged = paymentKindFromCode(row.payment_kind) === 'Managed';
  return [
    `${bankKid}-X${row.posting_id}`,
    formatUtc(row.recorded_at),
    locationKid,
    locationKid === '' || row.unit_id === 0 ? '' : `${locationKid}-U${row.unit_id}`,
    `${bankKid}-R${userId}`,
    kindFromCode(row.kind),
    row.amount_minor,
    row.currency,
    formatDocumentKey({ ...row, isPaymentManaged, isAnonymized: userId === gdprUserId }),
  ];
}

const residentColumns = ['userKid', 'name', 'currency', 'count', 'amountMinor'];

function* listResidentRows({ bankKid, identities }: ArchivedSettlement, sums: SettlementSums) {
  yield sums.listResidentSums().map(({ userId, currency, count, amountMinor }) => {
    const name = userId === gdprUserId ? '' : (identities.get(userId)?.name ?? '');
    return [`${bankKid}-R${userId}`, name, currency, count, amountMinor];
  });
}

const totalColumns = ['currency', 'count', 'debitMinor', 'creditMinor', 'amountMinor'];

function* listTotalRows({ totals }: ArchivedSettlement) {
  yield totals.map(({ currency, count, debitMinor, creditMinor }) => [
    currency,
    count,
    debitMinor,
    creditMinor,
    debitMinor + creditMinor,
  ]);
}

async function* streamManifest(
  { bankKid, period, totals }: ArchivedSettlement,
  files: readonly ArchiveFileSummary[],
): AsyncGenerator<string> {
  const facts = {
    bankKid,
    period: period.period,
    fromUtc: formatUtc(period.fromAt),
    throughUtc: formatUtc(period.throughAt),
    closedAtUtc: formatUtc(period.closedAt),
    // What the ledger's hash chain came to when the period was closed.
    ...(period.chain === null ? {} : { chain: period.chain }),
    totals: totals.map(toTotal),
    files,
  };
  yield `${JSON.stringify(facts, null, 2)}\n`;
}
