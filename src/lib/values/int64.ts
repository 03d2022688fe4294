// Signed 64-bit integers from storage to JSON. Storage returns a `number` while it is exact and a `bigint` beyond;
// arithmetic uses bigint, and JSON has every digit.

/** A 64-bit integer as storage delivers it. */
export type Int64 = number | bigint;

/** A 64-bit integer as JSON carries it: exact, whatever its size. */
export type JsonInt64 = number | RawJson;

/** A number in JSON with the digits that it was given. */
export type RawJson = { readonly rawJSON: string };

// The ECMAScript proposal "JSON.parse source text access", present in the engine but not yet in TypeScript's library.
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
};

export const int64Min = -(2n ** 63n);
export const int64Max = 2n ** 63n - 1n;

const twoTo32 = 2n ** 32n;

export function isInt64(value: bigint): boolean {
  return value >= int64Min && value <= int64Max;
}

/** The JSON form of an integer: a plain number while exact, otherwise its digits. */
export function toJsonInt64(value: Int64): JsonInt64 {
  if (typeof value === 'number') return value;
  const narrow = Number(value);
  return Number.isSafeInteger(narrow) ? narrow : rawJSON(value.toString());
}

/** A number in JSON as it is spelled here: `-12.30`. */
export const toRawJson = (spelled: string): RawJson => rawJSON(spelled);

/** Whether a parsed JSON value is a number that kept its spelling. */
export const isExactNumber = (value: unknown): value is RawJson => isRawJSON(value);

/** Whether a parsed JSON value is a number, whatever its digits. */
export const isJsonNumber = (value: unknown): boolean => Number.isFinite(value) || isRawJSON(value);

/** The integer that a parsed JSON value is; undefined for anything else, a number that is not exact among it. */
export function parseJsonInt64(value: unknown): bigint | undefined {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return undefined;
  const whole = parseJsonDecimal(value, 0);
  return whole !== undefined && isInt64(whole) ? whole : undefined;
}

/** An integer has one spelling as a string: no sign but a minus, no leading zero, no exponent. */
const decimalStringPattern = /^(?:0|-?[1-9]\d{0,18})$/;

/** The integer that a string spells, for clients whose JSON numbers have fewer than 64 bits. */
export function parseDecimalInt64(text: string): bigint | undefined {
  if (!decimalStringPattern.test(text)) return undefined;
  const whole = BigInt(text);
  return isInt64(whole) ? whole : undefined;
}

/**
 * The number that a parsed JSON value is, counted in units of its last decimal: with two decimals, 1.5 is 150. Undefined
 * for anything else, and where it has more decimals.
 */
export function parseJsonDecimal(value: unknown, decimals: number): bigint | undefined {
  if (typeof value === 'number') return parseScaledInteger(String(value), decimals);
  return isRawJSON(value) ? parseScaledInteger(value.rawJSON, decimals) : undefined;
}

/** Parses a number as JSON or JavaScript spells it. */
export function parseScaledInteger(number: string, decimals: number): bigint | undefined {
  const [, sign = '', digits, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  // No double has a larger exponent; a power of ten takes as much memory as its digits.
  if (digits === undefined || Math.abs(Number(exponent)) > 400) return undefined;
  const shift = Number(exponent) - fraction.length + decimals;
  const written = BigInt(sign + digits + fraction);
  if (shift >= 0) return written * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return written % divisor === 0n ? written / divisor : undefined;
}

/** Sixteen digits, or fewer and a point; or a power of ten. */
const manyDigitsPattern = /\d[\d.]{15}|\d[eE][+-]?\d/;

/** Whether a JSON text may hold numbers that no double is exact for. */
export const mayNeedExactNumbers = (text: string): boolean => manyDigitsPattern.test(text);

/** Parses JSON; numbers that no double is surely exact for keep their spelling. */
export function parseExactJson(text: string): unknown {
  const exact = (_key: string, value: unknown, { source = '' }: { source?: string } = {}): unknown =>
    typeof value === 'number' && manyDigitsPattern.test(source) && !equalsSource(value, source)
      ? rawJSON(source)
      : value;
  return JSON.parse(text, exact as Parameters<typeof JSON.parse>[1]);
}

/** Whether a number equals its source text. An integer beyond 2^53 may have been rounded. */
function equalsSource(value: number, source: string): boolean {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return false;
  if (String(value) === source) return true;
  const decimals = source.length;
  return parseScaledInteger(source, decimals) === parseScaledInteger(String(value), decimals);
}

/**
 * Splits an integer at 2^32, both parts truncated towards zero as SQL's integer division does, so that sums of each
 * part cannot overflow a 64-bit column before two thousand million addends.
 */
export function splitInt64(value: Int64): { high: number; low: number } {
  // Nearly every amount. Comparing costs less than dividing.
  if (value > -twoTo32 && value < twoTo32) return { high: 0, low: Number(value) };
  const whole = BigInt(value);
  return { high: Number(whole / twoTo32), low: Number(whole % twoTo32) };
}

/** The exact sum whose parts were added up separately. */
export function joinInt64(high: Int64, low: Int64): bigint {
  return BigInt(high) * twoTo32 + BigInt(low);
}
