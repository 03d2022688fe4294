// ExportBankAccount: the account's selection as a file.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { Download } from '../../../http/download.ts';
import { csvBom, formatCsvChunks, formatCsvRow } from '../../../lib/csv.ts';
import { parseDecimalOrText } from '../../../providers/spreadsheet/cells.ts';
import type { XlsRow, WriteXls } from '../../../providers/spreadsheet/xls-writer.ts';
import type { BankDisplayCache } from '../bank-display-cache.ts';
import { streamBatches, readExportSnapshot, type ExportSnapshot } from '../export-batches.ts';
import { flattenCells, exportColumns, createExportRowFormatter, type ExportRowContext } from '../export-rows.ts';
import type { AccountSelection } from '../rules/account-selection.ts';

const mediaTypes = { csv: 'text/csv', xls: 'application/vnd.ms-excel' } as const;
export type ExportFormat = keyof typeof mediaTypes;
export const exportMediaTypes: readonly string[] = Object.values(mediaTypes);

type ExportBankAccountDependencies = { readonly bankDisplayCache: BankDisplayCache; readonly writeXls: WriteXls };

export function exportBankAccount(
  context: ManagerContext,
  selection: AccountSelection,
  format: ExportFormat,
  { bankDisplayCache, writeXls }: ExportBankAccountDependencies,
): Download {
  const readSnapshot = () => readExportSnapshot(context, selection, bankDisplayCache);
  const fileName = `${formatFileStem(context, selection)}.${format}`;
  return format === 'csv'
    ? { mediaType: `${mediaTypes.csv}; charset=utf-8`, fileName, content: streamCsv(context, selection, readSnapshot) }
    : { mediaType: mediaTypes.xls, fileName, content: streamXls(context, selection, readSnapshot, writeXls) };
}

function formatFileStem({ tenant }: ManagerContext, { bankId, period, days }: AccountSelection): string {
  const timeRange = days === undefined ? `period-${period}` : `${days.from}-${days.through}`;
  return `${tenant.name}-B${bankId}-account-${timeRange}`;
}

type ReadExportSnapshot = () => Promise<ExportSnapshot>;

async function* streamCsv(
  context: ManagerContext,
  selection: AccountSelection,
  readSnapshot: ReadExportSnapshot,
): AsyncGenerator<string> {
  const snapshot = await readSnapshot();
  const formatRow = createExportRowFormatter({
    ...toExportRowContext(context, selection, snapshot),
    formatDecimal: (decimal) => decimal,
  });
  yield csvBom + formatCsvRow(exportColumns);
  for await (const rows of streamBatches(context, snapshot)) yield* formatCsvChunks(rows.map(formatRow));
}

async function* streamXls(
  context: ManagerContext,
  selection: AccountSelection,
  readSnapshot: ReadExportSnapshot,
  writeXls: WriteXls,
): AsyncGenerator<Uint8Array> {
  yield* await writeXls({ name: 'Account', columns: exportColumns }, streamXlsRows(context, selection, readSnapshot));
}

async function* streamXlsRows(
  context: ManagerContext,
  selection: AccountSelection,
  readSnapshot: ReadExportSnapshot,
): AsyncGenerator<XlsRow[]> {
  const snapshot = await readSnapshot();
  const formatRow = createExportRowFormatter({
    ...toExportRowContext(context, selection, snapshot),
    formatDecimal: parseDecimalOrText,
  });
  for await (const rows of streamBatches(context, snapshot))
    yield rows.map((row) => flattenCells(formatRow(row))).toArray();
}

function toExportRowContext(
  { tenant }: ManagerContext,
  { bankId, timeZone }: AccountSelection,
  { head, identityCutoff, now, bankDisplay }: ExportSnapshot,
): Omit<ExportRowContext, 'formatDecimal'> {
  return {
    bankKid: `${tenant.name}-B${bankId}`,
    openPeriod: head.open_period,
    identityCutoff,
    now,
    locationNames: bankDisplay.locationNames,
    unitNames: bankDisplay.unitNames,
    timeZone,
  };
}
