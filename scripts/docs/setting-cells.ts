// Formats the columns of settings and states in docs/settings.md.

import type {
  ValueConstraints,
  ValueDefinition,
  ValueKind,
} from '../../src/features/units/catalogue/value-definition.ts';
import { code, codes } from './markdown.ts';

/** The columns after the name. */
export const valueHead: Readonly<Record<ValueKind, readonly string[]>> = {
  Setting: ['Label', 'Group', 'Type', 'Unit', 'Values', 'Default', 'Access'],
  State: ['Label', 'Group', 'Type', 'Unit', 'Values'],
};

/** The UCUM codes of the catalogue, in words. */
export const unitOfMeasureTexts: Readonly<Record<string, string>> = {
  '%': 'percent',
  '/min': 'per minute (revolutions)',
  A: 'ampere',
  Cel: 'degree Celsius',
  K: 'kelvin, for differences of temperature',
  'L/h': 'litre per hour',
  V: 'volt',
  d: 'day',
  dB: 'decibel',
  h: 'hour',
  kW: 'kilowatt',
  'kW.h': 'kilowatt hour',
  kg: 'kilogram',
  m2: 'square metre',
  m3: 'cubic metre',
  mL: 'millilitre',
  min: 'minute',
  s: 'second',
};

/** The cells after the label. */
export function formatValueCells(definition: ValueDefinition): string[] {
  const { kind, group, valueType, unitOfMeasure, fallback, editable } = definition;
  const common = [
    code(group),
    code(valueType),
    unitOfMeasure === undefined ? '' : code(unitOfMeasure),
    formatConstraints(definition),
  ];
  if (kind === 'State') return common;
  return [...common, fallback === undefined ? '' : code(fallback), editable ? 'read, write' : 'read only'];
}

/** A pattern that is too long for a cell. */
export const isLongPattern = (pattern: string): boolean => pattern.length > 60;

/** The bounds of a time without explicit bounds. */
const dayBounds = { min: '00:00', max: '23:59' };

function formatConstraints({ valueType, constraints }: ValueDefinition): string {
  const { options, maxLength, pattern, step } = constraints;
  const parts = [
    options === undefined
      ? formatRange(valueType === 'time' ? { ...dayBounds, ...constraints } : constraints)
      : codes(options),
    step === undefined ? '' : `step ${step}`,
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    pattern === undefined ? '' : isLongPattern(pattern) ? 'pattern below' : `pattern ${code(pattern)}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

function formatRange({ min, max }: ValueConstraints): string {
  if (min === undefined) return max === undefined ? '' : `at most ${max}`;
  return max === undefined ? `at least ${min}` : `${min} to ${max}`;
}
