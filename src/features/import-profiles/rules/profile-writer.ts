// Fields -> a line of a file, as a profile says. What readWith reads from that line are the same fields.

import { guardFormulas } from '../../../lib/text/csv.ts';
import { formatUnsigned } from './profile-amounts.ts';
import type { FieldProblem, ImportedFields } from './profile-reader.ts';
import type { Profile, ProfileColumn } from './profile.ts';

/** A line without its line break. */
type WrittenLine = { readonly line: string } | { readonly problems: readonly FieldProblem[] };

/** A text, or why there is none. */
type WrittenText = { readonly text: string } | { readonly code: string; readonly reason: string };

/** The texts of a line, by their keys. */
type LineTexts = Map<string, string>;

/** The line that names the columns; null in files that have none. */
export function writeHeader(profile: Profile): string | null {
  if (!profile.header || profile.addressing !== 'names') return null;
  return joinCells(profile, listKeys(profile));
}

export function writeWith(profile: Profile, fields: ImportedFields): WrittenLine {
  const texts: LineTexts = new Map();
  const problems: FieldProblem[] = [];
  for (const column of profile.columns) {
    const field = column.field ?? column.key ?? '';
    const written = writeColumn(column, fields.get(field), texts);
    const problem = 'text' in written ? findTextProblem(profile, column, written.text) : written;
    if (problem !== undefined) problems.push({ field, code: problem.code, text: `${field}: ${problem.reason}` });
    else if ('text' in written && column.key !== undefined) texts.set(column.key, written.text);
  }
  return problems.length > 0 ? { problems } : { line: joinTexts(profile, texts) };
}

/** The text for the file, in its column's width if the file is of fixed width. Sets that of the sign. */
function writeColumn(column: ProfileColumn, value: string | bigint | undefined, texts: LineTexts): WrittenText {
  const { constant, decimals, dateFormat, sourceTexts, unguard } = column;
  if (constant !== undefined)
    return value === undefined || value === constant
      ? { text: constant }
      : { code: 'constant-differs', reason: `must be ${constant}` };
  if (value === undefined) return { text: '' };
  if (decimals !== undefined)
    return typeof value === 'bigint'
      ? writeAmount({ ...column, decimals }, value, texts)
      : { code: 'not-an-amount', reason: 'must be an amount' };
  if (typeof value === 'bigint') return { code: 'not-a-text', reason: 'must be a text' };
  if (sourceTexts !== undefined) {
    const text = sourceTexts.get(value);
    return text === undefined ? { code: 'unknown-text', reason: 'is a text that the profile has none for' } : { text };
  }
  if (dateFormat !== undefined) {
    const text = dateFormat.format(value);
    return text === undefined ? { code: 'not-a-date', reason: `must be a date that ${column.date} has` } : { text };
  }
  return { text: unguard === true ? guardFormulas(value) : value };
}

function writeAmount(column: ProfileColumn & { decimals: number }, amount: bigint, texts: LineTexts): WrittenText {
  const { sign = { at: 'leading' }, signKey, decimal, from } = column;
  const width = typeof from === 'object' && 'length' in from ? from.length : 0;
  const isNegative = amount < 0n;
  if (sign.at === 'column') texts.set(signKey ?? '', isNegative ? sign.minus : sign.plus);
  const mark = isNegative && sign.at !== 'column' ? '-' : '';
  const digits = formatUnsigned(amount, column).padStart(decimal === 'implied' ? width - mark.length : 0, '0');
  return { text: (sign.at === 'trailing' ? `${digits}${mark}` : `${mark}${digits}`).padStart(width) };
}

function findTextProblem({ format }: Profile, { from }: ProfileColumn, text: string) {
  if (text.includes('\0') || !text.isWellFormed())
    return { code: 'not-writable', reason: 'has a NUL character, or half of one (a lone surrogate)' };
  if (format !== 'fixed-width') return undefined;
  if (/[\r\n]/.test(text)) return { code: 'not-writable', reason: 'has a line break' };
  if (text.endsWith(' ')) return { code: 'not-writable', reason: 'ends with a space' };
  const width = typeof from === 'object' && 'length' in from ? from.length : undefined;
  return width !== undefined && Array.from(text).length > width
    ? { code: 'too-long', reason: `must have ${width} characters at most` }
    : undefined;
}

/** In the order in which the file has them. */
const listKeys = ({ columns }: Profile): readonly string[] =>
  columns.flatMap(({ key, signKey }) => [key, signKey].filter((each) => each !== undefined));

function joinTexts(profile: Profile, texts: LineTexts): string {
  const textOf = (key: string): string => texts.get(key) ?? '';
  if (profile.format === 'json-lines') return JSON.stringify(Object.fromEntries(texts));
  if (profile.addressing === 'names') return joinCells(profile, listKeys(profile).map(textOf));
  if (profile.addressing === 'positions') {
    const places = Math.max(...listKeys(profile).map(Number));
    return joinCells(
      profile,
      Array.from({ length: places }, (_, index) => textOf(String(index + 1))),
    );
  }
  const line: string[] = [];
  for (const { key, start, length } of profile.ranges) {
    while (line.length < start - 1 + length) line.push(' ');
    for (const [index, character] of Array.from(textOf(key)).entries()) line[start - 1 + index] = character;
  }
  return line.join('');
}

/** Quotes are written where they are needed: some systems do not know them. */
function joinCells({ separator = ',' }: Profile, cells: readonly string[]): string {
  // A row of nothing but empty cells would be none.
  if (cells.every((cell) => cell === '')) return ['""', ...cells.slice(1)].join(separator);
  const quoted = cells.map((cell) =>
    cell.includes(separator) || /["\r\n]|^sep=/i.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return quoted.join(separator);
}
