// The fields of bookings, and what they mean together.

import type { FieldTable, ParsedFields } from '../../import-kind.ts';
import {
  parseCurrencyCode,
  parseFlag,
  parseMinorUnits,
  parserOfWords,
  parserWith,
  parseTime,
} from '../../rules/field-parsers.ts';
import { addErrors, fieldError } from '../../rules/parse-fields.ts';

const parsePrice = parserWith((text) => {
  const price = parseMinorUnits(text);
  return price?.startsWith('-') === true ? undefined : price;
}, 'must be an amount of zero or more, of at most 64 bits');

export const bookingFields = {
  unit: { description: 'The unit that is booked.', example: '1', isRequired: true, references: 'units' },
  resident: {
    description: 'Who has booked it; empty is the guest.',
    example: '1',
    references: 'residents',
    whenGone: { anonymous: 'true' },
  },
  anonymous: {
    description: 'True for a booking whose identity has expired: it belongs to the user who stands for all of them.',
    example: 'false',
    parse: parseFlag,
  },
  from: {
    description: 'When it begins, a multiple of five minutes: an instant with an offset, or local time of the unit.',
    example: '2026-01-31T08:00',
    isRequired: true,
    parse: parseTime,
  },
  to: {
    description: 'When it ends, at most two weeks later.',
    example: '2026-01-31T10:00',
    isRequired: true,
    parse: parseTime,
  },
  state: {
    description: 'Booked (also where it is empty) or Cancelled.',
    example: 'Booked',
    parse: parserOfWords(['Booked', 'Cancelled'], 'must be Booked or Cancelled'),
  },
  price: {
    description: 'What it costs; empty is nothing.',
    example: '25.00',
    decimals: 'currency',
    parse: parsePrice,
  },
  currency: {
    description: 'ISO 4217; empty is the currency of the bank.',
    example: 'DKK',
    parse: parseCurrencyCode,
  },
  bookedAt: {
    description: 'When it was booked: the rules of that time apply. Empty is the time of the import.',
    example: '2026-01-20T18:30:00Z',
    parse: parseTime,
  },
  cancelledAt: {
    description: 'When it was cancelled. Empty is the end of the booking.',
    example: '',
    parse: parseTime,
  },
  posting: {
    description: 'The posting of the price, if one was charged: a cancellation refunds it.',
    example: '',
    references: 'postings',
  },
} as const satisfies FieldTable;

export type BookingField = keyof typeof bookingFields;

export function combineBooking(parsed: ParsedFields): ParsedFields {
  const { anonymous, resident = '', state, cancelledAt = '' } = parsed.values;
  return addErrors(parsed, [
    ...(anonymous === 'true' && resident !== ''
      ? [fieldError('resident', 'invalid', 'must be empty where the booking is anonymous')]
      : []),
    ...(cancelledAt !== '' && state !== 'Cancelled'
      ? [fieldError('cancelledAt', 'invalid', 'must be empty where nothing is cancelled')]
      : []),
  ]);
}
