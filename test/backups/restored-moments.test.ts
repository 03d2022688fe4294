// Restores of a moment of a copy: on either engine, killed, or at the same time.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { openDatabases } from '../../src/database/databases.ts';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { appendAudit } from '../../src/features/audit/queries/append-audit.ts';
import { createOperatorAuditContext } from '../../src/features/audit/rules/audit-context.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { postingDraft } from '../support/account-reads.ts';
import { waitUntil } from '../support/async.ts';
import { seedDemoTenant } from '../support/demo-database.ts';
import { grantBank } from '../support/granted-banks.ts';
import { prepareDatabase } from '../support/migrated-copy.ts';
import { createStorage, onBothEngines, type TestStorage } from '../support/service.ts';
import { longDeadline, storageAddressOf, tenant } from '../support/test-database.ts';
import { runPortal, startPortal } from '../support/portal-process.ts';
import { countSegments, createFollowedCopy, filesOf, followCopy, setName } from './support/followed-copy.ts';
import { lockAuditsOf } from '../support/audit.ts';

let folder: string;
before(() => (folder = mkdtempSync(join(tmpdir(), 'portal-test-'))));
after(() => rmSync(folder, { recursive: true }));

test('[backups.16] what a restore of a moment leaves that was killed in the middle is removed by the next one, and what a running one uses is not', async () => {
  const followed = await createFollowedCopy(folder);
  const { home, copy, database } = followed;
  const running = await followCopy(followed);
  await running.says('a base was written');
  setName(database, 'kept');
  await waitUntil('it is copied', () => countSegments(copy) > 0);
  await running.stop();
  database.close();
  // It has all but the last file, of which a restore waits for the bytes.
  const stuck = join(home, 'stuck');
  cpSync(copy, stuck, { recursive: true });
  const last = join(stuck, filesOf(stuck, /segment/).at(-1) ?? '');
  rmSync(last);
  assert.equal(spawnSync('mkfifo', [last]).status, 0);
  const data = join(home, 'restored');
  mkdirSync(data);
  const settings = { ...followed.settings, PORTAL_STORAGE: `sqlite:${data}` };
  const moments = (): string[] => readdirSync(data).filter((name) => name.includes('moment'));
  const restoreStuck = async () => {
    const earlier = moments();
    const restoring = startPortal(['restore', stuck, '--tenant', 'sund'], settings);
    const madeNow = (): string => moments().find((name) => !earlier.includes(name)) ?? 'none';
    await waitUntil('it is in the middle', () => existsSync(join(data, madeNow(), 'sund.sqlite')));
    return { made: madeNow(), kill: () => (restoring.signal('SIGKILL'), restoring.ended) };
  };
  const killed = await restoreStuck();
  await killed.kill();
  assert.deepEqual(moments(), [killed.made], 'it leaves its folder');
  // Killed as soon as it was made, or while it was removed.
  mkdirSync(join(data, 'sund.moment-empty'));
  mkdirSync(join(data, 'other.moment-empty'));
  const living = await restoreStuck();
  assert.deepEqual(moments(), ['other.moment-empty', living.made].toSorted(), 'the next one removes it');
  rmSync(join(data, 'other.moment-empty'), { recursive: true });
  const restored = await runPortal(['restore', copy, '--tenant', 'sund'], settings);
  assert.equal(restored.code, 0, restored.stderr);
  assert.deepEqual(moments(), [living.made], 'what is in use is not removed');
  assert.ok(existsSync(join(data, living.made, 'sund.sqlite')));
  await living.kill();
  const restoredDatabase = new DatabaseSync(join(data, 'sund.sqlite'));
  assert.equal(
    restoredDatabase.prepare("select count(*) as n from tenant_settings where name = 'kept'").get()?.['n'],
    1,
  );
  restoredDatabase.close();
  // It is removed before anything else, also by one that is refused.
  const refused = await runPortal(['restore', copy, '--tenant', 'sund'], settings);
  assert.deepEqual([refused.code, moments()], [1, []], refused.stderr);
});

describe('the moment of a written tenant', () => {
  let source: TestStorage;
  let copy: string;
  let at: string;
  /** What the proofs have printed at the moment. */
  let proofs: string[];

  before(async () => {
    source = await createStorage('sqlite');
    const target = mkdtempSync(join(folder, 'copies-'));
    copy = join(target, tenant);
    const databases = openDatabases(storageAddressOf(source));
    await prepareDatabase(databases, storageAddressOf(source), tenant);
    const database = databases.forTenant(tenant);
    await seedDemoTenant(database, tenant, { postings: 200 });
    const settings = { PORTAL_STORAGE: source.storageUrl };
    // So that a restore has nothing to erase, which would append to the audit log.
    assert.equal((await runPortal(['anonymise', '--tenant', tenant], settings)).code, 0);
    const running = startPortal(['backup', 'follow', target, '--tenant', tenant], settings);
    await waitUntil('there is a base', () => running.stdout().includes('a base was written'));
    const writeAndWait = async (text: string): Promise<void> => {
      const copied = countSegments(copy);
      const clock = (): number => toMs2000(Date.now());
      await database.write(longDeadline, async (db) => {
        await lockAuditsOf(db, 1001);
        await lockAndAppendPostings(db, grantBank(1001), [postingDraft(clock(), { text })]);
        const context = createOperatorAuditContext('test', clock);
        await appendAudit(db, context, { object: 'sund-B1001', bankId: 1001, before: null, after: { text } });
      });
      await waitUntil('it is copied', () => countSegments(copy) > copied);
    };
    await writeAndWait('before the moment');
    at = new Date().toISOString();
    proofs = await readProofs(settings);
    await writeAndWait('after the moment');
    running.signal('SIGTERM');
    assert.deepEqual(await running.ended, { code: 0, signal: null });
    await databases.close();
    assert.notDeepEqual(await readProofs(settings), proofs);
  });
  after(() => source.release());

  onBothEngines((engine) => {
    test(`[backups.19] a moment of a copy is restored on ${engine} with the heads and the totals of that moment`, async () => {
      const restored = await createStorage(engine);
      const settings = { PORTAL_STORAGE: restored.storageUrl };
      try {
        const { code, stderr } = await runPortal(['restore', copy, '--tenant', tenant, '--at', at], settings);
        assert.equal(code, 0, stderr);
        assert.deepEqual(await readProofs(settings), proofs);
      } finally {
        await restored.release();
      }
    });
  });
});

async function readProofs(settings: Readonly<Record<string, string>>): Promise<string[]> {
  const printed: string[] = [];
  for (const proof of [['verify'], ['verify', 'ledger'], ['verify', 'audit']]) {
    const { code, stdout, stderr } = await runPortal([...proof, '--tenant', tenant], settings);
    assert.equal(code, 0, stdout + stderr);
    printed.push(stdout);
  }
  assert.match(printed.join(), /\(head \d+ [\w-]{43}\)/);
  return printed;
}
