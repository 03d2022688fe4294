// The value of a setting as a field of a form has it, and back. Integers and money stay text, to the last digit.

import type { SettingValue, UnitValue } from '../api/operations.ts';
import { digitsOf, parseDecimal, parseInteger, parseMinor, toTyped } from '../command/exact-number.ts';
import { toDecimal } from '../language/formats.ts';

type Described = Pick<UnitValue, 'valueType' | 'unitOfMeasure' | 'constraints'>;

/** Empty: no value. A truth value is `true` or `false`. */
export function toField({ valueType, unitOfMeasure }: Described, value: SettingValue, locale: string): string {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  if (valueType === 'money') return toTyped(toDecimal(BigInt(value), moneyDigits(unitOfMeasure)), locale);
  return toTyped(value, locale);
}

/** Undefined: it is no value of this type. The service checks all else. */
export function fromField(
  { valueType, unitOfMeasure, constraints }: Described,
  text: string,
): SettingValue | undefined {
  const typed = text.trim();
  switch (valueType) {
    case 'text':
      // An empty text that must look like something is none.
      return typed === '' && constraints.pattern !== null ? null : text;
    case 'bool':
      return typed === '' ? null : typed === 'true';
    case 'int':
    case 'duration':
      return typed === '' ? null : parseInteger(typed);
    case 'money':
      return typed === '' ? null : parseMinor(typed, moneyDigits(unitOfMeasure));
    case 'decimal':
      return typed === '' ? null : toNumber(parseDecimal(typed));
    case 'time':
    case 'enum':
      return typed === '' ? null : typed;
  }
}

const toNumber = (decimal: string | undefined): number | undefined =>
  decimal === undefined ? undefined : Number(decimal);

const usualDigits = 2;
const moneyDigits = (currency: string | null): number => (currency === null ? usualDigits : digitsOf(currency));
