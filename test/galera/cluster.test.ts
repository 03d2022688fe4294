// On a Galera cluster, with writers on two nodes at once: guard rows serialise writers of one bank, transactions that
// conflict only at commit are run again, reads see what another node acknowledged, and a lost quorum is a failure of
// its kind.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { openDatabases, type Databases } from '../../src/database/databases.ts';
import { StorageError } from '../../src/database/errors.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { ledgerTopic } from '../../src/features/account/queries/ledger-head.ts';
import { lockAndAppendPostings, lockAndClosePeriod } from '../../src/features/account/queries/ledger.ts';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import { verifyBankRollups } from '../../src/features/account/verification/verify-bank-rollups.ts';
import { readManagerRights } from '../../src/features/managers/queries/manager-rights.ts';
import { readIdentitiesOfPeriod } from '../../src/features/residents/queries/former-names.ts';
import { grantBank } from '../support/granted-banks.ts';
import { waitUntil, createDeferred } from '../support/async.ts';
import { incrementCounter, findCounter, longDeadline, insertCounter, tenant } from '../support/test-database.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { postingDraft } from '../support/account-reads.ts';
import { insertTestBank, insertTestResident, createToken, setTenantSetting } from '../support/factories.ts';
import { assertSoundAudit } from '../support/audit.ts';
import { setPermission } from '../support/manager-calls.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { renameResident } from '../support/resident-changes.ts';
import { reverseEntry, readPostings, readDeviceSync } from '../support/reversal.ts';
import type { TestService } from '../support/service.ts';
import { noGalera, startCluster, type GaleraCluster } from './support/galera-cluster.ts';
import { startReplicas } from './support/galera-services.ts';

describe('galera', { skip: noGalera }, () => {
  let cluster: GaleraCluster;
  let all: Databases[];
  let one: TenantDatabase;
  let two: TenantDatabase;
  before(async () => {
    cluster = await startCluster();
    all = cluster.nodes.map(({ location }) => openDatabases(location));
    await all[0]?.migrate(tenant);
    [one, two] = all.map((databases) => databases.forTenant(tenant)) as [TenantDatabase, TenantDatabase];
  });
  after(async () => {
    await Promise.all((all ?? []).map((databases) => databases.close()));
    await cluster?.stop();
  });
  beforeEach(async () => {
    await one.write(longDeadline, async (db) => {
      await db.deleteFrom('health').where('id', '>', 1).execute();
      await insertCounter(db, 2);
    });
  });

  test('a write that one node has acknowledged is visible on another at once', async () => {
    for (let round = 1; round <= 60; round += 1) {
      await one.write(longDeadline, (db) => incrementCounter(db, 2));
      assert.equal(await two.read(longDeadline, (db) => findCounter(db, 2)), round);
    }
  });

  test('a write that conflicts only at commit is run again completely, and published once', async () => {
    const told: string[][] = [];
    for (const databases of all) databases.onCommit((_, topics) => told.push([...topics]));
    const written = [createDeferred(), createDeferred()];
    const runs = [0, 0];
    const writes = [one, two].map((database, at) =>
      database.write(longDeadline, async (db) => {
        runs[at] = (runs[at] ?? 0) + 1;
        db.changedTopics.add(`node ${at}`);
        await incrementCounter(db, 2);
        written[at]?.resolve();
        // Each node lets its own transaction update the row; only one can be certified.
        await written[1 - at]?.promise;
      }),
    );
    await Promise.all(writes);
    assert.deepEqual(
      runs.toSorted((a, b) => a - b),
      [1, 2],
    );
    assert.equal(await one.read(longDeadline, (db) => findCounter(db, 2)), 2);
    assert.deepEqual(
      told.flat().toSorted((a, b) => a.localeCompare(b)),
      ['node 0', 'node 1'],
    );
  });

  test('postings recorded on two nodes at once have ids of their own, and every roll-up agrees', async () => {
    await one.write(longDeadline, (db) => insertTestBank(db));
    let runs = 0;
    const record = (database: TenantDatabase, writer: number, round: number): Promise<number> =>
      database.write(longDeadline, async (db) => {
        runs += 1;
        return lockAndAppendPostings(db, grantBank(1001), drafts(writer, round));
      });
    const writers = [one, two, one, two].map(async (database, writer) => {
      const firsts: number[] = [];
      for (let round = 0; round < 15; round += 1) firsts.push(await record(database, writer, round));
      return firsts;
    });
    const firsts = (await Promise.all(writers)).flat().toSorted((a, b) => a - b);
    assert.deepEqual(
      firsts,
      Array.from({ length: 60 }, (_, at) => at * 3 + 1),
    );
    assert.ok(runs > 60, 'there were conflicts to be run again');
    for (const database of [one, two]) {
      const { postingCount, differences } = await database.read(longDeadline, (db) =>
        verifyBankRollups(db, grantBank(1001)),
      );
      assert.equal(postingCount, 180);
      assert.deepEqual(differences, []);
    }
    assert.equal(ledgerTopic(1001), 'ledger/1001');
  });

  test('a period that one node closes while another renames a resident keeps the name at its closing', async () => {
    const bank = grantBank(1003);
    const resident = { bankId: 1003, residentId: 1001 };
    await one.write(longDeadline, async (db) => {
      await insertTestBank(db, { bankId: 1003 });
      await insertTestResident(db, 1001, { bankId: 1003, name: 'A0' });
    });
    const readName = (period: number): Promise<string | undefined> =>
      two.read(longDeadline, async (db) => (await readIdentitiesOfPeriod(db, bank, period)).get(1001)?.name);
    let runs = 0;
    const [renaming, end] = [createDeferred(), createDeferred()];
    const renamed = one.write(longDeadline, async (db) => {
      runs += 1;
      await renameResident(db, resident, 'A1');
      renaming.resolve();
      await end.promise;
    });
    await renaming.promise;
    // A lock of one node is not visible on the other: the renaming fails at its commit.
    const period = await two.write(longDeadline, (db) => lockAndClosePeriod(db, bank, 1, 1));
    assert.equal(await readName(period), 'A0');
    end.resolve();
    await renamed;
    assert.equal(runs, 2);
    assert.equal(await readName(period), 'A0');
    assert.equal(await readName(period + 1), 'A1');
  });

  test('[reversal.13] one entry is reversed once through any node; the chain and the outbox are complete', async () => {
    const bankId = 1002;
    const now = toMs2000(Date.now());
    await one.write(longDeadline, async (db) => {
      await insertTestBank(db, { bankId });
      await setTenantSetting(db, 'accountingRetentionDays', '400');
      await lockAndAppendPostings(
        db,
        grantBank(bankId),
        Array.from({ length: 20 }, (_, at) => postingDraft(now - at, { internalTag: 1 })),
      );
    });
    const [first, second] = await startReplicas(cluster);
    const { token } = await createToken(first);
    const attempt = (at: number, id: number) => reverseEntry(at % 2 === 0 ? first : second, id, { token, bankId });
    try {
      const replies = await Promise.all(Array.from({ length: 100 }, (_, at) => attempt(at, 1)));
      assert.equal(replies.filter(({ status }) => status === 200).length, 1);
      assert.equal(replies.filter(({ json }) => json.code === 'already-reversed').length, 99);
      for (let id = 2; id <= 20; id += 1) {
        const both = await Promise.all([0, 1].map((at) => attempt(at, id)));
        assert.deepEqual(
          both.map(({ status }) => status).toSorted((a, b) => a - b),
          [200, 409],
        );
      }
      for (const service of [first, second]) {
        assert.equal((await readPostings(service, bankId)).length, 40);
        assert.equal((await readDeviceSync(service, bankId)).length, 20);
        assert.deepEqual(await verifyBankLedger(service, bankId), []);
      }
    } finally {
      await Promise.all([first.stop(), second.stop()]);
    }
  });

  test('[managers.30] of two administrators who remove each other’s rights on two nodes at once, one keeps them', async () => {
    const [first, second] = await startReplicas(cluster);
    try {
      await one.write(longDeadline, (db) => db.updateTable('managers').set({ active: 0 }).execute());
      for (let round = 0; round < 10; round += 1) {
        const both = [await createToken(first), await createToken(first)] as const;
        const withdraw = (service: TestService, by: 0 | 1) =>
          setPermission(
            service,
            both[by === 0 ? 1 : 0].managerId,
            { permission: 'Managers.Write', granted: false },
            both[by],
          );
        const replies = await Promise.all([withdraw(first, 0), withdraw(second, 1)]);
        assert.deepEqual(
          replies.map(({ status }) => status).toSorted((a, b) => a - b),
          [200, 403],
          JSON.stringify(replies.map(({ json }) => json)),
        );
        const left = await Promise.all(
          both.map(({ managerId }) => two.read(longDeadline, (db) => readManagerRights(db, managerId))),
        );
        assert.equal(left.filter(({ permissions }) => permissions.has('Managers.Write')).length, 1);
        await one.write(longDeadline, (db) => db.updateTable('managers').set({ active: 0 }).execute());
      }
      await assertSoundAudit(second);
    } finally {
      await Promise.all([first.stop(), second.stop()]);
    }
  });

  test('a node without a quorum: unavailable, and nothing that was acknowledged is lost', async () => {
    let done = 0;
    let unknown = 0;
    const failures = new Set<string>();
    const write = (): Promise<void> =>
      one
        .write({ deadlineMs: 1000 }, (db) => incrementCounter(db, 2))
        .then(
          () => void (done += 1),
          (error: unknown) => {
            assert.ok(error instanceof StorageError, String(error));
            failures.add(error.failure);
            if (error.failure === 'outcome-unknown') unknown += 1;
          },
        );
    for (let at = 0; at < 20; at += 1) await write();
    assert.equal(done, 20);
    await Promise.all(cluster.nodes.slice(1).map((node) => node.kill()));
    await waitUntil('the node has noticed', async () => {
      await write();
      return failures.has('unavailable');
    });
    await assert.rejects(
      one.read({ deadlineMs: 2000 }, (db) => findCounter(db, 2)),
      { failure: 'unavailable' },
    );
    await cluster.nodes[0]?.run(`set global wsrep_provider_options = 'pc.bootstrap=true'`);
    const doneBefore = done;
    await waitUntil('the node goes on', async () => {
      await write();
      return done > doneBefore;
    });
    const kept = (await one.read(longDeadline, (db) => findCounter(db, 2))) ?? -1;
    assert.ok(done <= kept && kept <= done + unknown, `${done} done, ${unknown} unknown, ${kept} kept`);
  });
});

function drafts(writer: number, round: number): PostingDraft[] {
  return [1, 2, 3].map((unit) => ({
    recordedAt: 800_000_000_000 + round * 3_600_000 + unit,
    locationId: 1,
    unitId: unit === 3 ? 0 : unit,
    residentId: 1000,
    kind: 'Consumption',
    currency: 'DKK',
    amountMinor: BigInt(-100 * unit - writer),
    text: `writer ${writer}`,
  }));
}
