// A row as a line of JSON: an array of its values in the order of its table's columns. Equal rows are equal lines, whatever
// engine they come from.

import { CopyError } from '../../../../sqlite-follower/copy-error.ts';

/** A value as a statement takes it and gives it: integers are numbers where those are exact, and bigints beyond. */
export type StoredValue = null | number | bigint | string | Uint8Array;

type WrittenValue = null | number | string | { readonly int64: string } | { readonly base64: string };

export const formatRowLine = (values: readonly StoredValue[]): string => JSON.stringify(values.map(writeValue));

function writeValue(value: StoredValue): WrittenValue {
  if (value === null || typeof value === 'string') return value;
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  if (Number.isSafeInteger(Number(value))) return Number(value);
  if (typeof value === 'bigint') return { int64: value.toString() };
  throw new TypeError('a backup holds no number that is not an integer');
}

/** Throws CopyError with what is wrong with the line. */
export function parseRowLine(line: string, columns: readonly string[]): StoredValue[] {
  const values = parseJsonLine(line);
  if (!Array.isArray(values)) throw new CopyError('a row is no array');
  if (values.length !== columns.length)
    throw new CopyError(`a row has ${values.length} values for ${columns.length} columns`);
  return values.map((value: unknown, index) => {
    const read = readValue(value);
    if (read === undefined) throw new CopyError(`the value of ${columns[index]} is not one of a backup`);
    return read;
  });
}

export function parseJsonLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new CopyError('it is no JSON');
  }
}

/** Undefined for what no backup holds. */
function readValue(value: unknown): StoredValue | undefined {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'object') return undefined;
  const { int64, base64 } = value as { readonly int64?: unknown; readonly base64?: unknown };
  if (typeof int64 === 'string' && /^-?\d{16,19}$/.test(int64)) {
    const integer = BigInt(int64);
    return BigInt.asIntN(64, integer) === integer ? integer : undefined;
  }
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64') : undefined;
}
