// The columns of banks in an import, and what is wrong with a bank whose fields are valid one by one.

import type { Db } from '../../../database/db.ts';
import { bankTypeNames, discountCurrency } from '../../places/rules/bank-types.ts';
import { findDependents, placeKeyOf } from '../places/queries/find-dependents.ts';
import { listTakenNumbers } from '../places/queries/list-places.ts';
import { addressColumns, addressParsers, listAddressErrors } from '../places/rules/address-fields.ts';
import { defaultValues, fieldError, type FieldParsers } from '../rules/parse-fields.ts';
import {
  parseBankNumber,
  parseBankType,
  parseCurrency,
  parseEnabled,
  parseIcon,
  parsePlaceName,
  parseRate,
} from '../places/rules/place-fields.ts';
import type { FoundRow, ImportColumn, ImportTarget, KeyedRow, RowError } from '../import-kind.ts';

const rateDecimals = 2;

export const bankColumns: readonly ImportColumn[] = [
  {
    field: 'number',
    description: 'Of a new bank, and part of its KID: from 1000. Empty: the next free one. A bank keeps it.',
    example: '1001',
  },
  { field: 'name', description: 'Up to 200 characters.', example: 'Example Housing', isRequired: true },
  {
    field: 'type',
    description: `${bankTypeNames.join(' or ')}. A bank with postings keeps it.`,
    example: 'Cash',
    isRequired: true,
  },
  {
    field: 'currency',
    description: 'ISO 4217. Empty: that of the tenant. A bank with postings keeps it.',
    example: 'DKK',
  },
  {
    field: 'vat',
    description: 'Percentage of value added tax that receipts of a Cash bank show. Empty: none.',
    example: '25.00',
    decimals: rateDecimals,
  },
  {
    field: 'discount',
    description: `Percentage that a settlement gives on purchases; only in ${discountCurrency}. Empty: none.`,
    example: '7.50',
    decimals: rateDecimals,
  },
  { field: 'icon', description: 'Name of an icon. Empty: a bank.', example: 'building' },
  { field: 'enabled', description: '`true` or `false`. Empty: true.', example: 'true' },
  ...addressColumns,
];

export const bankParsers: FieldParsers = {
  number: parseBankNumber,
  name: parsePlaceName,
  type: parseBankType,
  currency: parseCurrency,
  vat: parseRate,
  discount: parseRate,
  icon: parseIcon,
  enabled: parseEnabled,
  ...addressParsers,
};

/** Finds what keeps a row from becoming a bank. A number of a deleted bank is free if nothing of that bank is left. */
export async function createBankConflictFinder(
  db: Db,
  target: ImportTarget,
  rows: readonly KeyedRow[],
): Promise<(row: KeyedRow, current: FoundRow['current']) => RowError[]> {
  const defaults = defaultValues(bankParsers, target);
  const numbers = rows.flatMap(({ values }) => values['number'] ?? []);
  const known = await listTakenNumbers(db, numbers.map(Number));
  const deleted = known.filter(({ deleted_at }) => deleted_at !== null).map(({ bank_id: bankId }) => ({ bankId }));
  const dependents = await findDependents(db, 'bank', deleted);
  const free = new Set(deleted.filter((bank) => !dependents.has(placeKeyOf(bank))).map(({ bankId }) => bankId));
  const taken = new Set(known.map(({ bank_id }) => bank_id).filter((bankId) => !free.has(bankId)));
  return ({ values }, current) => {
    const { currency, discount = '' } = { ...(current?.values ?? defaults), ...values };
    return [
      ...(current === null && taken.has(Number(values['number'])) ? [numberTaken] : []),
      ...(discount !== '' && currency !== discountCurrency ? [discountNotAllowed] : []),
      ...listAddressErrors(values, current?.values),
    ];
  };
}

const numberTaken = fieldError('number', 'taken', 'belongs to another bank');
const discountNotAllowed = fieldError(
  'discount',
  'invalid',
  `must be empty unless the currency is ${discountCurrency}`,
);
