// GetBankAccountRevision's short memory, seen from outside: two instances of the service on one storage.

import assert from 'node:assert/strict';
import { after, afterEach, before, mock, test } from 'node:test';
import { ask, askRevision, draft, openBook, record } from '../support/account.ts';
import { makeToken, type ManagerOptions } from '../support/factories.ts';
import { instantOf, ms2000Of, type Book, type Question } from '../support/oracle.ts';
import { makeStorage, onBothEngines, startService, type Service, type Storage } from '../support/service.ts';

const now = ms2000Of('2026-06-15T09:30:00Z');
const june: Question = { From: '2026-06-01', Through: '2026-06-30' };
let lastBank = 1000;

onBothEngines((engine) => {
  let storage: Storage;
  let one: Service;
  let other: Service;
  let token: string;
  before(async () => {
    storage = await makeStorage(engine);
    const clock = () => instantOf(now).epochMilliseconds;
    one = await startService(engine, { storage, clock });
    other = await startService(engine, { storage, clock });
    ({ token } = await makeToken(one));
  });
  afterEach(() => mock.restoreAll());
  after(async () => {
    await one.stop();
    await other.stop();
    await storage.release();
  });

  async function newBook(): Promise<Book> {
    const book = await openBook(one, { bankId: ++lastBank });
    await record(one, book, [draft(now), draft(now, { locationId: 2 })]);
    return book;
  }

  /** The process's monotonic clock, to be put forward by hand. */
  function heldClock(): { forward(ms: number): void } {
    const [real, frozen] = [performance.now.bind(performance), performance.now()];
    let ahead = 0;
    // It still goes on by itself, a thousand times slower, so that no deadline stands still.
    mock.method(performance, 'now', () => frozen + ahead + (real() - frozen) / 1000);
    return { forward: (ms) => void (ahead += ms) };
  }

  /** How often the service reads its database while `work` runs, but for sessions, which are known already. */
  async function readsDuring(service: Service, work: () => Promise<unknown>): Promise<number> {
    const spy = mock.method(service.services.databases.of('sund'), 'read');
    await work();
    const count = spy.mock.callCount();
    spy.mock.restore();
    return count;
  }

  test(`[account.38, account.53] what the other instance wrote may stay unseen for 30 seconds, by the revision alone (${engine})`, async () => {
    const book = await newBook();
    const clock = heldClock();
    const known = await askRevision(one, token, book, june);
    assert.equal(await askRevision(other, token, book, june), known);
    await record(other, book, [draft(now)]);
    // The writer knows at once, and the account itself is never behind.
    const fresh = await askRevision(other, token, book, june);
    assert.notEqual(fresh, known);
    assert.equal((await ask(one, token, book, june)).revision, fresh);
    assert.equal(await askRevision(one, token, book, june), known, 'shared');
    clock.forward(29_900);
    assert.equal(await askRevision(one, token, book, june), known, 'still shared');
    clock.forward(100);
    assert.equal(await askRevision(one, token, book, june), fresh);
  });

  test(`[account.53] what an instance wrote itself it tells at once, every time (${engine})`, async () => {
    const book = await newBook();
    for (let round = 0; round < 5; round += 1) {
      const known = await askRevision(one, token, book, june);
      await record(one, book, [draft(now)]);
      const answer = await ask(one, token, book, june);
      assert.equal(await askRevision(one, token, book, june), answer.revision);
      assert.notEqual(answer.revision, known);
    }
  });

  test(`[account.38] identical scopes share one reading, whoever asks and however the query is spelled (${engine})`, async () => {
    const book = await newBook();
    const { bankId } = book;
    const tokenOf = async (options: ManagerOptions): Promise<string> => {
      const made = await makeToken(one, options);
      await one.call('GET', '/api/v1/session/me', { token: made.token });
      return made.token;
    };
    const wide = [await tokenOf({}), await tokenOf({}), await tokenOf({ grants: [{ bankId, locationId: 0 }] })];
    const limits = [
      [1, 2],
      [2, 1],
    ].map((ids) => ({ grants: ids.map((locationId) => ({ bankId, locationId })) }));
    const limited = [await tokenOf(limits[0] ?? {}), await tokenOf(limits[1] ?? {})];
    const spellings: Question[] = [
      june,
      { ...june, TimeZone: 'Romance Standard Time' },
      { ...june, Kind: 'all', IncludeZero: true },
      { ...june, Offset: 5, Limit: 1 },
    ];
    const askAll = (readers: string[]) => () =>
      Promise.all(readers.flatMap((reader) => spellings.map((question) => askRevision(one, reader, book, question))));
    assert.equal(await readsDuring(one, askAll(wide)), 1);
    assert.equal(await readsDuring(one, askAll(wide)), 0);
    assert.equal(await readsDuring(one, askAll(limited)), 1, 'another reach, the same for both');
    assert.equal(await readsDuring(one, askAll([await tokenOf({ grants: [{ bankId, locationId: 1 }] })])), 1);
    assert.equal(await readsDuring(one, askAll([await tokenOf({ retentionDays: 7 })])), 1, 'another retention');
    const others: Question[] = [
      { From: '2026-06-02' },
      { Period: 0 },
      { ...june, Kind: 'debit' },
      { ...june, location: 1 },
      { ...june, user: 1001 },
    ];
    assert.equal(
      await readsDuring(one, () => Promise.all(others.map((question) => askRevision(one, token, book, question)))),
      others.length,
    );
  });

  test(`GetBankAccount shares nothing: every answer is read anew (${engine})`, async () => {
    const book = await newBook();
    await ask(one, token, book, june);
    assert.equal(await readsDuring(one, () => Promise.all([1, 2, 3].map(() => ask(one, token, book, june)))), 3);
  });
});
