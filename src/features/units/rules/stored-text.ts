// Values of settings and states: what JSON may say of one, how it is spelled in storage, and back. Pure; all numbers are
// compared exactly, as integers of their last decimal.

import {
  int64Max,
  int64Min,
  isInt64,
  isJsonNumber,
  toJsonInt64,
  parseJsonDecimal,
  parseJsonInt64,
  parseScaledInteger,
  type JsonInt64,
} from '../../../lib/int64.ts';
import type { ValueConstraints, ValueDefinition, ValueType } from '../catalogue/value-definition.ts';

type ValueFormat = Pick<ValueDefinition, 'valueType' | 'constraints' | 'fallback'>;

/** A value as JSON carries it; null where there is none. */
export type SettingJsonValue = JsonInt64 | string | boolean | null;

/** The canonical spelling, null for no value; or why it cannot be one, in words that follow the name of the field. */
export type StoredTextResult = { readonly text: string | null } | { readonly reason: string };

/** Reads what somebody wants to write. No value is one only where the definition has no default to fall back on. */
export function formatStoredText(definition: ValueFormat, value: unknown): StoredTextResult {
  if (value === null) return definition.fallback === undefined ? { text: null } : { reason: 'must not be null' };
  return storedTextFormatters[definition.valueType](value, definition.constraints);
}

type StoredTextFormatter = (value: unknown, constraints: ValueConstraints) => StoredTextResult;

const formatWholeNumber: StoredTextFormatter = (value, constraints) => {
  const whole = parseJsonInt64(value);
  return whole === undefined ? { reason: 'must be a whole number of 64 bits' } : formatNumber(whole, 0, constraints);
};

const storedTextFormatters: Readonly<Record<ValueType, StoredTextFormatter>> = {
  int: formatWholeNumber,
  duration: formatWholeNumber,
  money: formatWholeNumber,
  decimal: (value, constraints) => {
    if (!isJsonNumber(value)) return { reason: 'must be a number' };
    const decimals = decimalPlacesOf(constraints);
    const scaled = parseJsonDecimal(value, decimals);
    if (scaled === undefined) return { reason: `must have at most ${decimals} decimal${decimals === 1 ? '' : 's'}` };
    return formatNumber(scaled, decimals, constraints);
  },
  bool: (value) => (typeof value === 'boolean' ? { text: String(value) } : { reason: 'must be true or false' }),
  enum: (value, { options = [] }) =>
    typeof value === 'string' && options.includes(value)
      ? { text: value }
      : { reason: `must be one of ${options.join(', ')}` },
  time: (value, { min = '00:00', max = '23:59' }) => {
    if (typeof value !== 'string' || !(timeOfDayPattern.test(value) || value === '24:00'))
      return { reason: 'must be a time of day, HH:MM' };
    return value < min || value > max ? { reason: `must be from ${min} to ${max}` } : { text: value };
  },
  text: formatText,
};

const timeOfDayPattern = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

function formatText(value: unknown, { maxLength = 1000, pattern }: ValueConstraints): StoredTextResult {
  if (typeof value !== 'string') return { reason: 'must be a text' };
  if (!value.isWellFormed()) return { reason: 'must be well-formed Unicode' };
  if (/\p{Cc}/u.test(value)) return { reason: 'must have no control characters' };
  // Never more units of UTF-16 than twice the characters: a text far too long is not counted out.
  if (value.length > 2 * maxLength || Array.from(value).length > maxLength)
    return { reason: `must have at most ${maxLength} characters` };
  if (pattern !== undefined && !compileWholePattern(pattern).test(value))
    return { reason: `must match the pattern ${pattern}` };
  return { text: value };
}

/** A pattern is one for the whole text. */
const compileWholePattern = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, 'u');

function formatNumber(value: bigint, decimals: number, { min, max, step = 1 }: ValueConstraints): StoredTextResult {
  const scaled = (bound: number | string | undefined, otherwise: bigint): bigint =>
    (bound === undefined ? undefined : parseScaledInteger(String(bound), decimals)) ?? otherwise;
  if (value < scaled(min, int64Min)) return { reason: `must be at least ${min ?? 'what 64 bits hold'}` };
  if (value > scaled(max, int64Max)) return { reason: `must be at most ${max ?? 'what 64 bits hold'}` };
  const from = scaled(min, 0n);
  if ((value - from) % scaled(step, 1n) !== 0n)
    return { reason: `must lie on steps of ${step}${from === 0n ? '' : ` from ${min}`}` };
  return { text: formatScaledInteger(value, decimals) };
}

/** As many as the step has. */
const decimalPlacesOf = ({ step = 1 }: ValueConstraints): number => /\.(\d+)$/.exec(String(step))?.[1]?.length ?? 0;

function formatScaledInteger(scaled: bigint, decimals: number): string {
  if (decimals === 0) return String(scaled);
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(decimals + 1, '0');
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

const wholeNumberPattern = /^-?(?:0|[1-9]\d{0,18})$/;
const decimalPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * A stored text as JSON. What was stored by older rules is still told as far as its type can carry it: a text, a time or
 * an option as it stands, a number or a truth value that cannot be read as null.
 */
export function parseStoredText(
  { valueType }: Pick<ValueDefinition, 'valueType'>,
  text: string | null,
): SettingJsonValue {
  if (text === null) return null;
  switch (valueType) {
    case 'int':
    case 'duration':
    case 'money':
      return wholeNumberPattern.test(text) && isInt64(BigInt(text)) ? toJsonInt64(BigInt(text)) : null;
    case 'decimal':
      return decimalPattern.test(text) ? Number(text) : null;
    case 'bool':
      return text === 'true' || text === 'false' ? text === 'true' : null;
    default:
      return text;
  }
}
