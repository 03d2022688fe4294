// ExportBankUsers: streams the residents that match a list's filters as a CSV file.

import { Readable } from 'node:stream';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Db } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { Download } from '../../../http/download.ts';
import type { SortDirection } from '../../../http/list-schemas.ts';
import { CachedCsvCells, csvBom, formatCsvChunks, formatCsvRow, type CsvRowPart } from '../../../lib/csv.ts';
import { formatBankKid, formatLocationKid, formatUserKid, type KidOf } from '../../../lib/kid.ts';
import { prefetchBatches } from '../../../lib/prefetch-batches.ts';
import { Problem } from '../../../lib/problem.ts';
import { requireCoveredBank, type GrantedBank } from '../../../permissions/coverage.ts';
import { recordExport } from '../../audit/record-export.ts';
import { requireBank } from '../../places/queries/visible-places.ts';
import {
  countResidents,
  listPackedResidents,
  readLocationNames,
  unpackResidents,
  type ResidentSort,
} from '../queries/residents.ts';
import { residentStateOf } from '../rules/commands.ts';
import {
  createResidentCriteria,
  isEmptyCriteria,
  type ResidentCriteria,
  type ResidentQuery,
} from '../rules/criteria.ts';

export const maxExportRows = 10_000;

export const exportColumns = [
  'kid',
  'name',
  'email',
  'phone',
  'apartment',
  'locationKid',
  'locationName',
  'state',
  'language',
];

export type ExportBankUsersInput = {
  readonly bankKid: KidOf<'bank'>;
  readonly query: ResidentQuery & { readonly sort: ResidentSort; readonly direction: SortDirection };
};

export function exportBankUsers(context: ManagerContext, { bankKid, query }: ExportBankUsersInput): Download {
  const { scope, now } = context;
  const bank = requireCoveredBank(scope, bankKid);
  const criteria = createResidentCriteria(query, { bank, retentionDays: scope.retentionDays, now });
  const { bankId } = bank;
  const kid = formatBankKid(bank.tenant, bankId);
  const record = (rows: number): Promise<void> =>
    recordExport(context, { object: kid, bankId, exported: { format: 'csv', rows } });
  return {
    mediaType: 'text/csv; charset=utf-8',
    fileName: `${kid}-users.csv`,
    content: streamCsv(context, createCsvWriter(criteria, query, record)),
  };
}

/** So that the database reads some rows while others are written out. Few at first, since nothing is sent before. */
const firstBatchSize = 500;
const readBatchSize = 2500;

/**
 * The file is so small that it is made as fast as the database reads, whatever the client's pace: no slow client keeps a
 * connection, and no row changes meanwhile. Its beginning is sent before its end is read.
 */
async function* streamCsv(context: ManagerContext, write: WriteCsv): AsyncGenerator<string> {
  const chunks = new Readable({ objectMode: true, read: () => {} });
  const recorded = Promise.withResolvers<void>();
  const fail = (error: Error): void => {
    recorded.reject(error);
    chunks.destroy(error);
  };
  // What it is destroyed with is thrown below.
  chunks.on('error', () => {});
  context
    .readForDownload((db) => write(db, { chunks, recorded: recorded.resolve }))
    .then(() => chunks.push(null), fail);
  // The file is made while its export is being recorded.
  await recorded.promise;
  yield* chunks;
}

type CsvFile = {
  /** Gets the texts of the file. */
  readonly chunks: Readable;
  /** Gets the promise that is fulfilled when the export has been recorded: nothing is sent before. */
  readonly recorded: (recording: Promise<void>) => void;
};

type WriteCsv = (db: Db, file: CsvFile) => Promise<void>;

const createCsvWriter =
  (
    criteria: ResidentCriteria,
    { sort, direction }: ExportBankUsersInput['query'],
    record: (rows: number) => Promise<void>,
  ): WriteCsv =>
  async (db, { chunks, recorded }) => {
    const { bank } = criteria;
    await requireBank(db, bank);
    let offset = 0;
    const readBatch = (limit: number): Promise<string[]> => {
      const batch = listPackedResidents(db, criteria, { sort, direction, offset, limit });
      offset += limit;
      return batch;
    };
    const isEmpty = isEmptyCriteria(criteria);
    const counted = isEmpty ? Promise.resolve(0) : countExportedResidents(db, criteria);
    recorded(counted.then(record));
    const [totalCount, first, locationNames] = await Promise.all([
      counted,
      isEmpty ? [] : readBatch(firstBatchSize),
      isEmpty ? new Map<number, string>() : readLocationNames(db, bank),
    ]);
    chunks.push(csvBom + formatCsvRow(exportColumns));
    const readNext = (): Promise<string[]> => readBatch(readBatchSize);
    for await (const rows of prefetchBatches({ first, totalCount, readNext }))
      for (const chunk of formatCsvChunks(formatRows(rows, { bank, locationNames }))) {
        chunks.push(chunk);
        // The transaction that records the export takes its next step, and the client gets what it may.
        await endOfTurn();
      }
  };

async function countExportedResidents(db: Db, criteria: ResidentCriteria): Promise<number> {
  const count = await countResidents(db, criteria);
  if (count > maxExportRows) throw createTooLargeProblem();
  return count;
}

const createTooLargeProblem = (): Problem =>
  new Problem('export-too-large', {
    detail: `More than ${maxExportRows} residents match, which is as many as an export can contain.`,
  });

type CellContext = { readonly bank: GrantedBank; readonly locationNames: ReadonlyMap<number, string> };

// Few rows, so that the garbage collector frees them early.
const unpackBatchSize = 100;

function* formatRows(rows: readonly string[], { bank, locationNames }: CellContext): Generator<CsvRowPart[]> {
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  const noLocation = new CachedCsvCells(['', '']);
  // Many residents share a location.
  const locationCells = new Map<number | null, CachedCsvCells>();
  for (const [id, name] of locationNames)
    locationCells.set(id, new CachedCsvCells([formatLocationKid(bankKid, id), name]));
  for (let from = 0; from < rows.length; from += unpackBatchSize)
    for (const row of unpackResidents(rows.slice(from, from + unpackBatchSize)))
      yield [
        formatUserKid(bankKid, row.resident_id),
        row.name,
        row.email,
        row.phone,
        row.apartment,
        locationCells.get(row.location_id) ?? noLocation,
        residentStateOf(row),
        row.language,
      ];
}
