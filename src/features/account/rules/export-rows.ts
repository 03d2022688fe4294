// Formats the rows of an account's export. Times, amounts and identities are formatted as the account shows them.

import { CachedCsvCells } from '../../../lib/text/csv.ts';
import { formatPostingKid, formatUserKid } from '../../../lib/kid.ts';
import { createAmountCells, type FormatDecimalCell } from './export-amount.ts';
import { createLocalTimeFormatter, createUtcTimeFormatter } from './export-time.ts';
import type { PostingRow } from '../queries/posting-page.ts';
import { toVisibleIdentity, type VisibleIdentity } from '../../residents/rules/identity.ts';
import { kindFromCode, paymentKindFromCode } from './posting-kinds.ts';
import {
  formatEntryDocumentKey,
  formatEntryLocationKid,
  formatEntryUnitKid,
  formatReversalLink,
  type AccountEntryContext,
} from '../answers.ts';

/** The names of the columns are the same in every language. */
export const accountExportColumns = [
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

type ExportCell = string | number | bigint | boolean | null;
export type ExportCellOrGroup = ExportCell | CachedCsvCells<ExportCell>;

type AccountExportRowContext = AccountEntryContext & {
  readonly timeZone: string;
  /** Each file format has its own cells for decimals. */
  readonly formatDecimal: FormatDecimalCell;
};

/** Formats the cells of a row, in the order of the columns. Cells that many rows share are formatted once. */
export function createExportRowFormatter(context: AccountExportRowContext): (row: PostingRow) => ExportCellOrGroup[] {
  const { bankKid, openPeriod, identityVisibility } = context;
  const [utcText, localText] = [createUtcTimeFormatter(), createLocalTimeFormatter(context.timeZone)];
  const [placeCells, kindCells] = [createPlaceCells(context), createKindCells()];
  const [residentCells, amountCells] = [createResidentCells(context), createAmountCells(context.formatDecimal)];
  const linkCells = createReversalLinkCells(context);
  return (row) => {
    const identity = toVisibleIdentity(row, identityVisibility);
    return [
      formatPostingKid(bankKid, row.posting_id),
      utcText(row.recorded_at),
      row.recorded_at,
      localText(row.recorded_at),
      placeCells(row.location_id, row.unit_id),
      residentCells(identity),
      kindCells(row.kind, row.payment_kind),
      identity.isAnonymized ? kindFromCode(row.kind) : row.text,
      amountCells(row.amount_minor, row.currency),
      row.vat_minor,
      row.period === openPeriod ? 0 : row.period,
      formatEntryDocumentKey(row, identity.isAnonymized),
      linkCells(row, identity.isAnonymized),
    ];
  };
}

/** The cells of a row without their groups. */
export const flattenCells = (cellsOrGroups: readonly ExportCellOrGroup[]): ExportCell[] =>
  cellsOrGroups.flatMap((part) => (part instanceof CachedCsvCells ? part.cells : [part]));

type GetPairCells = (first: number, second: number) => CachedCsvCells<ExportCell>;

/** Caches the cells of each pair of numbers. */
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

const createPlaceCells = ({ bankKid, locationNames, unitNames }: AccountEntryContext): GetPairCells =>
  createPairCellCache((location, unit) => [
    formatEntryLocationKid(bankKid, location),
    locationNames.get(location) ?? '',
    formatEntryUnitKid(bankKid, location, unit),
    unitNames.get(`${location}/${unit}`) ?? '',
  ]);

const createKindCells = (): GetPairCells =>
  createPairCellCache((kind, paymentKind) => [kindFromCode(kind), paymentKindFromCode(paymentKind)]);

// A file can name very many residents; rows of one resident are often near each other.
const maxCachedResidents = 1000;

function createResidentCells({ bankKid }: AccountEntryContext) {
  const cellsByResident = new Map<number, { readonly name: string; readonly cells: CachedCsvCells<ExportCell> }>();
  return ({ residentId, name }: VisibleIdentity): CachedCsvCells<ExportCell> => {
    const found = cellsByResident.get(residentId);
    if (found?.name === name) return found.cells;
    if (cellsByResident.size >= maxCachedResidents) cellsByResident.clear();
    const cells = new CachedCsvCells<ExportCell>([formatUserKid(bankKid, residentId), name]);
    cellsByResident.set(residentId, { name, cells });
    return cells;
  };
}

function createReversalLinkCells(context: AccountEntryContext) {
  const emptyCells = new CachedCsvCells<ExportCell>([null, null, false]);
  const anonymousCells = new CachedCsvCells<ExportCell>([null, null, true]);
  return (row: PostingRow, isAnonymized: boolean): CachedCsvCells<ExportCell> => {
    const { reversal_of, reversed_by, original_at, reversed_at } = row;
    if (reversal_of === null && reversed_by === null) return isAnonymized ? anonymousCells : emptyCells;
    const of = formatReversalLink(row, reversal_of, original_at, context);
    return new CachedCsvCells([of, formatReversalLink(row, reversed_by, reversed_at, context), isAnonymized]);
  };
}
