// The ledger after a process was killed during its writes, and the command that verifies it.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { before, test } from 'node:test';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { verifyBankRollups } from '../../src/features/account/verification/verify-bank-rollups.ts';
import { grantBank } from '../support/granted-banks.ts';
import { postingDraft } from '../support/account-reads.ts';
import { insertTestBank } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';

const root = join(import.meta.dirname, '../..');

serviceSuite({ manager: false }, ({ service, storage }) => {
  before(async () => {
    await service.write('sund', async (db) => {
      for (const bankId of [1001, 1002]) await insertTestBank(db, { bankId });
      await lockAndAppendPostings(db, grantBank(1002), [postingDraft(0), postingDraft(1)]);
    });
  });

  /** Starts a writer and kills it after so many acknowledged writes; returns the acknowledged ids. */
  async function killedAfter(writes: number): Promise<number[]> {
    const child = spawn(process.execPath, [join(root, 'test/support/ledger-writer.ts'), storage.storageUrl], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const ids: number[] = [];
    let lines = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      const [first = 0, count = 0] = line.split(' ').map(Number);
      ids.push(...Array.from({ length: count }, (_, at) => first + at));
      lines += 1;
      if (lines === writes) child.kill('SIGKILL');
    }
    assert.deepEqual(await exited, [null, 'SIGKILL']);
    return ids;
  }

  test('a process killed while it writes leaves whole postings with their roll-ups, including all acknowledged ones', async () => {
    const promised: number[] = [];
    for (const writes of [3, 17, 40]) {
      promised.push(...(await killedAfter(writes)));
      const { stored, verdict } = await service.read('sund', async (db) => ({
        stored: await db
          .selectFrom('postings')
          .select('posting_id')
          .where('bank_id', '=', 1001)
          .orderBy('posting_id')
          .execute(),
        verdict: await verifyBankRollups(db, grantBank(1001)),
      }));
      assert.deepEqual(verdict.differences, []);
      const ids = new Set(stored.map(({ posting_id }) => posting_id));
      assert.deepEqual(
        promised.filter((id) => !ids.has(id)),
        [],
      );
      assert.deepEqual(
        [...ids],
        [...ids].map((_, at) => at + 1),
        'without a gap',
      );
      assert.equal(new Set(promised).size, promised.length);
    }
    // The next writer continues where the last one ended.
    const [last = 0] = promised.slice(-1);
    assert.ok(
      (await service.write('sund', (db) => lockAndAppendPostings(db, grantBank(1001), [postingDraft(0)]))) > last,
    );
  });

  type Run = { code: number; out: string; err: string };
  const verify = (...options: string[]): Promise<Run> =>
    new Promise((resolve) => {
      const env = { PATH: process.env['PATH'], PORTAL_STORAGE: storage.storageUrl };
      execFile(process.execPath, [join(root, 'bin/portal.mjs'), 'verify', ...options], { env }, (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), out, err }),
      );
    });

  test('the verify command prints what it verified and exits 0, or prints every difference and exits 1', async () => {
    const sound = await verify('--tenant', 'sund');
    assert.deepEqual([sound.code, sound.err], [0, '']);
    assert.match(sound.out, /^sund-B1001: \d+ postings, \d+ roll-ups, 0 differences$/m);
    assert.match(sound.out, /^sund-B1002: 2 postings, \d+ roll-ups, 0 differences$/m);
    await service.write('sund', (db) =>
      db
        .updateTable('postings')
        .set({ amount_minor: -99 })
        .where('bank_id', '=', 1002)
        .where('posting_id', '=', 1)
        .execute(),
    );
    const damaged = await verify('--tenant', 'sund');
    assert.equal(damaged.code, 1);
    assert.match(damaged.out, /^sund-B1002: 2 postings, \d+ roll-ups, [1-9]\d* differences$/m);
    assert.match(damaged.out, /^ {2}posting 1: stored \d+, computed \d+$/m);
    assert.match(damaged.out, /^ {2}1002\/0\/0\/4\/1\/0\/DKK: stored 2\/0\/-200\/\S+, computed 2\/0\/-199\/\S+$/m);
    assert.match(damaged.err, /^error: \d+ differences between postings and their stored sums\n$/);
  });
});
