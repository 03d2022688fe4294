// The columns of an account's file. Their names are the same in every language; times, amounts and identities are those
// that the account itself shows. Cells that go together in many rows are made once.

import { CsvCells } from '../../lib/csv.ts';
import { gdprUserId } from '../../lib/kid.ts';
import { exportAmounts, type AmountText } from './export-amount.ts';
import { localTimeIn, utcTimes } from './export-time.ts';
import type { PostingRow } from './queries/page.ts';
import { isAnonymized } from './rules/identity.ts';
import { kindOf, paymentKindOf } from './rules/kinds.ts';
import { linkOf, locationKidOf, shownKeyOf, unitKidOf, type EntryContext } from './schemas.ts';

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
export type ExportPart = ExportCell | CsvCells<ExportCell>;

export type ExportContext = EntryContext & {
  readonly timeZone: string;
  /** What becomes of an amount's decimals is the file format's. */
  readonly amount: AmountText;
};

/** Makes rows' cells, in the order of the columns. */
export function exportRows(context: ExportContext): (row: PostingRow) => ExportPart[] {
  const { bankKid, openPeriod, cutoff, now } = context;
  const [utcText, localText] = [utcTimes(), localTimeIn(context.timeZone)];
  const [placeOf, kindsOf] = [places(context), kindPairs()];
  const [residentOf, amountOf] = [residents(context), exportAmounts(context.amount)];
  const [linksOf, identifier] = [links(context), `${bankKid}-X`];
  return (row) => {
    const anonymized = isAnonymized(row, cutoff, now);
    return [
      `${identifier}${row.posting_id}`,
      utcText(row.recorded_at),
      row.recorded_at,
      localText(row.recorded_at),
      placeOf(row.location_id, row.unit_id),
      residentOf(row, anonymized),
      kindsOf(row.kind, row.payment_kind),
      anonymized ? kindOf(row.kind) : row.text,
      amountOf(row.amount_minor, row.currency),
      row.vat_minor,
      row.period === openPeriod ? 0 : row.period,
      shownKeyOf(row, anonymized),
      linksOf(row, anonymized),
    ];
  };
}

/** The single cells. */
export const cellsOf = (parts: readonly ExportPart[]): ExportCell[] =>
  parts.flatMap((part) => (part instanceof CsvCells ? part.cells : [part]));

type Pair = (first: number, second: number) => CsvCells<ExportCell>;

/** What a pair of numbers leads to, made once. */
function pairs(make: (first: number, second: number) => ExportCell[]): Pair {
  const known = new Map<number, Map<number, CsvCells<ExportCell>>>();
  return (first, second) => {
    let ofFirst = known.get(first);
    if (ofFirst === undefined) known.set(first, (ofFirst = new Map()));
    let cells = ofFirst.get(second);
    if (cells === undefined) ofFirst.set(second, (cells = new CsvCells(make(first, second))));
    return cells;
  };
}

const places = ({ bankKid, locationNames, unitNames }: EntryContext): Pair =>
  pairs((location, unit) => [
    locationKidOf(bankKid, location),
    locationNames.get(location) ?? '',
    unitKidOf(bankKid, location, unit),
    unitNames.get(`${location}/${unit}`) ?? '',
  ]);

const kindPairs = (): Pair => pairs((kind, paymentKind) => [kindOf(kind), paymentKindOf(paymentKind)]);

// So many residents come again soon; a file may name very many.
const maxResidents = 1000;

function residents({ bankKid }: EntryContext) {
  const known = new Map<number, { readonly name: string; readonly cells: CsvCells<ExportCell> }>();
  const nobody = new CsvCells<ExportCell>([`${bankKid}-R${gdprUserId}`, '']);
  return ({ user_id, resident_name }: PostingRow, anonymized: boolean): CsvCells<ExportCell> => {
    if (anonymized) return nobody;
    const name = resident_name ?? '';
    const found = known.get(user_id);
    if (found?.name === name) return found.cells;
    if (known.size >= maxResidents) known.clear();
    const cells = new CsvCells<ExportCell>([`${bankKid}-R${user_id}`, name]);
    known.set(user_id, { name, cells });
    return cells;
  };
}

function links(context: EntryContext) {
  const none = new CsvCells<ExportCell>([null, null, false]);
  const anonymous = new CsvCells<ExportCell>([null, null, true]);
  return (row: PostingRow, anonymized: boolean): CsvCells<ExportCell> => {
    const { reversal_of, reversed_by, original_at, reversed_at } = row;
    if (reversal_of === null && reversed_by === null) return anonymized ? anonymous : none;
    const of = linkOf(row, reversal_of, original_at, context);
    return new CsvCells([of, linkOf(row, reversed_by, reversed_at, context), anonymized]);
  };
}
