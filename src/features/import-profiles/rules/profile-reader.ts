// A row of a file -> fields, as a profile says. An empty text is no field.

import { parsePhone } from '../../residents/rules/phone.ts';
import { unguardFormulas } from '../../../lib/text/csv.ts';
import type { ReadableRow } from '../formats/source-row.ts';
import { parseUnsigned, splitSign } from './profile-amounts.ts';
import type { Profile, ProfileColumn } from './profile.ts';

/** Amounts are bigint; all else is text. */
export type ImportedFields = ReadonlyMap<string, string | bigint>;

export type FieldProblem = { readonly field: string; readonly code: string; readonly text: string };

type ReadFields = { readonly fields: ImportedFields; readonly problems: readonly FieldProblem[] };

type ReadValue = { readonly value: string | bigint } | { readonly code: string; readonly reason: string };

/** All problems of the row, and the fields that have none. */
export function readWith(profile: Profile, row: ReadableRow): ReadFields {
  const fields = new Map<string, string | bigint>();
  const problems: FieldProblem[] = [];
  for (const column of profile.columns) {
    const field = column.field ?? column.key ?? '';
    const read = readColumn(profile, column, row.values);
    if (read === undefined) continue;
    if ('value' in read) {
      if (column.field !== undefined) fields.set(field, read.value);
    } else problems.push({ field, code: read.code, text: `${column.key ?? field}: ${read.reason}` });
  }
  return { fields, problems };
}

function readColumn(
  { format }: Profile,
  column: ProfileColumn,
  values: ReadonlyMap<string, string>,
): ReadValue | undefined {
  const { key, constant } = column;
  if (key === undefined) return constant === undefined ? undefined : { value: constant };
  // An object of JSON leaves out what it does not have.
  const found = values.get(key) ?? (format === 'json-lines' ? '' : undefined);
  if (found === undefined) return { code: 'column-missing', reason: 'the row has no such column' };
  const text = toOwnText(column, found);
  if (constant !== undefined)
    return text === constant ? { value: constant } : { code: 'constant-differs', reason: `must be ${constant}` };
  return text === '' ? undefined : readText(column, text, values);
}

function toOwnText({ trim, unguard, date, decimals, phoneRegion }: ProfileColumn, found: string): string {
  const text = unguard === true ? unguardFormulas(found) : found;
  const isText = date === undefined && decimals === undefined && phoneRegion === undefined;
  return isText && trim !== true ? text : text.trim();
}

function readText(column: ProfileColumn, text: string, values: ReadonlyMap<string, string>): ReadValue {
  const { map, dateFormat, decimals, phoneRegion } = column;
  if (map !== undefined) {
    const value = Object.hasOwn(map, text) ? map[text] : undefined;
    return value === undefined ? { code: 'unknown-text', reason: `must be one of ${listTexts(map)}` } : { value };
  }
  if (dateFormat !== undefined) {
    const value = dateFormat.parse(text);
    return value === undefined ? { code: 'not-a-date', reason: `must be a date ${column.date}` } : { value };
  }
  if (decimals !== undefined) return readAmount(column, decimals, text, values);
  if (phoneRegion === undefined) return { value: text };
  const phone = parsePhone(text, phoneRegion);
  return 'reason' in phone ? { code: 'not-a-phone', reason: phone.reason } : { value: phone.value.number ?? text };
}

const listTexts = (map: Readonly<Record<string, string>>): string => {
  const texts = Object.keys(map);
  return `${texts.slice(0, 10).join(', ')}${texts.length > 10 ? ', …' : ''}`;
};

function readAmount(
  column: ProfileColumn,
  decimals: number,
  text: string,
  values: ReadonlyMap<string, string>,
): ReadValue {
  const { sign = { at: 'leading' }, signKey } = column;
  let { isNegative, unsigned } =
    sign.at === 'column' ? { isNegative: false, unsigned: text } : splitSign(text, sign.at);
  if (sign.at === 'column') {
    const found = values.get(signKey ?? '')?.trim();
    isNegative = found === sign.minus.trim();
    if (!isNegative && found !== sign.plus.trim())
      return {
        code: 'not-a-sign',
        reason: `its sign must be ${JSON.stringify(sign.minus)} or ${JSON.stringify(sign.plus)}`,
      };
  }
  const parsed = parseUnsigned(unsigned, { decimals, decimal: column.decimal });
  return 'amount' in parsed ? { value: isNegative ? -parsed.amount : parsed.amount } : parsed;
}
