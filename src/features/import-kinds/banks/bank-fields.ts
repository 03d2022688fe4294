// The fields of banks in an import, and what is wrong with a bank whose fields are valid one by one.

import type { Db } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import {
  bankTypeNames,
  bankTypes,
  discountCurrency,
  findBankTypeCode,
  findBankTypeName,
} from '../../places/rules/bank-types.ts';
import { findDependents, placeKeyOf } from '../places/queries/find-dependents.ts';
import { listTakenNumbers, type BankRow } from '../places/queries/list-places.ts';
import { addressFields, listAddressErrors } from '../places/rules/address-fields.ts';
import { fieldError, listDefaults } from '../rules/parse-fields.ts';
import {
  enabledField,
  iconField,
  nameField,
  parseBankNumber,
  parseBankType,
  parseCurrency,
  parseRate,
  type PlaceFieldTable,
} from '../places/rules/place-fields.ts';
import type { FoundRow, ImportTarget, KeyedRow, RowError } from '../import-kind.ts';

const rateDecimals = 2;
const toRate = (text: string): number | null => (text === '' ? null : Number(text));

export const bankFields: PlaceFieldTable<BankRow, Tables['banks']> = {
  number: {
    description: 'Of a new bank, and part of its KID: from 1000. Empty: the next free one. A bank keeps it.',
    example: '1001',
    isFixed: true,
    parse: parseBankNumber,
    write: ({ bank_id }) => String(bank_id),
  },
  name: nameField,
  type: {
    description: `${bankTypeNames.join(' or ')}. A bank with postings keeps it.`,
    example: 'Cash',
    isRequired: true,
    parse: parseBankType,
    write: ({ bank_type }) => findBankTypeName(bank_type) ?? '',
    store: (type) => ({ bank_type: findBankTypeCode(type) ?? bankTypes.cash }),
  },
  currency: {
    description: 'ISO 4217. Empty: that of the tenant. A bank with postings keeps it.',
    example: 'DKK',
    parse: parseCurrency,
    write: ({ currency }) => currency,
    store: (currency) => ({ currency }),
  },
  vat: {
    description: 'Percentage of value added tax that receipts of a Cash bank show. Empty: none.',
    example: '25.00',
    decimals: rateDecimals,
    parse: parseRate,
    write: ({ vat_basis_points }) => String(vat_basis_points ?? ''),
    store: (text) => ({ vat_basis_points: toRate(text) }),
  },
  discount: {
    description: `Percentage that a settlement gives on purchases; only in ${discountCurrency}. Empty: none.`,
    example: '7.50',
    decimals: rateDecimals,
    parse: parseRate,
    write: ({ discount_basis_points }) => String(discount_basis_points ?? ''),
    store: (text) => ({ discount_basis_points: toRate(text) }),
  },
  icon: { description: 'Name of an icon. Empty: a bank.', example: 'building', ...iconField },
  enabled: enabledField,
  ...addressFields,
};

/** Finds what keeps a row from becoming a bank. A number of a deleted bank is free if nothing of that bank is left. */
export async function createBankConflictFinder(
  db: Db,
  target: ImportTarget,
  rows: readonly KeyedRow[],
): Promise<(row: KeyedRow, current: FoundRow['current']) => RowError[]> {
  const defaults = listDefaults(bankFields, target);
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
