// Banks of a tenant, in an import. A bank is created with its ledger, whose first settlement period is open.

import type { Db } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import { formatBankKid, parseKid } from '../../../lib/kid.ts';
import { bankOfTenant } from '../../../permissions/coverage.ts';
import { openLedger } from '../../account/queries/ledger.ts';
import { tenantAuditLock } from '../../audit/queries/append-audit.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import {
  bankTypeNames,
  bankTypes,
  discountCurrency,
  findBankTypeCode,
  findBankTypeName,
} from '../../places/rules/bank-types.ts';
import { noAddress, newBankRow } from '../../places/rules/new-place-rows.ts';
import { definePlaceKind } from '../places/define-place-kind.ts';
import { findDependents, placeKeyOf } from '../places/queries/find-dependents.ts';
import { listBanks, listTakenNumbers, readLastBankId, type BankRow } from '../places/queries/list-places.ts';
import { insertBanks, updateBank } from '../places/queries/write-places.ts';
import {
  addressFields,
  listAddressErrors,
  listImpliedCoordinates,
  toAddressState,
} from '../places/rules/address-fields.ts';
import {
  enabledField,
  firstBankNumber,
  iconField,
  nameField,
  parseBankNumber,
  parseBankType,
  parseCurrency,
  parseRate,
  toPlaceColumns,
  type PlaceFieldTable,
} from '../places/rules/place-fields.ts';
import { fieldError, listDefaults, writeValues } from '../rules/parse-fields.ts';
import type { ImportTarget, RowValues } from '../import-kind.ts';

const rateDecimals = 2;
const toRate = (text: string): number | null => (text === '' ? null : Number(text));

const bankFields: PlaceFieldTable<BankRow, Tables['banks']> = {
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

export const banksKind = definePlaceKind<BankRow, Tables['banks']>({
  name: 'banks',
  belongsTo: 'tenant',
  level: 'bank',
  access: { tabs: ['Units1'], permissions: ['Bank.Read', 'Bank.Write', 'Bank.Create'], grantLevel: 'tenant' },
  readAccess: { tabs: ['Units1'], permissions: ['Bank.Read'], grantLevel: 'tenant' },
  fields: bankFields,
  combine: (parsed) => {
    const { number = '', ...others } = parsed.values;
    // A bank that has a number keeps it where the file names none.
    return number === '' ? { ...parsed, values: others } : parsed;
  },
  // Banks are created one after another. Devices are told of their addresses.
  locks: (target, objectKids = []) => [
    tenantAuditLock(),
    ...listBankIds(target, objectKids).map((bankId) => outboxLock(bankOfTenant(target.wholeTenant, bankId))),
  ],
  locksObjects: true,
  list: (db, target, kids) => listBanks(db, kids && listBankIds(target, kids)),
  kidOf: ({ wholeTenant }, { bank_id }) => formatBankKid(wholeTenant.tenant, bank_id),
  idsOf: (target, kid) => ({ bankId: bankIdOf(target, kid) ?? 0 }),
  // What the ledger has is in this currency, and was paid in the way of this type.
  keptFields: ({ next_posting_id }) => ((next_posting_id ?? 1) > 1 ? ['type', 'currency'] : []),
  createCheck: async (db, target, rows) => {
    const defaults = listDefaults(bankFields, target);
    const taken = await findTakenNumbers(
      db,
      rows.flatMap(({ values }) => values['number'] ?? []),
    );
    return ({ values }, bank) => {
      const stored = bank && writeValues(bankFields, bank, target);
      const { currency, discount = '' } = { ...(stored ?? defaults), ...values };
      const { number } = values;
      return {
        errors: [
          ...(bank === undefined && taken.has(Number(number)) ? [numberTaken] : []),
          ...(discount !== '' && currency !== discountCurrency ? [discountNotAllowed] : []),
          ...listAddressErrors(values, stored),
        ],
        claims: bank === undefined && number !== undefined ? [`number:${number}`] : [],
        implied: bank === undefined ? {} : listImpliedCoordinates(bank, values),
      };
    };
  },
  create: async (db, { wholeTenant }, banks, now) => {
    const numbered = await numberBanks(db, banks);
    for (const bankId of await insertBanks(db, numbered.map(toNewRow)))
      await openLedger(db, bankOfTenant(wholeTenant, bankId), now);
    return numbered.map((values) => ({
      objectKid: formatBankKid(wholeTenant.tenant, Number(values['number'])),
      values,
    }));
  },
  update: (db, target, kid, columns) => updateBank(db, bankIdOf(target, kid) ?? 0, columns),
  addressOf: (target, kid) => ({
    type: 'bank',
    granted: bankOfTenant(target.wholeTenant, bankIdOf(target, kid) ?? 0),
  }),
});

const bankIdOf = ({ wholeTenant }: ImportTarget, kid: string): number | undefined =>
  parseKid(kid, wholeTenant.tenant, ['bank'])?.bankId;

const listBankIds = (target: ImportTarget, kids: readonly string[]): number[] =>
  kids.flatMap((kid) => bankIdOf(target, kid) ?? []);

/** Those of the numbers that no new bank can have. One of a deleted bank is free if nothing of that bank is left. */
async function findTakenNumbers(db: Db, numbers: readonly string[]): Promise<ReadonlySet<number>> {
  const known = await listTakenNumbers(db, numbers.map(Number));
  const deleted = known.filter(({ deleted_at }) => deleted_at !== null).map(({ bank_id: bankId }) => ({ bankId }));
  const dependents = await findDependents(db, 'bank', deleted);
  const free = new Set(deleted.filter((bank) => !dependents.has(placeKeyOf(bank))).map(({ bankId }) => bankId));
  return new Set(known.map(({ bank_id }) => bank_id).filter((bankId) => !free.has(bankId)));
}

const numberTaken = fieldError('number', 'taken', 'belongs to another bank');
const discountNotAllowed = fieldError(
  'discount',
  'invalid',
  `must be empty unless the currency is ${discountCurrency}`,
);

const toNewRow = (values: RowValues): Tables['banks'] =>
  newBankRow({
    name: '',
    bank_type: bankTypes.cash,
    currency: '',
    ...toPlaceColumns(bankFields, values),
    bank_id: Number(values['number']),
    ...toAddressState(noAddress, values),
  });

/** The banks with their numbers: those that their rows name, or the next that no bank ever had and no row names. */
async function numberBanks(db: Db, banks: readonly RowValues[]): Promise<RowValues[]> {
  const named = new Set(banks.map(({ number }) => Number(number)));
  let last = Math.max(firstBankNumber, await readLastBankId(db));
  const takeNext = (): number => {
    do last += 1;
    while (named.has(last));
    return last;
  };
  return banks.map((values) => ({ ...values, number: values['number'] || String(takeNext()) }));
}
