// The cache of GetBankAccountRevision, observed over HTTP with two instances of the service on one storage.

import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { fetchAccount, fetchRevision, postingDraft, recordInBoth } from '../support/account-reads.ts';
import { createToken, type ManagerOptions } from '../support/factories.ts';
import { type BankModel, type AccountQuery } from '../support/account-oracle.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { newBank } from '../support/with-bank.ts';
import { type TestService } from '../support/service.ts';

const june: AccountQuery = { From: '2026-06-01', Through: '2026-06-30' };

serviceSuite({ now: testNow, replicas: 2 }, (suite) => {
  const { service: one, replicaFor, manager } = suite;
  const other = replicaFor(1);
  afterEach(() => mock.restoreAll());

  async function newBook(): Promise<BankModel> {
    const book = await newBank(suite);
    await recordInBoth(one, book, [postingDraft(testNow), postingDraft(testNow, { locationId: 2 })]);
    return book;
  }

  /** The process's monotonic clock, which a test advances. */
  function heldClock(): { forward(ms: number): void } {
    const [real, frozen] = [performance.now.bind(performance), performance.now()];
    let ahead = 0;
    // It still advances, a thousand times slower, so that deadlines pass.
    mock.method(performance, 'now', () => frozen + ahead + (real() - frozen) / 1000);
    return { forward: (ms) => void (ahead += ms) };
  }

  /** How often the service reads its database while `work` runs; sessions are cached already. */
  async function readsDuring(service: TestService, work: () => Promise<unknown>): Promise<number> {
    const spy = mock.method(service.dependencies.databases.forTenant('sund'), 'read');
    await work();
    const count = spy.mock.callCount();
    spy.mock.restore();
    return count;
  }

  test('[account.38, account.53] only the revision can miss writes of the other instance, for 30 seconds', async () => {
    const book = await newBook();
    const clock = heldClock();
    const known = await fetchRevision(one, manager.token, book, june);
    assert.equal(await fetchRevision(other, manager.token, book, june), known);
    await recordInBoth(other, book, [postingDraft(testNow)]);
    // The instance that wrote knows at once, and the account itself is always current.
    const fresh = await fetchRevision(other, manager.token, book, june);
    assert.notEqual(fresh, known);
    assert.equal((await fetchAccount(one, manager.token, book, june)).revision, fresh);
    assert.equal(await fetchRevision(one, manager.token, book, june), known, 'shared');
    clock.forward(29_900);
    assert.equal(await fetchRevision(one, manager.token, book, june), known, 'still shared');
    clock.forward(100);
    assert.equal(await fetchRevision(one, manager.token, book, june), fresh);
  });

  test('[account.53] an instance shows its own writes at once, every time', async () => {
    const book = await newBook();
    for (let round = 0; round < 5; round += 1) {
      const known = await fetchRevision(one, manager.token, book, june);
      await recordInBoth(one, book, [postingDraft(testNow)]);
      const answer = await fetchAccount(one, manager.token, book, june);
      assert.equal(await fetchRevision(one, manager.token, book, june), answer.revision);
      assert.notEqual(answer.revision, known);
    }
  });

  test('[account.38] identical scopes share one read, for all managers and spellings of the query', async () => {
    const book = await newBook();
    const { bankId } = book;
    const tokenOf = async (options: ManagerOptions): Promise<string> => {
      const made = await createToken(one, options);
      await one.call('GET', '/api/v1/session/me', { token: made.token });
      return made.token;
    };
    const wide = [await tokenOf({}), await tokenOf({}), await tokenOf({ grants: [{ bankId, locationId: 0 }] })];
    const limits = [
      [1, 2],
      [2, 1],
    ].map((ids) => ({ grants: ids.map((locationId) => ({ bankId, locationId })) }));
    const limited = [await tokenOf(limits[0] ?? {}), await tokenOf(limits[1] ?? {})];
    const spellings: AccountQuery[] = [
      june,
      { ...june, TimeZone: 'Romance Standard Time' },
      { ...june, Kind: 'all', IncludeZero: true },
      { ...june, Offset: 5, Limit: 1 },
    ];
    const askAll = (readers: string[]) => () =>
      Promise.all(readers.flatMap((reader) => spellings.map((question) => fetchRevision(one, reader, book, question))));
    assert.equal(await readsDuring(one, askAll(wide)), 1);
    assert.equal(await readsDuring(one, askAll(wide)), 0);
    assert.equal(await readsDuring(one, askAll(limited)), 1, 'another reach, the same for both');
    assert.equal(await readsDuring(one, askAll([await tokenOf({ grants: [{ bankId, locationId: 1 }] })])), 1);
    assert.equal(await readsDuring(one, askAll([await tokenOf({ retentionDays: 7 })])), 1, 'another retention');
    const others: AccountQuery[] = [
      { From: '2026-06-02' },
      { Period: 0 },
      { ...june, Kind: 'debit' },
      { ...june, location: 1 },
      { ...june, user: 1001 },
    ];
    assert.equal(
      await readsDuring(one, () =>
        Promise.all(others.map((question) => fetchRevision(one, manager.token, book, question))),
      ),
      others.length,
    );
  });

  test('GetBankAccount shares nothing: every answer is a new read', async () => {
    const book = await newBook();
    await fetchAccount(one, manager.token, book, june);
    assert.equal(
      await readsDuring(one, () => Promise.all([1, 2, 3].map(() => fetchAccount(one, manager.token, book, june)))),
      3,
    );
  });
});
