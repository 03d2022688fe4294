// The columns of bookings, and how a row of them is read.

import type { ImportColumn, ParsedRow, RowValues } from '../../import-kind.ts';
import { importTimeReason, parseImportTime } from '../../rules/import-time.ts';
import {
  currencyReason,
  parsePostingCurrency,
  parseFlag,
  parseMinorUnits,
} from '../../postings/rules/posting-fields.ts';
import { RowParser } from '../../rules/row-errors.ts';

export const bookingImportColumns: readonly ImportColumn[] = [
  { field: 'unit', description: 'The unit that is booked.', example: '1', isRequired: true, references: 'units' },
  {
    field: 'resident',
    description: 'Who has booked it; empty is the guest.',
    example: '1',
    references: 'residents',
  },
  {
    field: 'anonymous',
    description: 'True for a booking whose identity has expired: it belongs to the user who stands for all of them.',
    example: 'false',
  },
  {
    field: 'from',
    description: 'When it begins, a multiple of five minutes: an instant with an offset, or local time of the unit.',
    example: '2026-01-31T08:00',
    isRequired: true,
  },
  { field: 'to', description: 'When it ends, at most two weeks later.', example: '2026-01-31T10:00', isRequired: true },
  { field: 'state', description: 'Booked (also where it is empty) or Cancelled.', example: 'Booked' },
  { field: 'price', description: 'What it costs; empty is nothing.', example: '25.00', decimals: 'currency' },
  { field: 'currency', description: 'ISO 4217; empty is the currency of the bank.', example: 'DKK' },
  {
    field: 'bookedAt',
    description: 'When it was booked: the rules of that time apply. Empty is the time of the import.',
    example: '2026-01-20T18:30:00Z',
  },
  { field: 'cancelledAt', description: 'When it was cancelled. Empty is the end of the booking.', example: '' },
  {
    field: 'posting',
    description: 'The posting of the price, if one was charged: a cancellation refunds it.',
    example: '',
    references: 'postings',
  },
];

const parseState = (text: string): string | undefined =>
  ['Booked', 'Cancelled'].find((state) => state.toLowerCase() === text.toLowerCase());

const parsePrice = (text: string): string | undefined => {
  const price = parseMinorUnits(text);
  return price === undefined || price.startsWith('-') ? undefined : price;
};

export function parseBookingRow(given: RowValues): ParsedRow {
  const row = new RowParser(given);
  row.require('unit', 'from', 'to');
  for (const name of ['from', 'to', 'bookedAt', 'cancelledAt']) row.field(name, parseImportTime, importTimeReason);
  row.field('anonymous', parseFlag, 'must be true or false');
  row.field('state', parseState, 'must be Booked or Cancelled');
  row.field('price', parsePrice, 'must be an amount of zero or more, of at most 64 bits');
  row.field('currency', parsePostingCurrency, currencyReason);
  for (const name of ['unit', 'resident', 'posting']) row.field(name, (text) => text, '');
  const { values } = row;
  if (values['anonymous'] === 'true' && (values['resident'] ?? '') !== '')
    row.fail({ field: 'resident', code: 'invalid', text: 'resident: must be empty where the booking is anonymous.' });
  if ((values['cancelledAt'] ?? '') !== '' && values['state'] !== 'Cancelled')
    row.fail({ field: 'cancelledAt', code: 'invalid', text: 'cancelledAt: must be empty where nothing is cancelled.' });
  return row;
}
