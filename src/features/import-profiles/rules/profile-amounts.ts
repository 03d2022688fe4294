// Amounts as a profile spells them -> whole numbers in units of the last decimal, and back. No amount is ever a double.

import { isInt64 } from '../../../lib/values/int64.ts';

export type AmountFormat = {
  readonly decimals: number;
  /** If it is missing, only a text that can be read in one way is an amount. */
  readonly decimal?: ',' | '.' | 'implied' | undefined;
};

type ParsedAmount = { readonly amount: bigint } | { readonly code: string; readonly reason: string };

/** Groups of three digits are parted by the other mark, or by spaces. */
const withComma = /^(?<whole>[1-9]\d{0,2}([. \u00A0\u202F])\d{3}(?:\2\d{3})*|\d+)(?:,(?<fraction>\d+))?$/;
const withPoint = /^(?<whole>[1-9]\d{0,2}([, \u00A0\u202F])\d{3}(?:\2\d{3})*|\d+)(?:\.(?<fraction>\d+))?$/;

const noAmount = { code: 'not-an-amount', reason: 'must be an amount' };

/** The digits of an amount without its sign. */
export function parseUnsigned(text: string, { decimals, decimal }: AmountFormat): ParsedAmount {
  if (decimal === 'implied') return /^\d+$/.test(text) ? toAmount(text) : noAmount;
  const readings = [
    ...(decimal === '.' ? [] : [withComma.exec(text)]),
    ...(decimal === ',' ? [] : [withPoint.exec(text)]),
  ].flatMap((match) => (match?.groups === undefined ? [] : [match.groups]));
  const [digits, other] = readings.map(({ whole = '', fraction = '' }) =>
    fraction.length > decimals ? undefined : `${whole.replaceAll(/\D/g, '')}${fraction.padEnd(decimals, '0')}`,
  );
  if (readings.length === 0) return noAmount;
  if (readings.length === 2 && digits !== other)
    return {
      code: 'ambiguous-amount',
      reason: `${text} could have thousands or decimals: the profile has to say which`,
    };
  return digits === undefined
    ? { code: 'not-an-amount', reason: `must have ${decimals} decimals at most` }
    : toAmount(digits);
}

function toAmount(digits: string): ParsedAmount {
  // More digits than any amount has are not even converted.
  const amount = digits.length > 100 ? undefined : BigInt(digits);
  if (amount === undefined || !isInt64(amount)) return { code: 'not-an-amount', reason: 'is too large' };
  return { amount };
}

/** The digits of an amount without its sign. */
export function formatUnsigned(amount: bigint, { decimals, decimal = '.' }: AmountFormat): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(decimals + 1, '0');
  if (decimal === 'implied' || decimals === 0) return digits;
  return `${digits.slice(0, -decimals)}${decimal}${digits.slice(-decimals)}`;
}

/** What stands before or after the digits. */
export function splitSign(text: string, at: 'leading' | 'trailing'): { isNegative: boolean; unsigned: string } {
  const sign = text.at(at === 'leading' ? 0 : -1) ?? '';
  if (!/^[-+\u2212]$/.test(sign)) return { isNegative: false, unsigned: text };
  const rest = at === 'leading' ? text.slice(1) : text.slice(0, -1);
  return { isNegative: sign !== '+', unsigned: rest.trim() };
}
