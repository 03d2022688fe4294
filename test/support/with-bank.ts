// Banks of their own for the tests of a suite: with the oracle's model, or only as rows.

import { beforeEach } from 'node:test';
import type { BankModel } from './account-oracle.ts';
import { createBankWithModel, type BankModelOptions } from './account-reads.ts';
import { createBookableBank, type BookableBankOptions } from './bookings.ts';
import { insertTestBank, type TestBankOptions } from './factories.ts';
import type { ServiceSuite } from './service-suite.ts';

type Banks = Pick<ServiceSuite, 'service' | 'nextBankId'>;

/** A new bank before each test, in the service and in the oracle. The object stays the same. */
export function withBank(suite: Banks, options: Omit<BankModelOptions, 'bankId'> = {}): BankModel {
  const bank = {} as BankModel;
  beforeEach(async () => void Object.assign(bank, await newBank(suite, options)));
  return bank;
}

/** One more bank, in the service and in the oracle. */
export const newBank = ({ service, nextBankId }: Banks, options: BankModelOptions = {}): Promise<BankModel> =>
  createBankWithModel(service, { bankId: nextBankId(), ...options });

/** One more bank, only in the service; answers its id. */
export const newBankRows = ({ service, nextBankId }: Banks, options: TestBankOptions = {}): Promise<number> =>
  service.write('sund', (db) => insertTestBank(db, { bankId: nextBankId(), ...options }));

/** One more bank whose units can be booked, only in the service; answers its id. */
export async function newBookableBank(
  { service, nextBankId }: Banks,
  options: BookableBankOptions = {},
): Promise<number> {
  const bankId = nextBankId();
  await createBookableBank(service, { bankId, ...options });
  return bankId;
}
