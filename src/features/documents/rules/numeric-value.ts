// Parses the number that a stored text spells, by the type of its value.

import type { ValueType } from '../../units/catalogue/value-definition.ts';
import type { SampleColumn } from './document-table.ts';

/** A finite number, or null if the text does not spell a number of the type. */
type ParseNumericValue = (text: string) => number | null;

/**
 * A decimal as devices write it: it can have a sign, leading zeros and an exponent, but no blanks, hex digits or
 * separators.
 */
const decimalPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * `1e3`, `+5`, `007` and `.5` are numbers. The empty text, ` 5`, `0x10`, `1,5`, `NaN` and `Infinity` are not, and
 * neither is `1e999`, which exceeds the range of doubles. Minus zero is zero.
 */
function parseDecimal(text: string): number | null {
  if (!decimalPattern.test(text)) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number + 0 : null;
}

const parseBoolean: ParseNumericValue = (text) => (text === 'true' ? 1 : text === 'false' ? 0 : null);

/** The index of the option; names count in their exact spelling. */
function createOptionParser(options: readonly string[]): ParseNumericValue {
  const indexes = new Map(options.map((option, index) => [option, index]));
  return (text) => indexes.get(text) ?? null;
}

const parseNothing: ParseNumericValue = () => null;

const parsers: Readonly<Record<ValueType, (column: SampleColumn) => ParseNumericValue>> = {
  int: () => parseDecimal,
  decimal: () => parseDecimal,
  duration: () => parseDecimal,
  money: () => parseDecimal,
  bool: () => parseBoolean,
  enum: ({ options }) => createOptionParser(options),
  text: () => parseNothing,
  time: () => parseNothing,
};

export const createNumericParser = (column: SampleColumn): ParseNumericValue => parsers[column.valueType](column);
