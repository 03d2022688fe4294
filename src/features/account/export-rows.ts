// The columns of an account's file. Their names are the same in every language; times, amounts and identities are those
// that the account itself shows. Cells that go together in many rows are made once.

import { CachedCsvCells } from '../../lib/csv.ts';
import { gdprUserId } from '../../lib/kid.ts';
import { createAmountCells, type FormatDecimalCell } from './rules/export-amount.ts';
import { createLocalTimeFormatter, createUtcTimeFormatter } from './rules/export-time.ts';
import type { PostingRow } from './queries/posting-page.ts';
import { isAnonymized } from '../residents/rules/identity.ts';
import { kindFromCode, paymentKindFromCode } from './rules/kinds.ts';
import {
  formatReversalLink,
  formatLocationKid,
  formatEntryDocumentKey,
  formatUnitKid,
  type EntryContext,
} from './schemas.ts';

export const exportColumns = [
  'kid',
  'recordedAtUtc',
  'recordedAtMs2000',
  'recordedAtLocal',
  'locationKid',
  'locationName',
  'unitKid',
  'unitName',
  'userKid',
  'userName',
  'kind',
  'paymentKind',
  'text',
  'amountMinor',
  'amount',
  'currency',
  'vatMinor',
  'period',
  'documentKey',
  'reversalOfKid',
  'reversedByKid',
  'isAnonymized',
] as const;

export type ExportCell = string | number | bigint | boolean | null;
export type ExportCellOrGroup = ExportCell | CachedCsvCells<ExportCell>;

export type ExportRowContext = EntryContext & {
  readonly timeZone: string;
  /** What becomes of an amount's decimals is the file format's. */
  readonly formatDecimal: FormatDecimalCell;
};

/** Makes rows' cells, in the order of the columns. */
export function createExportRowFormatter(context: ExportRowContext): (row: PostingRow) => ExportCellOrGroup[] {
  const { bankKid, openPeriod, identityCutoff, now } = context;
  const [utcText, localText] = [createUtcTimeFormatter(), createLocalTimeFormatter(context.timeZone)];
  const [placeCells, kindCells] = [createPlaceCells(context), createKindCells()];
  const [residentCells, amountCells] = [createResidentCells(context), createAmountCells(context.formatDecimal)];
  const [linkCells, postingKidPrefix] = [createReversalLinkCells(context), `${bankKid}-X`];
  return (row) => {
    const anonymized = isAnonymized(row, identityCutoff, now);
    return [
      `${postingKidPrefix}${row.posting_id}`,
      utcText(row.recorded_at),
      row.recorded_at,
      localText(row.recorded_at),
      placeCells(row.location_id, row.unit_id),
      residentCells(row, anonymized),
      kindCells(row.kind, row.payment_kind),
      anonymized ? kindFromCode(row.kind) : row.text,
      amountCells(row.amount_minor, row.currency),
      row.vat_minor,
      row.period === openPeriod ? 0 : row.period,
      formatEntryDocumentKey(row, anonymized),
      linkCells(row, anonymized),
    ];
  };
}

/** The single cells. */
export const flattenCells = (cellsOrGroups: readonly ExportCellOrGroup[]): ExportCell[] =>
  cellsOrGroups.flatMap((part) => (part instanceof CachedCsvCells ? part.cells : [part]));

type GetPairCells = (first: number, second: number) => CachedCsvCells<ExportCell>;

/** What a pair of numbers leads to, made once. */
function createPairCellCache(createCells: (first: number, second: number) => ExportCell[]): GetPairCells {
  const cellsByFirst = new Map<number, Map<number, CachedCsvCells<ExportCell>>>();
  return (first, second) => {
    let ofFirst = cellsByFirst.get(first);
    if (ofFirst === undefined) cellsByFirst.set(first, (ofFirst = new Map()));
    let cells = ofFirst.get(second);
    if (cells === undefined) ofFirst.set(second, (cells = new CachedCsvCells(createCells(first, second))));
    return cells;
  };
}

const createPlaceCells = ({ bankKid, locationNames, unitNames }: EntryContext): GetPairCells =>
  createPairCellCache((location, unit) => [
    formatLocationKid(bankKid, location),
    locationNames.get(location) ?? '',
    formatUnitKid(bankKid, location, unit),
    unitNames.get(`${location}/${unit}`) ?? '',
  ]);

const createKindCells = (): GetPairCells =>
  createPairCellCache((kind, paymentKind) => [kindFromCode(kind), paymentKindFromCode(paymentKind)]);

// So many residents come again soon; a file may name very many.
const maxCachedResidents = 1000;

function createResidentCells({ bankKid }: EntryContext) {
  const cellsByResident = new Map<number, { readonly name: string; readonly cells: CachedCsvCells<ExportCell> }>();
  const anonymousCells = new CachedCsvCells<ExportCell>([`${bankKid}-R${gdprUserId}`, '']);
  return ({ user_id, resident_name }: PostingRow, anonymized: boolean): CachedCsvCells<ExportCell> => {
    if (anonymized) return anonymousCells;
    const name = resident_name ?? '';
    const found = cellsByResident.get(user_id);
    if (found?.name === name) return found.cells;
    if (cellsByResident.size >= maxCachedResidents) cellsByResident.clear();
    const cells = new CachedCsvCells<ExportCell>([`${bankKid}-R${user_id}`, name]);
    cellsByResident.set(user_id, { name, cells });
    return cells;
  };
}

function createReversalLinkCells(context: EntryContext) {
  const emptyCells = new CachedCsvCells<ExportCell>([null, null, false]);
  const anonymousCells = new CachedCsvCells<ExportCell>([null, null, true]);
  return (row: PostingRow, anonymized: boolean): CachedCsvCells<ExportCell> => {
    const { reversal_of, reversed_by, original_at, reversed_at } = row;
    if (reversal_of === null && reversed_by === null) return anonymized ? anonymousCells : emptyCells;
    const of = formatReversalLink(row, reversal_of, original_at, context);
    return new CachedCsvCells([of, formatReversalLink(row, reversed_by, reversed_at, context), anonymized]);
  };
}
