// The fields that banks, locations and units share, and how they are parsed and stored.

import { parseName, type FieldResult } from '../../../../lib/values/field-values.ts';
import { resolveTimeZone } from '../../../../lib/time/time-zone.ts';
import { bankTypeNames } from '../../../places/rules/bank-types.ts';
import { unitTypes } from '../../../places/rules/unit-types.ts';
import { findIconName, isIcon } from '../../../icons/assets/icon-catalogue.ts';
import type { Field, FieldParser, RowValues } from '../../import-kind.ts';

const oneOf = (names: readonly string[], text: string): FieldResult => {
  const value = names.find((name) => name.toLowerCase() === text.trim().toLowerCase());
  return value === undefined ? { reason: `must be one of ${names.join(', ')}` } : { value };
};

const parsePlaceName: FieldParser = (text) => parseName(text);

/** A new place is enabled. */
const parseEnabled: FieldParser = (text) => (text.trim() === '' ? { value: 'true' } : oneOf(['true', 'false'], text));

/** Empty is the default icon of the place. */
const parseIcon: FieldParser = (text) => {
  const value = text.trim() === '' ? '' : findIconName(text.trim());
  return value === undefined ? { reason: 'must be the name of an icon of the catalogue' } : { value };
};

export const parseZoneName: FieldParser = (text, { tenant }) => {
  const value = text.trim() === '' ? tenant.timeZone : resolveTimeZone(text.trim(), tenant.country);
  return value === undefined ? { reason: 'must be the IANA or Windows name of a time zone' } : { value };
};

export const parseBankType: FieldParser = (text) => oneOf(bankTypeNames, text);

export const parseUnitType: FieldParser = (text) => oneOf(unitTypes, text);

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export const parseCurrency: FieldParser = (text, { tenant }) => {
  const value = text.trim() === '' ? tenant.currency : text.trim().toUpperCase();
  return currencies.has(value) ? { value } : { reason: 'must be a currency, ISO 4217' };
};

/** Hundredths of a percent; empty is no rate. */
export const parseRate: FieldParser = (text) => {
  const value = text.trim();
  const isRate = value === '' || (/^(?:0|[1-9]\d{0,4})$/.test(value) && Number(value) >= 1 && Number(value) <= 10_000);
  return isRate ? { value } : { reason: 'must be more than 0 and at most 100 percent' };
};

/** Smaller numbers are not those of banks with residents. */
export const [firstBankNumber, lastBankNumber] = [1000, 2 ** 31 - 1];

/** Empty is the next free number. */
export const parseBankNumber: FieldParser = (text) => {
  const value = text.trim();
  const isNumber =
    value === '' ||
    (/^[1-9]\d{0,9}$/.test(value) && Number(value) >= firstBankNumber && Number(value) <= lastBankNumber);
  return isNumber ? { value } : { reason: `must be a whole number from ${firstBankNumber} to ${lastBankNumber}` };
};

/** `store` has the columns of the table that change with the field. */
type PlaceField<Row, Columns> = Field<Row> & { readonly store?: (text: string) => Partial<Columns> };

export type PlaceFieldTable<Row, Columns> = Readonly<Record<string, PlaceField<Row, Columns>>>;

export const nameField = {
  description: 'Up to 200 characters.',
  example: 'Example Housing',
  isRequired: true,
  parse: parsePlaceName,
  write: ({ name }) => name,
  store: (name) => ({ name }),
} as const satisfies PlaceField<{ name: string }, { name: string }>;

export const enabledField = {
  description: '`true` or `false`. Empty: true.',
  example: 'true',
  parse: parseEnabled,
  write: ({ enabled }) => String(enabled === 1),
  store: (text) => ({ enabled: text === 'true' ? 1 : 0 }),
} as const satisfies PlaceField<{ enabled: number }, { enabled: number }>;

/** An icon that is not known is the default one, as everywhere else. */
export const iconField = {
  parse: parseIcon,
  write: ({ icon }) => (icon !== null && isIcon(icon) ? icon : ''),
  store: (text) => ({ icon: text === '' ? null : text }),
} as const satisfies Partial<PlaceField<{ icon: string | null }, { icon: string | null }>>;

/** The columns of those fields that there are. */
export function toPlaceColumns<Columns>(fields: PlaceFieldTable<never, Columns>, values: RowValues): Partial<Columns> {
  const columns: Partial<Columns> = {};
  for (const [name, text] of Object.entries(values)) Object.assign(columns, fields[name]?.store?.(text));
  return columns;
}
