// The number that a stored text spells, by the type of its value.

import type { ValueType } from '../../units/catalogue/value-definition.ts';
import type { DocumentColumn } from './document-table.ts';

/** Finite, or null: the text spells no number of the type. */
export type ParseNumericValue = (text: string) => number | null;

/** A decimal as devices write it: with a sign, leading zeros or an exponent, but without blanks, hex or separators. */
const decimalPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * `1e3`, `+5`, `007` and `.5` are numbers. The empty text, ` 5`, `0x10`, `1,5`, `NaN` and `Infinity` are none, and
 * neither is `1e999`, which no double holds. Minus zero is zero.
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

const parsers: Readonly<Record<ValueType, (column: DocumentColumn) => ParseNumericValue>> = {
  int: () => parseDecimal,
  decimal: () => parseDecimal,
  duration: () => parseDecimal,
  money: () => parseDecimal,
  bool: () => parseBoolean,
  enum: ({ options }) => createOptionParser(options),
  text: () => parseNothing,
  time: () => parseNothing,
};

export const createNumericParser = (column: DocumentColumn): ParseNumericValue => parsers[column.valueType](column);
