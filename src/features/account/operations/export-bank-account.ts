// ExportBankAccount: streams the rows of a selection as a CSV or XLS file.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { Download } from '../../../http/representations/results.ts';
import { csvBom, formatCsvChunks, formatCsvRow } from '../../../lib/text/csv.ts';
import { formatBankKid, type KidOf } from '../../../lib/kid.ts';
import { parseDecimalOrText } from '../../../providers/spreadsheet/cells.ts';
import type { XlsRow, WriteXls } from '../../../providers/spreadsheet/xls-writer.ts';
import { recordExport } from '../../audit/record-export.ts';
import type { BankDisplayCache } from '../process/bank-display-cache.ts';
import { maxXlsRows, streamBatches, readExportSnapshot, type AccountExportInput } from '../read-export-snapshot.ts';
import {
  flattenCells,
  accountExportColumns,
  createExportRowFormatter,
  type ExportCellOrGroup,
} from '../rules/export-rows.ts';
import {
  parseAccountSelection,
  type AccountSelection,
  type AccountSelectionQuery,
} from '../rules/account-selection.ts';
import type { FormatDecimalCell } from '../rules/export-amount.ts';

const mediaTypes = { csv: 'text/csv', xls: 'application/vnd.ms-excel' } as const;
export const exportMediaTypes: readonly string[] = Object.values(mediaTypes);

type ExportBankAccountInput = {
  readonly bankKid: KidOf<'bank'>;
  readonly format: keyof typeof mediaTypes;
  readonly query: AccountSelectionQuery;
};

export function exportBankAccount(
  context: ManagerContext,
  { bankKid: { bankId }, format, query }: ExportBankAccountInput,
  { bankDisplayCache, writeXls }: { readonly bankDisplayCache: BankDisplayCache; readonly writeXls: WriteXls },
): Download {
  const { scope, tenant, now } = context;
  const selection = parseAccountSelection(scope, { bankId, query, tenant, now });
  const { bank, period, days } = selection;
  const record = (rows: number): Promise<void> =>
    recordExport(context, {
      object: formatBankKid(bank.tenant, bankId),
      bankId,
      exported: { format, rows, ...days, ...(period === undefined ? {} : { period }) },
    });
  const maxRows = format === 'xls' ? maxXlsRows : undefined;
  const input = { context, selection, bankDisplayCache, maxRows, record };
  const fileName = `${formatFileStem(selection)}.${format}`;
  return format === 'csv'
    ? { mediaType: `${mediaTypes.csv}; charset=utf-8`, fileName, content: streamCsv(input) }
    : { mediaType: mediaTypes.xls, fileName, content: streamXls(input, writeXls) };
}

function formatFileStem({ bank, period, days }: AccountSelection): string {
  const parts = period === undefined ? [] : [`period-${period}`];
  if (days !== undefined) parts.push(days.from, days.through);
  return `${formatBankKid(bank.tenant, bank.bankId)}-account-${parts.join('-')}`;
}

async function* streamCsv(input: AccountExportInput): AsyncGenerator<string> {
  const batches = await readCells(input, (decimal) => decimal);
  yield csvBom + formatCsvRow(accountExportColumns);
  for await (const rows of batches) yield* formatCsvChunks(rows);
}

async function* streamXls(input: AccountExportInput, writeXls: WriteXls): AsyncGenerator<Uint8Array> {
  yield* await writeXls(
    { name: 'Account', columns: accountExportColumns, moneyColumns: ['amount'] },
    streamXlsRows(input),
  );
}

async function* streamXlsRows(input: AccountExportInput): AsyncGenerator<XlsRow[]> {
  for await (const rows of await readCells(input, parseDecimalOrText)) yield rows.map(flattenCells).toArray();
}

type CellBatches = AsyncIterable<IteratorObject<ExportCellOrGroup[]>>;

/** The cells of all rows, in batches, once the first batch has been read. */
async function readCells(input: AccountExportInput, formatDecimal: FormatDecimalCell): Promise<CellBatches> {
  const snapshot = await readExportSnapshot(input);
  const { bank, timeZone } = input.selection;
  const { bankState, identityVisibility, bankDisplay } = snapshot;
  const formatRow = createExportRowFormatter({
    bankKid: formatBankKid(bank.tenant, bank.bankId),
    openPeriod: bankState.open_period,
    identityVisibility,
    locationNames: bankDisplay.locationNames,
    unitNames: bankDisplay.unitNames,
    timeZone,
    formatDecimal,
  });
  return mapBatches(streamBatches(input.context, snapshot), formatRow);
}

async function* mapBatches<T, U>(
  batches: AsyncIterable<IteratorObject<T>>,
  map: (row: T) => U,
): AsyncGenerator<IteratorObject<U>> {
  for await (const rows of batches) yield rows.map(map);
}
