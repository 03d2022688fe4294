// Reads and writes JSON without losing a digit: money (`…Minor`) becomes a bigint, as does any other integer that a
// number cannot hold.

type Context = { readonly source?: string };

const integer = /^-?\d+$/;

export function readJson(text: string): unknown {
  return JSON.parse(text, keepExact);
}

/** @param context has the digits as they were sent (JSON.parse source text access, ECMAScript 2026) */
function keepExact(key: string, value: unknown, context?: Context): unknown {
  if (typeof value !== 'number') return value;
  const isMoney = key.endsWith('Minor');
  if (!isMoney && (Number.isSafeInteger(value) || !Number.isInteger(value))) return value;
  const source = context?.source ?? (Number.isSafeInteger(value) ? String(value) : undefined);
  // An amount that may be wrong is worse than none.
  if (source === undefined) throw new RangeError(`this browser cannot read the number in ${key}`);
  if (integer.test(source)) return BigInt(source);
  if (isMoney) throw new RangeError(`${key} is not a whole number`);
  return value;
}

type RawJson = { readonly rawJSON: (text: string) => unknown };

/** The service takes the digits of a 64-bit integer also as a string, for browsers that could not write them. */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => {
    if (typeof each !== 'bigint') return each;
    return 'rawJSON' in JSON ? (JSON as unknown as RawJson).rawJSON(String(each)) : String(each);
  });
