// Values of settings and states: what JSON may say of one, how it is spelled in storage, and back. Pure; all numbers are
// compared exactly, as integers of their last decimal.

import {
  int64Max,
  int64Min,
  isInt64,
  isJsonNumber,
  jsonInt64,
  readJsonDecimal,
  readJsonInt64,
  scaledInteger,
  type JsonInt64,
} from '../../../lib/int64.ts';
import type { Constraints, Definition, ValueType } from '../catalogue/definition.ts';

type Declared = Pick<Definition, 'valueType' | 'constraints' | 'fallback'>;

/** A value as JSON carries it; null where there is none. */
export type JsonValue = JsonInt64 | string | boolean | null;

/** The canonical spelling, null for no value; or why it cannot be one, in words that follow the name of the field. */
export type Spelled = { readonly text: string | null } | { readonly why: string };

/** Reads what somebody wants to write. No value is one only where the definition has no default to fall back on. */
export function spell(definition: Declared, value: unknown): Spelled {
  if (value === null) return definition.fallback === undefined ? { text: null } : { why: 'must not be null' };
  return spellers[definition.valueType](value, definition.constraints);
}

type Speller = (value: unknown, constraints: Constraints) => Spelled;

const spellWhole: Speller = (value, constraints) => {
  const whole = readJsonInt64(value);
  return whole === undefined ? { why: 'must be a whole number of 64 bits' } : spellNumber(whole, 0, constraints);
};

const spellers: Readonly<Record<ValueType, Speller>> = {
  int: spellWhole,
  duration: spellWhole,
  money: spellWhole,
  decimal: (value, constraints) => {
    if (!isJsonNumber(value)) return { why: 'must be a number' };
    const decimals = decimalsOf(constraints);
    const scaled = readJsonDecimal(value, decimals);
    if (scaled === undefined) return { why: `must have at most ${decimals} decimal${decimals === 1 ? '' : 's'}` };
    return spellNumber(scaled, decimals, constraints);
  },
  bool: (value) => (typeof value === 'boolean' ? { text: String(value) } : { why: 'must be true or false' }),
  enum: (value, { options = [] }) =>
    typeof value === 'string' && options.includes(value)
      ? { text: value }
      : { why: `must be one of ${options.join(', ')}` },
  time: (value, { min = '00:00', max = '23:59' }) => {
    if (typeof value !== 'string' || !(timeOfDay.test(value) || value === '24:00'))
      return { why: 'must be a time of day, HH:MM' };
    return value < min || value > max ? { why: `must be from ${min} to ${max}` } : { text: value };
  },
  text: spellText,
};

const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

function spellText(value: unknown, { maxLength = 1000, pattern }: Constraints): Spelled {
  if (typeof value !== 'string') return { why: 'must be a text' };
  if (!value.isWellFormed()) return { why: 'must be well-formed Unicode' };
  if (/\p{Cc}/u.test(value)) return { why: 'must have no control characters' };
  // Never more units of UTF-16 than twice the characters: a text far too long is not counted out.
  if (value.length > 2 * maxLength || Array.from(value).length > maxLength)
    return { why: `must have at most ${maxLength} characters` };
  if (pattern !== undefined && !whole(pattern).test(value)) return { why: `must match the pattern ${pattern}` };
  return { text: value };
}

/** A pattern is one for the whole text. */
const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, 'u');

function spellNumber(value: bigint, decimals: number, { min, max, step = 1 }: Constraints): Spelled {
  const scaled = (bound: number | string | undefined, otherwise: bigint): bigint =>
    (bound === undefined ? undefined : scaledInteger(String(bound), decimals)) ?? otherwise;
  if (value < scaled(min, int64Min)) return { why: `must be at least ${min ?? 'what 64 bits hold'}` };
  if (value > scaled(max, int64Max)) return { why: `must be at most ${max ?? 'what 64 bits hold'}` };
  const from = scaled(min, 0n);
  if ((value - from) % scaled(step, 1n) !== 0n)
    return { why: `must lie on steps of ${step}${from === 0n ? '' : ` from ${min}`}` };
  return { text: spelledOut(value, decimals) };
}

/** As many as the step has. */
const decimalsOf = ({ step = 1 }: Constraints): number => /\.(\d+)$/.exec(String(step))?.[1]?.length ?? 0;

function spelledOut(scaled: bigint, decimals: number): string {
  if (decimals === 0) return String(scaled);
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(decimals + 1, '0');
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

const wholeText = /^-?(?:0|[1-9]\d{0,18})$/;
const decimalText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * A stored text as JSON. What was stored by older rules is still told as far as its type can carry it: a text, a time or
 * an option as it stands, a number or a truth value that cannot be read as null.
 */
export function toJson({ valueType }: Pick<Definition, 'valueType'>, text: string | null): JsonValue {
  if (text === null) return null;
  switch (valueType) {
    case 'int':
    case 'duration':
    case 'money':
      return wholeText.test(text) && isInt64(BigInt(text)) ? jsonInt64(BigInt(text)) : null;
    case 'decimal':
      return decimalText.test(text) ? Number(text) : null;
    case 'bool':
      return text === 'true' || text === 'false' ? text === 'true' : null;
    default:
      return text;
  }
}
