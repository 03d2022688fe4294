// Writes the numbers that a profile has read in the scale of their fields. A profile counts a number in units of its own
// last decimal: with two decimals `12,50` is 1250, which is 12.50 for a reading, and 13 for an amount without decimals.

import { pointDecimal } from '../../../lib/values/decimal-amount.ts';
import type { ImportKind } from '../../import-kinds/import-kind.ts';
import { createColumnDigits } from '../../import-kinds/rules/decimal-fields.ts';
import type { FieldProblem, ImportedFields } from '../../import-profiles/rules/profile-reader.ts';
import type { Profile } from '../../import-profiles/rules/profile.ts';

type ReadFields = { readonly fields: ImportedFields; readonly problems: readonly FieldProblem[] };

type WrittenFields = { readonly fields: ReadonlyMap<string, string>; readonly problems: readonly FieldProblem[] };

export type NumberWriter = (profile: Profile, read: ReadFields) => WrittenFields;

/** `currency` is that of amounts whose row names none. */
export function createNumberWriter({
  kind,
  currency,
}: {
  readonly kind: Pick<ImportKind, 'columns'>;
  readonly currency: string;
}): NumberWriter {
  const columns = new Map(kind.columns.map((column) => [column.field, column]));
  const digitsOf = createColumnDigits();
  return ({ columns: read }, { fields, problems: found }) => {
    const texts = new Map<string, string>();
    for (const [field, value] of fields) if (typeof value === 'string') texts.set(field, value);
    const problems = [...found];
    const values = Object.fromEntries(texts);
    for (const { field = '', decimals = 0 } of read) {
      const number = fields.get(field);
      if (typeof number !== 'bigint') continue;
      const column = columns.get(field);
      const scale = column?.decimals ?? column?.scaleOf?.(values);
      const currencyOfRow = texts.get('currency')?.trim().toUpperCase() || currency;
      const text =
        scale === undefined
          ? toPlainNumber(number, decimals)
          : rescale(number, decimals, digitsOf(scale, currencyOfRow));
      if (text === undefined)
        problems.push({ field, code: 'too-many-decimals', text: `${field}: has more decimals than there are of it.` });
      else texts.set(field, text);
    }
    return { fields: texts, problems };
  };
}

/** `12.500` is `12.5`, and `12.00` is `12`. */
const toPlainNumber = (number: bigint, decimals: number): string =>
  decimals > 0 && number % 10n === 0n
    ? toPlainNumber(number / 10n, decimals - 1)
    : pointDecimal(String(number), decimals);

/** Undefined where digits would be lost. */
function rescale(number: bigint, from: number, to: number): string | undefined {
  if (to >= from) return String(number * 10n ** BigInt(to - from));
  const factor = 10n ** BigInt(from - to);
  return number % factor === 0n ? String(number / factor) : undefined;
}
