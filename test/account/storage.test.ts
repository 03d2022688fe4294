// Account reads whose storage fails at once: they are 503 with one of the two documented codes, and are not retried.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Databases } from '../../src/database/databases.ts';
import { StorageError } from '../../src/database/errors.ts';
import {
  accountPath,
  createBankWithModel,
  postingDraft,
  recordInBoth,
  revisionPath,
} from '../support/account-reads.ts';
import type { BankModel } from '../support/account-oracle.ts';
import { startInstance, type TestInstance } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { callWithoutStorage } from '../support/without-storage.ts';

serviceSuite({ now: testNow }, ({ service, manager, started, onStop }) => {
  let book: BankModel;
  let instance: TestInstance;
  /** How often a read was begun, and how often its work ran. */
  let tries = { reads: 0, works: 0 };
  /** What storage does during the next reads. */
  let failure: StorageError['failure'] | undefined;

  /** The databases of the service, which count reads and fail on demand. */
  function watchReads(databases: Databases): Databases {
    return {
      ...databases,
      forTenant: (tenant) => ({
        ...databases.forTenant(tenant),
        read: (options, work) => {
          tries.reads += 1;
          return databases.forTenant(tenant).read(options, async (db) => {
            tries.works += 1;
            const result = await work(db);
            if (failure !== undefined) throw new StorageError(failure);
            return result;
          });
        },
      }),
    };
  }

  before(async () => {
    await started;
    book = await createBankWithModel(service);
    await recordInBoth(service, book, [postingDraft(testNow)]);
    instance = await startInstance(service, { databases: watchReads(service.dependencies.databases) });
    onStop(instance.stop);
    // The session is cached from now on.
    await instance.call('GET', '/api/v1/session/me', manager);
  });

  const paths = (): string[] =>
    ['From=2026-06-15', 'Period=0', `UserKid=${book.bankKid}-R1001`].flatMap((query) => [
      accountPath(book, query),
      revisionPath(book, query),
      `/api/v1/banks/${book.bankKid}/account/export.csv?${query}`,
    ]);

  for (const [name, code, byPeriod = code] of [
    ['timeout', 'storage-timeout', 'periods-timeout'],
    ['unavailable', 'storage-timeout'],
    ['rolled-back', 'storage-timeout'],
    ['outcome-unknown', 'storage-timeout'],
    ['text-comparison', 'storage-text-comparison'],
  ] as const)
    test(`[account.42] a read whose storage fails with ${name} is 503 ${code}, after one try`, async () => {
      for (const path of paths()) {
        tries = { reads: 0, works: 0 };
        failure = name;
        const { status, json } = await instance.call('GET', path, manager);
        failure = undefined;
        assert.deepEqual([status, json.code], [503, path.includes('Period=') ? byPeriod : code], path);
        assert.deepEqual(tries, { reads: 1, works: 1 }, path);
      }
      assert.equal((await instance.call('GET', accountPath(book), manager)).status, 200);
    });

  test('[account.42] storage that cannot be reached is 503 storage-timeout, after one try', async () => {
    const path = accountPath(book, `From=2026-06-01&LocationKid=${book.bankKid}-L1`);
    tries = { reads: 0, works: 0 };
    // A language for which nothing is cached, so that the names of places are read.
    const headers = { 'accept-language': 'pl' };
    const { status, json } = await callWithoutStorage(service, () =>
      instance.call('GET', path, { token: manager.token, headers }),
    );
    assert.deepEqual([status, json.code], [503, 'storage-timeout']);
    assert.equal(tries.reads, 1);
    assert.ok(tries.works <= 1);
    assert.equal((await instance.call('GET', path, manager)).status, 200);
  });
});
