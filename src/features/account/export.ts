// ExportBankAccount: the account's selection as a file.

import type { ManagerDoor } from '../../http/door.ts';
import type { Download } from '../../http/download.ts';
import { csvBom, csvChunks, csvRow } from '../../lib/csv.ts';
import { decimalOrText } from '../../providers/spreadsheet/cells.ts';
import type { Row, XlsFiles } from '../../providers/spreadsheet/xls.ts';
import type { BankViews } from './bank-view.ts';
import { batchesOf, beginExport, type Beginning } from './export-batches.ts';
import { cellsOf, exportColumns, exportRows, type ExportContext } from './export-rows.ts';
import type { Selection } from './selection.ts';

const mediaTypes = { csv: 'text/csv', xls: 'application/vnd.ms-excel' } as const;
export type ExportFormat = keyof typeof mediaTypes;
export const exportTypes: readonly string[] = Object.values(mediaTypes);

type Parts = { readonly views: BankViews; readonly xls: XlsFiles };

export function exportAccount(
  door: ManagerDoor,
  selection: Selection,
  format: ExportFormat,
  { views, xls }: Parts,
): Download {
  const begin = () => beginExport(door, selection, views);
  const fileName = `${fileStem(door, selection)}.${format}`;
  return format === 'csv'
    ? { type: `${mediaTypes.csv}; charset=utf-8`, fileName, content: csvOf(door, selection, begin) }
    : { type: mediaTypes.xls, fileName, content: xlsOf(door, selection, begin, xls) };
}

function fileStem({ tenant }: ManagerDoor, { bankId, period, days }: Selection): string {
  const when = days === undefined ? `period-${period}` : `${days.from}-${days.through}`;
  return `${tenant.name}-B${bankId}-account-${when}`;
}

type Begin = () => Promise<Beginning>;

async function* csvOf(door: ManagerDoor, selection: Selection, begin: Begin): AsyncGenerator<string> {
  const beginning = await begin();
  const partsOf = exportRows({ ...contextOf(door, selection, beginning), amount: (decimal) => decimal });
  yield csvBom + csvRow(exportColumns);
  for await (const rows of batchesOf(door, beginning)) yield* csvChunks(rows.map(partsOf));
}

async function* xlsOf(
  door: ManagerDoor,
  selection: Selection,
  begin: Begin,
  xls: XlsFiles,
): AsyncGenerator<Uint8Array> {
  yield* await xls({ name: 'Account', columns: exportColumns }, xlsRows(door, selection, begin));
}

async function* xlsRows(door: ManagerDoor, selection: Selection, begin: Begin): AsyncGenerator<Row[]> {
  const beginning = await begin();
  const partsOf = exportRows({ ...contextOf(door, selection, beginning), amount: decimalOrText });
  for await (const rows of batchesOf(door, beginning)) yield rows.map((row) => cellsOf(partsOf(row))).toArray();
}

function contextOf(
  { tenant }: ManagerDoor,
  { bankId, timeZone }: Selection,
  { head, cutoff, now, view }: Beginning,
): Omit<ExportContext, 'amount'> {
  return {
    bankKid: `${tenant.name}-B${bankId}`,
    openPeriod: head.open_period,
    cutoff,
    now,
    locationNames: view.locationNames,
    unitNames: view.unitNames,
    timeZone,
  };
}
