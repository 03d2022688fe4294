// Creates a bank both in a running service and in the oracle, and sends queries to both.

import assert from 'node:assert/strict';
import { lockAndClosePeriod, lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import type { HttpReply } from './call.ts';
import type { ReplyOf } from './operation-replies.ts';
import { insertTestBank, insertTestResident, setTenantSetting } from './factories.ts';
import {
  expectedAccount,
  closeModelPeriod,
  addPostings,
  type ExpectedAccount,
  type BankModel,
  type ModelPlace,
  type AccountQuery,
  type AccountViewer,
} from './account-oracle.ts';
import { parseExactAmounts } from './exact-amounts.ts';
import { grantBank } from './granted-banks.ts';
import type { TestService } from './service.ts';

export type BankModelOptions = Partial<Pick<BankModel, 'locations' | 'residents' | 'openedAt' | 'retentionDays'>> & {
  readonly bankId?: number;
};

const washers = (...ids: number[]): ModelPlace[] => ids.map((id) => ({ id, name: `Washer ${id}` }));

const twoLocations: BankModel['locations'] = [
  { id: 1, name: 'Location 1', units: washers(1, 2) },
  { id: 2, name: 'Location 2', units: washers(1) },
];

/**
 * A bank without postings: by default two locations, three units, residents 1001..1003, identities kept 400 days and
 * residents' histories as long.
 */
export async function createBankWithModel(service: TestService, options: BankModelOptions = {}): Promise<BankModel> {
  const { bankId = 1001, openedAt = 0, retentionDays = 400 } = options;
  const {
    locations = twoLocations,
    residents = new Map([1001, 1002, 1003].map((id) => [id, { name: `Demo Resident ${id}`, expiredAt: null }])),
  } = options;
  await service.write('sund', async (db) => {
    const places = Object.fromEntries(locations.map(({ id, units }) => [id, units.map((unit) => unit.id)]));
    await insertTestBank(db, { bankId, openedAt, places });
    for (const { id, deleted, units } of locations) {
      const deletion = { deleted_at: 1 };
      const here = db.updateTable('locations').set(deletion).where('bank_id', '=', bankId);
      if (deleted === true) await here.where('location_id', '=', id).execute();
      for (const unit of units.filter((each) => each.deleted === true)) {
        const there = db.updateTable('units').set(deletion).where('bank_id', '=', bankId).where('location_id', '=', id);
        await there.where('unit_id', '=', unit.id).execute();
      }
    }
    for (const [id, resident] of residents) await insertTestResident(db, id, { bankId, ...resident });
    await setTenantSetting(db, 'accountingRetentionDays', String(retentionDays));
    await setTenantSetting(db, 'surveillanceRetentionDays', '100000');
  });
  return { bankKid: `sund-B${bankId}`, bankId, locations, residents, openedAt, retentionDays, rows: [], periods: [] };
}

/** A posting of one krone's washing by resident 1001, with optional changes. */
export function postingDraft(recordedAt: number, change: Partial<PostingDraft> = {}): PostingDraft {
  return {
    recordedAt,
    locationId: 1,
    unitId: 1,
    residentId: 1001,
    kind: 'Consumption',
    currency: 'DKK',
    amountMinor: -100n,
    text: 'Wash',
    ...change,
  };
}

/** Records in the service and in the oracle. */
export async function recordInBoth(
  service: TestService,
  book: BankModel,
  drafts: readonly PostingDraft[],
): Promise<number> {
  const first = await service.write('sund', (db) => lockAndAppendPostings(db, grantBank(book.bankId), drafts));
  assert.equal(first, addPostings(book, drafts));
  return first;
}

export async function closePeriodInBoth(service: TestService, book: BankModel, through: number): Promise<number> {
  const period = await service.write('sund', (db) =>
    lockAndClosePeriod(db, grantBank(book.bankId), through, through + 1000),
  );
  assert.equal(period, closeModelPeriod(book, through));
  return period;
}

export function formatAccountQuery({ bankKid }: BankModel, question: AccountQuery): string {
  const { location, unit, user, ...others } = question;
  const kids = {
    LocationKid: location === undefined ? undefined : `${bankKid}-L${location}`,
    UnitKid: unit === undefined ? undefined : `${bankKid}-L${unit[0]}-U${unit[1]}`,
    UserKid: user === undefined ? undefined : `${bankKid}-R${user}`,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...others, ...kids })) {
    if (value !== undefined) query.set(name, String(value));
  }
  return String(query);
}

export const accountPath = (book: Pick<BankModel, 'bankKid'>, query = ''): string =>
  `/api/v1/banks/${book.bankKid}/account${query === '' ? '' : `?${query}`}`;
export const revisionPath = (book: Pick<BankModel, 'bankKid'>, query = ''): string =>
  `/api/v1/banks/${book.bankKid}/account/revision${query === '' ? '' : `?${query}`}`;

export type AccountAnswerWithRevision = ExpectedAccount & {
  readonly revision: string;
  readonly nextCursor: string | null;
};

/** Sends a query and asserts 200. */
export async function fetchAccount(
  service: TestService,
  token: string,
  book: BankModel,
  question: AccountQuery,
): Promise<AccountAnswerWithRevision> {
  const reply = await service.call('GET', accountPath(book, formatAccountQuery(book, question)), { token });
  assert.equal(reply.status, 200, reply.text);
  return parseExactAmounts(reply.text) as AccountAnswerWithRevision;
}

/** Asks for only the revision. */
export async function fetchRevision(
  service: TestService,
  token: string,
  book: BankModel,
  question: AccountQuery,
): Promise<string> {
  const reply = await service.call('GET', revisionPath(book, formatAccountQuery(book, question)), { token });
  assert.equal(reply.status, 200, reply.text);
  assert.deepEqual(Object.keys(reply.json as object), ['revision']);
  return (reply.json as { revision: string }).revision;
}

/** Maps keys to groups, over all pages of a bank: one to one. */
export type DocumentKeys = Map<string, string>;

/** Compares an answer with the oracle's, field by field; answers the revision. */
export function assertSameAnswer(
  actual: AccountAnswerWithRevision,
  expected: ExpectedAccount,
  keys: DocumentKeys = new Map(),
): string {
  const { revision, nextCursor, ...rest } = actual;
  assert.equal(nextCursor !== null, rest.hasMore, 'a cursor where there are more rows');
  const learn = (key: string, group: string | undefined): string => {
    for (const [from, to] of [
      [`key ${key}`, `group ${group}`],
      [`group ${group}`, `key ${key}`],
    ] as const) {
      assert.equal(keys.get(from) ?? to, to, 'a document key stands for one group, and a group has one key');
      keys.set(from, to);
    }
    return group ?? '';
  };
  const named = <T extends { readonly documentKey: string }>(found: readonly T[], wanted: readonly T[]): T[] =>
    found.map((each, at) => ({ ...each, documentKey: learn(each.documentKey, wanted[at]?.documentKey) }));
  assert.deepEqual(
    rest.items.map(({ kid }) => kid),
    expected.items.map(({ kid }) => kid),
  );
  assert.equal(rest.documents.length, expected.documents.length, 'as many receipt groups');
  const items = named(rest.items, expected.items);
  const documents = named(rest.documents, expected.documents);
  assert.deepEqual({ ...rest, items, documents }, expected);
  return revision;
}

/** Asks the service and the oracle, and compares everything. */
export async function fetchAndCompare(
  service: TestService,
  token: string,
  book: BankModel,
  question: AccountQuery,
  viewer: AccountViewer,
  now: number,
  keys?: DocumentKeys,
): Promise<AccountAnswerWithRevision> {
  const actual = await fetchAccount(service, token, book, question);
  assertSameAnswer(actual, expectedAccount(book, question, viewer, now), keys);
  return actual;
}

/** A refusal's body without the members that differ in every answer. */
export function comparableRefusal(reply: HttpReply): string {
  return reply.text.replace(/"traceId":"[0-9a-f]{32}"/, '"traceId":""');
}

/** Sends one query to both account reads, which must agree about it; answers the account's reply. */
export async function fetchAccountAndRevision(
  service: TestService,
  token: string | undefined,
  book: Pick<BankModel, 'bankKid'>,
  query: string,
): Promise<ReplyOf<'GetBankAccount'>> {
  const [account, revision] = await Promise.all(
    [accountPath(book, query), revisionPath(book, query)].map((path) => service.call('GET', path, { token })),
  );
  assert.ok(account !== undefined && revision !== undefined);
  assert.equal(revision.status, account.status, `${query}: ${account.text} but ${revision.text}`);
  if (account.status === 200) assert.deepEqual(revision.json, { revision: account.json.revision });
  else assert.equal(comparableRefusal(revision), comparableRefusal(account));
  return account;
}

/** Sends a query to both reads and asserts 400 with a code. */
export async function assertBothRefused(
  service: TestService,
  token: string,
  book: BankModel,
  query: string,
  code: 'invalid-request' | 'invalid-kid' = 'invalid-request',
): Promise<void> {
  const { status, json, text } = await fetchAccountAndRevision(service, token, book, query);
  assert.equal(`${status} ${json.code}`, `400 ${code}`, `${query}: ${text}`);
}
