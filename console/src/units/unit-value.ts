// Formats the value of a setting or state as its type says.

import type { SettingValue, UnitValue } from '../api/operations.ts';
import type { LanguageState } from '../language/language-store.ts';
import { fromField } from './setting-value.ts';

type Described = Pick<UnitValue, 'valueType' | 'unitOfMeasure' | 'constraints'>;

/** Codes of UCUM that people write in another way. */
const unitSymbols: Readonly<Record<string, string>> = { Cel: '°C', m2: 'm²', m3: 'm³', 'kW.h': 'kWh' };

export const symbolOf = (unitOfMeasure: string): string => unitSymbols[unitOfMeasure] ?? unitOfMeasure;

export function formatValue(
  { valueType, unitOfMeasure, constraints }: Described,
  value: SettingValue,
  { t, formats }: LanguageState,
): string {
  if (value === null) return t('state.none');
  if (typeof value === 'boolean') return t(value ? 'word.yes' : 'word.no');
  if (typeof value === 'string') {
    if (valueType !== 'enum') return value === '' ? t('state.none') : value;
    const index = constraints.options?.indexOf(value) ?? -1;
    return constraints.optionLabels?.[index] ?? value;
  }
  if (valueType === 'money') return formats.money(BigInt(value), unitOfMeasure);
  return unitOfMeasure === null ? formats.number(value) : `${formats.number(value)} ${symbolOf(unitOfMeasure)}`;
}

/** What was typed, as the value is shown elsewhere. */
export function formatTyped(described: Described, text: string, language: LanguageState): string {
  const value = fromField(described, text);
  if (value === undefined) return text;
  const isWhole = typeof value === 'string' && ['int', 'duration', 'money'].includes(described.valueType);
  return formatValue(described, isWhole ? BigInt(value) : value, language);
}
