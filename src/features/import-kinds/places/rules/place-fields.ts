// The fields that banks, locations and units share, and how they are parsed and stored.

import { parseName } from '../../../../lib/values/field-values.ts';
import { resolveTimeZone } from '../../../../lib/time/time-zone.ts';
import { bankTypeNames } from '../../../places/rules/bank-types.ts';
import { unitTypes } from '../../../places/rules/unit-types.ts';
import { findIconName, isIcon } from '../../../icons/assets/icon-catalogue.ts';
import type { Field, FieldParser, RowValues } from '../../import-kind.ts';
import { parserOfTrimmed, parserOfWordsOr } from '../../rules/field-parsers.ts';

const parsePlaceName: FieldParser = (text) => parseName(text);

/** A new place is enabled. */
const parseEnabled = parserOfWordsOr(['true', 'false'], 'true');

/** Empty is the default icon of the place. */
const parseIcon = parserOfTrimmed(
  (text) => (text === '' ? '' : findIconName(text)),
  'must be the name of an icon of the catalogue',
);

export const parseZoneName: FieldParser = (text, { tenant }) => {
  const value = text.trim() === '' ? tenant.timeZone : resolveTimeZone(text.trim(), tenant.country);
  return value === undefined ? { reason: 'must be the IANA or Windows name of a time zone' } : { value };
};

export const parseBankType = parserOfWordsOr(bankTypeNames, '');

export const parseUnitType = parserOfWordsOr(unitTypes, '');

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export const parseCurrency: FieldParser = (text, { tenant }) => {
  const value = text.trim() === '' ? tenant.currency : text.trim().toUpperCase();
  return currencies.has(value) ? { value } : { reason: 'must be a currency, ISO 4217' };
};

const isWithin = (text: string, least: number, most: number): boolean =>
  /^[1-9]\d{0,9}$/.test(text) && Number(text) >= least && Number(text) <= most;

/** Hundredths of a percent; empty is no rate. */
export const parseRate = parserOfTrimmed(
  (text) => (text === '' || isWithin(text, 1, 10_000) ? text : undefined),
  'must be more than 0 and at most 100 percent',
);

/** Smaller numbers are not those of banks with residents. */
export const firstBankNumber = 1000;
const lastBankNumber = 2 ** 31 - 1;

/** Empty is the next free number. */
export const parseBankNumber = parserOfTrimmed(
  (text) => (text === '' || isWithin(text, firstBankNumber, lastBankNumber) ? text : undefined),
  `must be a whole number from ${firstBankNumber} to ${lastBankNumber}`,
);

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
