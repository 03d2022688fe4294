// The columns of postings, and how a row of them is read.

import { parseDecimalInt64 } from '../../../../lib/values/int64.ts';
import { kinds, paymentKinds } from '../../../account/rules/posting-kinds.ts';
import type { ImportColumn, ParsedRow, RowValues } from '../../import-kind.ts';
import { importTimeReason, parseImportTime } from '../../rules/import-time.ts';
import { RowParser } from '../../rules/row-errors.ts';

/** What ISO 4217 has for no currency: the ledger has postings whose currency is unknown. */
export const unknownCurrency = 'XXX';

/** As long as the columns of the ledger. */
const maxTextLength = 500;

export const postingImportColumns: readonly ImportColumn[] = [
  {
    field: 'at',
    description: 'When it happened: an instant with an offset, or local time of the location. It can be long ago.',
    example: '2026-01-31T07:15:00Z',
    isRequired: true,
  },
  { field: 'resident', description: 'Whose account; empty is the guest.', example: '1', references: 'residents' },
  {
    field: 'anonymous',
    description: 'True for a posting whose identity has expired: it belongs to the user who stands for all of them.',
    example: 'false',
  },
  {
    field: 'location',
    description: 'Where it happened. May be empty where there is a unit.',
    example: '1',
    references: 'locations',
  },
  { field: 'unit', description: 'The unit that was used.', example: '1', references: 'units' },
  { field: 'kind', description: `One of ${kinds.join(', ')}.`, example: 'Consumption', isRequired: true },
  { field: 'paymentKind', description: `Empty, or one of ${paymentKinds.slice(1).join(', ')}.`, example: '' },
  {
    field: 'amount',
    description: 'What it adds to the account: less than zero for consumption, more for a payment.',
    example: '-12.50',
    isRequired: true,
    decimals: 'currency',
  },
  {
    field: 'currency',
    description: `ISO 4217; empty is the currency of the bank, ${unknownCurrency} an unknown one.`,
    example: 'DKK',
  },
  {
    field: 'vat',
    description:
      'The tax that the amount contains. Empty is none; without the column it follows from the rate of the bank.',
    example: '-2.50',
    decimals: 'currency',
  },
  { field: 'document', description: 'The number that the postings of one run share.', example: '4711' },
  { field: 'text', description: 'What it was for.', example: 'Wash at 60 degrees' },
  {
    field: 'internalTag',
    description: 'The number by which the equipment can take consumption back. Without one it cannot be reversed.',
    example: '8',
  },
  { field: 'reverses', description: 'The posting that it reverses.', example: '', references: 'postings' },
  { field: 'refunds', description: 'The use of which it refunds a part.', example: '', references: 'postings' },
];

const isoCurrencies: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('currency'), unknownCurrency]);

const parseOneOf =
  (words: readonly string[]) =>
  (text: string): string | undefined =>
    words.find((word) => word.toLowerCase() === text.toLowerCase());

export const parseMinorUnits = (text: string): string | undefined => parseDecimalInt64(text)?.toString();

export const currencyReason = 'must be a code of ISO 4217';

export const parsePostingCurrency = (text: string): string | undefined => {
  const code = text.toUpperCase();
  return isoCurrencies.has(code) ? code : undefined;
};

const parseId = (text: string): string | undefined =>
  /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? text : undefined;

/** As the texts of lines that machines send. */
const parsePostingText = (text: string): string | undefined =>
  text.length <= maxTextLength && text.isWellFormed() && !/\p{Cc}/u.test(text) ? text : undefined;

const amountReason = 'must be an amount of at most 64 bits';

export function parsePostingRow(given: RowValues): ParsedRow {
  const row = new RowParser(given);
  row.require('at', 'kind', 'amount');
  row.field('at', parseImportTime, importTimeReason);
  row.field('anonymous', parseFlag, 'must be true or false');
  row.field('kind', parseOneOf(kinds), `must be one of ${kinds.join(', ')}`);
  row.field('paymentKind', parseOneOf(paymentKinds.slice(1)), `must be one of ${paymentKinds.slice(1).join(', ')}`);
  row.field('amount', parseMinorUnits, amountReason);
  row.field('currency', parsePostingCurrency, currencyReason);
  row.field('vat', parseMinorUnits, amountReason);
  row.field('document', parseId, 'must be a positive whole number');
  row.field('text', parsePostingText, `must have at most ${maxTextLength} characters, and no control characters`);
  row.field('internalTag', parseId, 'must be a positive whole number');
  for (const name of ['resident', 'location', 'unit', 'reverses', 'refunds']) row.field(name, (text) => text, '');
  addContradictions(row, given);
  return row;
}

/** False is the same as empty. */
export const parseFlag = (text: string): string | undefined =>
  new Map([
    ['true', 'true'],
    ['false', ''],
  ]).get(text.toLowerCase());

const has = (given: RowValues, name: string): boolean => (given[name] ?? '') !== '';

function addContradictions(row: RowParser, given: RowValues): void {
  const { values } = row;
  if (values['anonymous'] === 'true' && has(given, 'resident'))
    row.fail({ field: 'resident', code: 'invalid', text: 'resident: must be empty where the posting is anonymous.' });
  if (has(given, 'reverses') && has(given, 'refunds'))
    row.fail({
      field: 'refunds',
      code: 'invalid',
      text: 'refunds: must be empty where the posting reverses another one.',
    });
  const [amount, vat] = [BigInt(values['amount'] || 0), BigInt(values['vat'] || 0)];
  if (vat !== 0n && (vat < 0n !== amount < 0n || magnitude(vat) > magnitude(amount)))
    row.fail({ field: 'vat', code: 'invalid', text: 'vat: must have the sign of the amount, and be no more than it.' });
  const reason = findSignReason(values, has(given, 'reverses') || has(given, 'refunds'), amount);
  if (reason !== undefined) row.fail({ field: 'amount', code: 'invalid', text: `amount: ${reason}.` });
}

const magnitude = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

/** As of lines that machines send: consumption is zero or less, what is paid is more. */
function findSignReason({ kind, anonymous }: RowValues, isOfOther: boolean, amount: bigint): string | undefined {
  // The posting that an anonymous one reverses is not told.
  if (kind === 'Consumption' && amount > 0n && !isOfOther && anonymous !== 'true')
    return 'must be zero or less for consumption that reverses and refunds nothing';
  return kind === 'Payment' && amount <= 0n ? 'must be above zero for a payment' : undefined;
}
