// Receipts asked for over HTTP, and banks that have what receipts depend on.

import assert from 'node:assert/strict';
import { parseExactAmounts } from '../../support/exact-amounts.ts';
import type { BankModel } from '../../support/account-oracle.ts';
import { setTenantSetting } from '../../support/factories.ts';
import type { TestService } from '../../support/service.ts';
import type { ExpectedReceipt, ReceiptRules } from './receipts-oracle.ts';

export type ReceiptsPage = {
  readonly userKid: string;
  readonly revision: string;
  readonly items: (ExpectedReceipt & { readonly key: string })[];
  readonly nextOffset: number | null;
  readonly periodCount: number;
};

export const receiptsPath = (userKid: string, query = ''): string =>
  `/api/v1/users/${userKid}/receipts${query === '' ? '' : `?${query}`}`;

export const userKidOf = ({ bankKid }: Pick<BankModel, 'bankKid'>, residentId = 1001): string =>
  `${bankKid}-R${residentId}`;

type ReceiptsCaller = Pick<TestService, 'call'>;

/** One page; insists on 200. */
export async function fetchReceiptsPage(
  service: ReceiptsCaller,
  token: string,
  userKid: string,
  query = '',
): Promise<ReceiptsPage> {
  const reply = await service.call('GET', receiptsPath(userKid, query), { token });
  assert.equal(reply.status, 200, reply.text);
  return parseExactAmounts(reply.text) as ReceiptsPage;
}

/** Every page, followed as the first one says. */
export async function fetchAllReceiptsPages(
  service: ReceiptsCaller,
  token: string,
  userKid: string,
): Promise<ReceiptsPage[]> {
  const pages = [await fetchReceiptsPage(service, token, userKid)];
  for (;;) {
    const { nextOffset, revision } = pages.at(-1) as ReceiptsPage;
    if (nextOffset === null) return pages;
    pages.push(await fetchReceiptsPage(service, token, userKid, `offset=${nextOffset}&revision=${revision}`));
  }
}

/** Asks and insists on a refusal; answers `status code`. */
export async function fetchRefusal(
  service: ReceiptsCaller,
  token: string | undefined,
  userKid: string,
  query = '',
): Promise<string> {
  const { status, json } = await service.call('GET', receiptsPath(userKid, query), { token });
  return `${status} ${json.code}`;
}

const bankTypes = { cash: 1, rent: 2 };

/** Gives a bank's rows what the rules say of it; the version of its places changes only with their zones. */
export async function applyReceiptRules(
  service: TestService,
  { bankId }: Pick<BankModel, 'bankId'>,
  rules: ReceiptRules,
): Promise<void> {
  await service.write('sund', async (db) => {
    await db
      .updateTable('banks')
      .set({
        bank_type: bankTypes[rules.bank],
        vat_basis_points: rules.vatBasisPoints,
        discount_basis_points: rules.discountBasisPoints,
      })
      .where('bank_id', '=', bankId)
      .execute();
    await setTenantSetting(db, 'surveillanceRetentionDays', String(rules.surveillanceDays));
    let hasNewZone = false;
    for (const [location, zone] of Object.entries(rules.zones)) {
      const { numUpdatedRows } = await db
        .updateTable('locations')
        .set({ time_zone: zone })
        .where('bank_id', '=', bankId)
        .where('location_id', '=', Number(location))
        .where('time_zone', '<>', zone)
        .executeTakeFirst();
      hasNewZone ||= numUpdatedRows > 0n;
    }
    if (hasNewZone)
      await db
        .updateTable('banks')
        .set((eb) => ({ places_version: eb('places_version', '+', 1) }))
        .where('bank_id', '=', bankId)
        .execute();
  });
}

/** A cash bank in Copenhagen without tax or discount. */
export const plainRules: ReceiptRules = {
  bank: 'cash',
  vatBasisPoints: null,
  discountBasisPoints: null,
  zones: { 0: 'Europe/Copenhagen', 1: 'Europe/Copenhagen', 2: 'Europe/Copenhagen', 3: 'Europe/Copenhagen' },
  surveillanceDays: 100_000,
  managerDays: null,
};
