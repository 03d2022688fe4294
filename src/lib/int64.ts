// Signed 64-bit integers end to end. Storage hands out a `number` while it is exact and a `bigint` beyond that;
// arithmetic is done in bigint, and JSON prints every digit.

/** A 64-bit integer as storage delivers it. */
export type Int64 = number | bigint;

/** A 64-bit integer as JSON carries it: exact, whatever its size. */
export type JsonInt64 = number | RawJson;

type RawJson = { readonly rawJSON: string };

// The ECMAScript proposal "JSON.parse source text access", present in the engine but not yet in TypeScript's library.
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
};

export const int64Min = -(2n ** 63n);
export const int64Max = 2n ** 63n - 1n;

const half = 2n ** 32n;

export function isInt64(value: bigint): boolean {
  return value >= int64Min && value <= int64Max;
}

/** The JSON form of an integer: a plain number while exact, otherwise its digits. */
export function jsonInt64(value: Int64): JsonInt64 {
  if (typeof value === 'number') return value;
  const narrow = Number(value);
  return Number.isSafeInteger(narrow) ? narrow : rawJSON(value.toString());
}

/** The integer that a parsed JSON value is; undefined for anything else, a number that is not exact among it. */
export function readJsonInt64(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return isRawJSON(value) ? BigInt(value.rawJSON) : undefined;
}

const sixteenDigits = /\d{16}/;
const wideInteger = /^-?\d{16,19}$/;

/** Whether a JSON text may hold integers that no number is exact for. */
export const mayHoldInt64 = (text: string): boolean => sixteenDigits.test(text);

/** Parses JSON; integers that no number is exact for, and that 64 bits hold, keep their digits as a JsonInt64. */
export function parseInt64Json(text: string): unknown {
  const exact = (_key: string, value: unknown, { source = '' }: { source?: string } = {}): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) && wideInteger.test(source) && isInt64(BigInt(source))
      ? rawJSON(source)
      : value;
  return JSON.parse(text, exact as Parameters<typeof JSON.parse>[1]);
}

/**
 * Splits an integer at 2^32, both parts truncated towards zero as SQL's integer division does, so that sums of each
 * part cannot overflow a 64-bit column before two thousand million addends.
 */
export function splitInt64(value: Int64): { high: number; low: number } {
  const whole = BigInt(value);
  return { high: Number(whole / half), low: Number(whole % half) };
}

/** The exact sum whose parts were added up separately. */
export function joinInt64(high: Int64, low: Int64): bigint {
  return BigInt(high) * half + BigInt(low);
}
