// Writes the numbers that a profile has read in the scale of their fields. A profile counts a number in units of its own
// last decimal: `12,50` with two decimals is 1250, which a reading has as 12.5.

import { pointDecimal } from '../../../lib/values/decimal-amount.ts';
import type { ImportKind } from '../../import-kinds/import-kind.ts';
import { createColumnDigits } from '../../import-kinds/rules/decimal-fields.ts';
import type { ImportedFields } from '../../import-profiles/rules/profile-reader.ts';

type ReadNumber = {
  readonly field: string;
  readonly number: bigint;
  /** Those of the profile. */
  readonly decimals: number;
  /** All fields of the row. */
  readonly fields: ImportedFields;
};

/** Undefined where the field has no room for the digits. */
export type NumberWriter = (read: ReadNumber) => string | undefined;

type NumberFormat = {
  readonly kind: Pick<ImportKind, 'columns'>;
  /** That of amounts whose row names none. */
  readonly currency: string;
};

export function createNumberWriter({ kind, currency }: NumberFormat): NumberWriter {
  const columns = new Map(kind.columns.map((column) => [column.field, column]));
  const digitsOf = createColumnDigits();
  return ({ field, number, decimals, fields }) => {
    const textOf = (name: string): string => String(fields.get(name) ?? '');
    const column = columns.get(field);
    const scale = column?.decimals ?? column?.scaleOf?.(textOf);
    if (scale === undefined) return toPlainNumber(number, decimals);
    return rescale(number, decimals, digitsOf(scale, textOf('currency').trim().toUpperCase() || currency));
  };
}

/** `12.500` is `12.5`, and `12.00` is `12`. */
const toPlainNumber = (number: bigint, decimals: number): string =>
  decimals > 0 && number % 10n === 0n
    ? toPlainNumber(number / 10n, decimals - 1)
    : pointDecimal(String(number), decimals);

/** Undefined where digits would be lost. */
function rescale(number: bigint, from: number, to: number): string | undefined {
  if (to === from) return String(number);
  if (to > from) return String(number * 10n ** BigInt(to - from));
  const factor = 10n ** BigInt(from - to);
  return number % factor === 0n ? String(number / factor) : undefined;
}
