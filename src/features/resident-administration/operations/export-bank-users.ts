// ExportBankUsers: streams the residents that match a list's filters as a CSV file.

import type { Static } from 'typebox';
import type { BankUsersExportQuery } from '../schemas.ts';
import { Readable } from 'node:stream';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Db } from '../../../database/db.ts';
import type { PackedRows } from '../../../database/statements/json-rows.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { Download } from '../../../http/representations/results.ts';
import {
  CachedCsvCells,
  csvBom,
  formatCsvChunks,
  formatCsvRow,
  PlainCsvCell,
  unguardedCsvCell,
  type CsvReader,
  type CsvRowPart,
} from '../../../lib/text/csv.ts';
import { formatBankKid, formatLocationKid, createUserKidFormatter, type KidOf } from '../../../lib/kid.ts';
import { readAhead } from '../../../lib/queues/read-ahead.ts';
import { requireCoveredBank, type GrantedBank } from '../../../permissions/coverage.ts';
import { recordExport } from '../../audit/record-export.ts';
import { requireBank } from '../../places/require-place.ts';
import { personalFields } from '../../residents/fields.ts';
import { listResidentIds, preparePackedResidents, readLocationNames, unpackResidents } from '../queries/residents.ts';
import { residentStateOf } from '../rules/allowed-commands.ts';
import { createResidentCriteria, matchesNoResident, type ResidentCriteria } from '../rules/resident-criteria.ts';

const residentExportColumns = ['kid', ...personalFields, 'locationKid', 'locationName', 'state', 'language'];

type ExportBankUsersInput = { readonly bankKid: KidOf<'bank'>; readonly query: Static<typeof BankUsersExportQuery> };

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

/** Small, so that some rows are written out while others are read. */
const batchRows = 450;
/** While one batch is used, the next ones are being read: the database always has one to read. */
const batchesAhead = 3;

/**
 * The file is small, since a bank has at most 98,999 residents, so it is written as fast as the database reads, whatever the client's pace: no slow client holds a
 * connection, and no row changes meanwhile. The beginning is sent before the end is read.
 */
async function* streamCsv(context: ManagerContext, write: WriteCsv): AsyncGenerator<string> {
  const chunks = new Readable({ objectMode: true, read: () => {} });
  const recorded = Promise.withResolvers<void>();
  const fail = (error: Error): void => {
    recorded.reject(error);
    chunks.destroy(error);
  };
  // The iteration below throws the error of the stream.
  chunks.on('error', () => {});
  context
    .readForDownload((db) => write(db, { chunks, recorded: recorded.resolve }))
    .then(() => chunks.push(null), fail);
  // The file is written while its export is being recorded.
  await recorded.promise;
  yield* chunks;
}

type CsvFile = {
  /** Receives the texts of the file. */
  readonly chunks: Readable;
  /** Receives the promise that is fulfilled when the export has been recorded. Nothing is sent before that. */
  readonly recorded: (recording: Promise<void>) => void;
};

type WriteCsv = (db: Db, file: CsvFile) => Promise<void>;

const createCsvWriter =
  (
    criteria: ResidentCriteria,
    { sort, direction, for: reader }: ExportBankUsersInput['query'],
    record: (rows: number) => Promise<void>,
  ): WriteCsv =>
  async (db, { chunks, recorded }) => {
    const { bank } = criteria;
    // Sent together, in this order.
    const required = requireBank(db, bank);
    const listed = matchesNoResident(criteria) ? [] : listResidentIds(db, criteria, { sort, direction });
    // If this fails, the transaction fails as well, and classifies the error.
    const counted = Promise.all([listed, required]).then(([ids]) => recorded(record(ids.length)));
    const [ids, locationNames, read] = await Promise.all([
      listed,
      readLocationNames(db, bank),
      // While the database works.
      endOfTurn().then(() => preparePackedResidents(db, bank)),
      counted,
    ]);
    chunks.push(csvBom + formatCsvRow(residentExportColumns));
    const formatRows = createRowFormatter(bank, locationNames, reader);
    for await (const rows of readAhead(ids, { batchSize: batchRows, batchesAhead, read }))
      for (const chunk of formatCsvChunks(formatRows(rows))) {
        chunks.push(chunk);
        // Lets the transaction that records the export continue, and the client receive the chunks so far.
        await endOfTurn();
      }
  };

type FormatRows = (rows: PackedRows) => Generator<CsvRowPart[]>;

function createRowFormatter(
  bank: GrantedBank,
  locationNames: ReadonlyMap<number, string>,
  reader: CsvReader,
): FormatRows {
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  const formatKid = createUserKidFormatter(bankKid);
  const toCell = reader === 'programs' ? unguardedCsvCell : (text: string): CsvRowPart => text;
  const noLocation: readonly CsvRowPart[] = ['', ''];
  // Many residents share a location.
  const locationCells = new Map<number | null, readonly CsvRowPart[]>();
  for (const [id, name] of locationNames) {
    const kid = formatLocationKid(bankKid, id);
    locationCells.set(id, reader === 'programs' ? [kid, toCell(name)] : [new CachedCsvCells([kid, name])]);
  }
  return function* formatRows(rows) {
    for (const values of unpackResidents(rows)) {
      const [id, locationId, enabled, deletedAt, language, ...texts] = values;
      yield [
        new PlainCsvCell(formatKid(id)),
        ...texts.map(toCell),
        ...(locationCells.get(locationId) ?? noLocation),
        residentStateOf({ enabled, deleted_at: deletedAt }),
        language,
      ];
    }
  };
}
