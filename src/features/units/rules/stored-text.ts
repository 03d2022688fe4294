// Converts the values of settings and states from JSON to their stored text, and back. Numbers are compared exactly, as
// integers in units of their last decimal.

import { tooLong, type FieldFault } from '../../../lib/values/field-faults.ts';
import {
  int64Max,
  int64Min,
  isInt64,
  isJsonNumber,
  toJsonInt64,
  parseDecimalInt64,
  parseJsonDecimal,
  parseJsonInt64,
  parseScaledInteger,
  type JsonInt64,
} from '../../../lib/values/int64.ts';
import type { ValueConstraints, ValueDefinition, ValueType } from '../catalogue/value-definition.ts';

type ValueFormat = Pick<ValueDefinition, 'valueType' | 'constraints' | 'fallback'>;

/** A value in JSON; null: no value. */
export type SettingJsonValue = JsonInt64 | string | boolean | null;

/** The stored text, null for no value; or why the value is invalid, as a predicate of the field (`must be ...`). */
type StoredTextResult = { readonly text: string | null } | FieldFault;

/** Validates a value and formats it. Null is valid only if the definition has no default. */
export function formatStoredText(definition: ValueFormat, value: unknown): StoredTextResult {
  if (value === null)
    return definition.fallback === undefined ? { text: null } : { reason: 'must not be null', code: 'required' };
  return storedTextFormatters[definition.valueType](value, definition.constraints);
}

type StoredTextFormatter = (value: unknown, constraints: ValueConstraints) => StoredTextResult;

const formatWholeNumber: StoredTextFormatter = (value, constraints) => {
  const whole = typeof value === 'string' ? parseDecimalInt64(value) : parseJsonInt64(value);
  return whole === undefined
    ? { reason: 'must be a 64-bit integer', code: 'not-a-number' }
    : formatNumber(whole, 0, constraints);
};

const storedTextFormatters: Readonly<Record<ValueType, StoredTextFormatter>> = {
  int: formatWholeNumber,
  duration: formatWholeNumber,
  money: formatWholeNumber,
  decimal: (value, constraints) => {
    if (!isJsonNumber(value)) return { reason: 'must be a number', code: 'not-a-number' };
    const decimals = decimalPlacesOf(constraints);
    const scaled = parseJsonDecimal(value, decimals);
    if (scaled === undefined)
      return {
        reason: `must have at most ${decimals} decimal${decimals === 1 ? '' : 's'}`,
        code: 'too-many-decimals',
        limit: String(decimals),
      };
    return formatNumber(scaled, decimals, constraints);
  },
  bool: (value) =>
    typeof value === 'boolean' ? { text: String(value) } : { reason: 'must be true or false', code: 'wrong-type' },
  enum: (value, { options = [] }) =>
    typeof value === 'string' && options.includes(value)
      ? { text: value }
      : { reason: `must be one of ${options.join(', ')}`, code: 'not-in-list' },
  time: (value, { min = '00:00', max = '23:59' }) => {
    if (typeof value !== 'string' || !(timeOfDayPattern.test(value) || value === '24:00'))
      return { reason: 'must be a time of day, HH:MM', code: 'not-a-time' };
    const reason = `must be from ${min} to ${max}`;
    if (value < min) return { reason, code: 'too-small', limit: String(min) };
    return value > max ? { reason, code: 'too-large', limit: String(max) } : { text: value };
  },
  text: formatText,
};

const timeOfDayPattern = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

function formatText(value: unknown, { maxLength = 1000, pattern }: ValueConstraints): StoredTextResult {
  if (typeof value !== 'string') return { reason: 'must be a string', code: 'wrong-type' };
  if (!value.isWellFormed()) return { reason: 'must be well-formed Unicode', code: 'control-characters' };
  if (/\p{Cc}/u.test(value)) return { reason: 'must have no control characters', code: 'control-characters' };
  // A character has at most two UTF-16 units: a text that is far too long need not be counted.
  if (value.length > 2 * maxLength || Array.from(value).length > maxLength) return tooLong(maxLength);
  if (pattern !== undefined && !compileWholePattern(pattern).test(value))
    return { reason: `must match the pattern ${pattern}`, code: 'wrong-pattern' };
  return { text: value };
}

/** A pattern must match the whole text. */
const compileWholePattern = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, 'u');

function formatNumber(value: bigint, decimals: number, constraints: ValueConstraints): StoredTextResult {
  const { min, max, step = 1 } = constraints;
  const { least, greatest, from, by } = findBounds(constraints, decimals);
  const [lowest, highest] = [
    min ?? formatScaledInteger(least, decimals),
    max ?? formatScaledInteger(greatest, decimals),
  ];
  if (value < least) return { reason: `must be at least ${lowest}`, code: 'too-small', limit: String(lowest) };
  if (value > greatest) return { reason: `must be at most ${highest}`, code: 'too-large', limit: String(highest) };
  if ((value - from) % by !== 0n)
    return {
      reason: `must be ${from === 0n ? '' : `${min} plus `}a multiple of ${step}`,
      code: 'wrong-step',
      limit: String(step),
    };
  return { text: formatScaledInteger(value, decimals) };
}

type ScaledBounds = { readonly decimals: number } & Readonly<Record<'least' | 'greatest' | 'from' | 'by', bigint>>;

/** The bounds of declared constraints, computed once. */
const knownBounds = new WeakMap<ValueConstraints, ScaledBounds>();

function findBounds(constraints: ValueConstraints, decimals: number): ScaledBounds {
  const known = knownBounds.get(constraints);
  if (known?.decimals === decimals) return known;
  const { min, max, step = 1 } = constraints;
  const scaled = (bound: number | string | undefined, otherwise: bigint): bigint =>
    (bound === undefined ? undefined : parseScaledInteger(String(bound), decimals)) ?? otherwise;
  const [least, greatest] = [scaled(min, int64Min), scaled(max, int64Max)];
  const bounds = { decimals, least, greatest, from: scaled(min, 0n), by: scaled(step, 1n) };
  knownBounds.set(constraints, bounds);
  return bounds;
}

/** The number of decimals of the step. */
const decimalPlacesOf = ({ step = 1 }: ValueConstraints): number => /\.(\d+)$/.exec(String(step))?.[1]?.length ?? 0;

function formatScaledInteger(scaled: bigint, decimals: number): string {
  if (decimals === 0) return String(scaled);
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(decimals + 1, '0');
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The stored value, or else the default. */
export const effectiveText = (
  { fallback }: Pick<ValueDefinition, 'fallback'>,
  stored: string | null | undefined,
): string | null => stored ?? fallback ?? null;

const wholeNumberPattern = /^-?(?:0|[1-9]\d{0,18})$/;
const decimalPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Parses a stored text. A text that an older version stored may break the constraints of today: text, time and enum are
 * returned unchanged; a number or a boolean that cannot be parsed is null.
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
    case 'text':
    case 'time':
    case 'enum':
      return text;
  }
}
