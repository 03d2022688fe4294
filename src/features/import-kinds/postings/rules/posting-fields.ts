// The fields of postings, and what they mean together.

import { kinds, paymentKinds } from '../../../account/rules/posting-kinds.ts';
import type { FieldTable, ParsedFields, RowError, RowValues } from '../../import-kind.ts';
import { unknownCurrency } from '../../rules/decimal-fields.ts';
import {
  parseCurrencyCode,
  parseFlag,
  parseMinorUnits,
  parserOfWords,
  parserWith,
  parseTime,
} from '../../rules/field-parsers.ts';
import { addErrors, fieldError } from '../../rules/parse-fields.ts';

/** The columns of the ledger hold so many characters. */
const maxTextLength = 500;

const parseAmount = parserWith(parseMinorUnits, 'must be an amount of at most 64 bits');

const parseId = parserWith(
  (text) => (/^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? text : undefined),
  'must be a positive whole number',
);

/** Parses a text as those of lines that machines send are parsed. */
const parsePostingText = parserWith(
  (text) => (text.length <= maxTextLength && text.isWellFormed() && !/\p{Cc}/u.test(text) ? text : undefined),
  `must have at most ${maxTextLength} characters, and no control characters`,
);

export const postingFields = {
  at: {
    description: 'When it happened: an instant with an offset, or local time of the location. It can be long ago.',
    example: '2026-01-31T07:15:00Z',
    isRequired: true,
    parse: parseTime,
  },
  resident: {
    description: 'Whose account; empty is the guest.',
    example: '1',
    references: 'residents',
    whenGone: { anonymous: 'true' },
  },
  anonymous: {
    description: 'True for a posting whose identity has expired: it belongs to the user who stands for all of them.',
    example: 'false',
    parse: parseFlag,
  },
  location: {
    description: 'Where it happened. May be empty where there is a unit.',
    example: '1',
    references: 'locations',
  },
  unit: { description: 'The unit that was used.', example: '1', references: 'units' },
  kind: {
    description: `One of ${kinds.join(', ')}.`,
    example: 'Consumption',
    isRequired: true,
    parse: parserOfWords(kinds),
  },
  paymentKind: {
    description: `Empty, or one of ${paymentKinds.slice(1).join(', ')}.`,
    example: '',
    parse: parserOfWords(paymentKinds.slice(1)),
  },
  amount: {
    description: 'What it adds to the account: less than zero for consumption, more for a payment.',
    example: '-12.50',
    isRequired: true,
    decimals: 'currency',
    parse: parseAmount,
  },
  currency: {
    description: `ISO 4217; empty is the currency of the bank, ${unknownCurrency} an unknown one.`,
    example: 'DKK',
    parse: parseCurrencyCode,
  },
  vat: {
    description:
      'The tax that the amount contains. Empty is none; without the column it follows from the rate of the bank.',
    example: '-2.50',
    decimals: 'currency',
    parse: parseAmount,
  },
  document: { description: 'The number that the postings of one run share.', example: '4711', parse: parseId },
  text: { description: 'What it was for.', example: 'Wash at 60 degrees', parse: parsePostingText },
  internalTag: {
    description: 'The number by which the equipment can take consumption back. Without one it cannot be reversed.',
    example: '8',
    parse: parseId,
  },
  reverses: { description: 'The posting that it reverses.', example: '', references: 'postings' },
  refunds: { description: 'The use of which it refunds a part.', example: '', references: 'postings' },
} as const satisfies FieldTable;

export type PostingField = keyof typeof postingFields;

export const combinePosting = (parsed: ParsedFields): ParsedFields =>
  addErrors(parsed, listContradictions(parsed.values));

function listContradictions(values: RowValues): RowError[] {
  const has = (name: PostingField): boolean => (values[name] ?? '') !== '';
  const isOfOther = has('reverses') || has('refunds');
  const [amount, vat] = [BigInt(values['amount'] || 0), BigInt(values['vat'] || 0)];
  const errors: RowError[] = [];
  if (values['anonymous'] === 'true' && has('resident'))
    errors.push(fieldError('resident', 'invalid', 'must be empty where the posting is anonymous'));
  if (has('reverses') && has('refunds'))
    errors.push(fieldError('refunds', 'invalid', 'must be empty where the posting reverses another one'));
  if (vat !== 0n && (vat < 0n !== amount < 0n || magnitude(vat) > magnitude(amount)))
    errors.push(fieldError('vat', 'invalid', 'must have the sign of the amount, and be no more than it'));
  const reason = findSignReason(values, isOfOther, amount);
  if (reason !== undefined) errors.push(fieldError('amount', 'invalid', reason));
  return errors;
}

const magnitude = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

/** The rule is that of lines that machines send: consumption is zero or less, what is paid is more. */
function findSignReason({ kind, anonymous }: RowValues, isOfOther: boolean, amount: bigint): string | undefined {
  // The posting that an anonymous one reverses is not told.
  if (kind === 'Consumption' && amount > 0n && !isOfOther && anonymous !== 'true')
    return 'must be zero or less for consumption that reverses and refunds nothing';
  return kind === 'Payment' && amount <= 0n ? 'must be above zero for a payment' : undefined;
}
