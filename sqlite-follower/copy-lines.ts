// The lines in a file of a copy: the head of a base, before the bytes of the database, and the head of a part, before the
// bytes of its frames.

import { CopyError } from './copy-error.ts';
import type { WalPlace } from './wal-format.ts';

export type BaseHead = {
  readonly tenant: string;
  readonly generation: string;
  /** The numbers in the name of the base. */
  readonly first: number;
  readonly last: number;
  readonly atMs: number;
  /** What was committed until then is in the base, with the parts up to `last`. */
  readonly untilMs: number;
};

export type PartHead = {
  readonly tenant: string;
  readonly generation: string;
  /** From 1 on, in each generation. */
  readonly part: number;
  /** The part with which the write-ahead log began. */
  readonly logBegan: number;
  /** What was committed until then is in the parts before. */
  readonly sinceMs: number;
  /** What was committed until then is in this part, or in those before. */
  readonly untilMs: number;
  /** Nothing in the part was committed later. */
  readonly readMs: number;
  /** The header of the write-ahead log, in base64. */
  readonly header: string;
  readonly from: WalPlace;
  readonly to: WalPlace;
  /** So many follow. */
  readonly bytes: number;
};

type Checks<T> = { readonly [Field in keyof T]: (value: unknown) => boolean };

const isText = (value: unknown): boolean => typeof value === 'string';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isPositive = (value: unknown): boolean => isCount(value) && value !== 0;

const hasFields = <T>(value: unknown, checks: Checks<T>): value is T =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries<(field: unknown) => boolean>(checks).every(([name, isValid]) =>
    isValid((value as Record<string, unknown>)[name]),
  );

const isPlace = (value: unknown): boolean =>
  hasFields<WalPlace>(value, {
    frames: isCount,
    checksum: (sums) => Array.isArray(sums) && sums.length === 2 && sums.every(isCount),
  });

const baseChecks: Checks<BaseHead> = {
  tenant: isText,
  generation: isText,
  first: isCount,
  last: isCount,
  atMs: isCount,
  untilMs: isCount,
};

const partChecks: Checks<PartHead> = {
  tenant: isText,
  generation: isText,
  part: isPositive,
  logBegan: isPositive,
  sinceMs: isCount,
  untilMs: isCount,
  readMs: isCount,
  header: isText,
  from: isPlace,
  to: isPlace,
  bytes: isPositive,
};

export const formatCopyLine = (line: BaseHead | PartHead): string => `${JSON.stringify(line)}\n`;

export const parseBaseHead = (line: string): BaseHead => parseHead(line, baseChecks, 'base');
export const parsePartHead = (line: string): PartHead => parseHead(line, partChecks, 'part');

function parseHead<T>(line: string, checks: Checks<T>, kind: string): T {
  const head = parseJson(line);
  if (!hasFields(head, checks)) throw new CopyError(`has a head that is not one of a ${kind}`);
  return head;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new CopyError('it is no JSON');
  }
}
