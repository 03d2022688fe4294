// The lines in a file of a copy: the head of a base, before the bytes of the database, and the head of a part, before the
// bytes of its frames.

import { CopyError } from './copy-error.ts';
import type { WalPlace } from './wal-format.ts';

const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isPositive = (value: unknown): value is number => isCount(value) && value > 0;

function isPlace(value: unknown): value is WalPlace {
  const { frames, checksum } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return isCount(frames) && Array.isArray(checksum) && checksum.length === 2 && checksum.every(isCount);
}

const baseFields = {
  tenant: isText,
  generation: isText,
  /** The numbers in the name of the base. */
  first: isCount,
  last: isCount,
  atMs: isCount,
  /** What was committed until then is in the base, with the parts up to `last`. */
  untilMs: isCount,
};

const partFields = {
  tenant: isText,
  generation: isText,
  /** From 1 on, in each generation. */
  part: isPositive,
  /** The part with which the write-ahead log began. */
  logBegan: isPositive,
  /** What was committed until then is in the parts before. */
  sinceMs: isCount,
  /** What was committed until then is in this part, or in those before. */
  untilMs: isCount,
  /** Nothing in the part was committed later. */
  readMs: isCount,
  /** The header of the write-ahead log, in base64. */
  header: isText,
  from: isPlace,
  to: isPlace,
  /** So many follow. */
  bytes: isPositive,
};

type Fields = Readonly<Record<string, (value: unknown) => boolean>>;
type Head<T> = {
  readonly [Name in keyof T]: T[Name] extends ((value: unknown) => value is infer Value) ? Value : never;
};

export type BaseHead = Head<typeof baseFields>;
export type PartHead = Head<typeof partFields>;

export const formatCopyLine = (line: BaseHead | PartHead): string => `${JSON.stringify(line)}\n`;

export const parseBaseHead = (line: string): BaseHead => parseHead(line, baseFields, 'base');
export const parsePartHead = (line: string): PartHead => parseHead(line, partFields, 'part');

function parseHead<T extends Fields>(line: string, fields: T, kind: string): Head<T> {
  const head = (parseJson(line) ?? {}) as Readonly<Record<string, unknown>>;
  if (!Object.entries(fields).every(([name, isValid]) => isValid(head[name])))
    throw new CopyError(`has a head that is not one of a ${kind}`);
  return head as Head<T>;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new CopyError('it is no JSON');
  }
}
