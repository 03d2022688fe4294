// A closed settlement keeps the names with which it was closed: its archive is the same bytes after any renaming, also
// where a name changes while the period is being closed. An identity that expires leaves it all the same.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { lockAndAppendPostings, lockAndClosePeriod } from '../../src/features/account/queries/ledger.ts';
import { postingDraft } from '../support/account-reads.ts';
import { createDeferred } from '../support/async.ts';
import { insertTestResident, setTenantSetting } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { changeResident, renameResident } from '../support/resident-changes.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { downloadArchive, readArchive } from '../support/settlements.ts';
import { testNow } from '../support/times.ts';
import { newBankRows } from '../support/with-bank.ts';

serviceSuite({ now: testNow, replicas: 2 }, (suite) => {
  const { service, replicaFor, manager } = suite;
  const other = replicaFor(1);
  before(async () => {
    await service.write('sund', (db) => setTenantSetting(db, 'accountingRetentionDays', '400'));
  });

  /** A bank whose residents 1001 `A0` and 1002 `B0` have a posting in the open period. */
  async function newBank(): Promise<number> {
    const bankId = await newBankRows(suite);
    await service.write('sund', async (db) => {
      await insertTestResident(db, 1001, { bankId, name: 'A0' });
      await insertTestResident(db, 1002, { bankId, name: 'B0' });
    });
    await record(bankId);
    return bankId;
  }
  const record = (bankId: number): Promise<unknown> =>
    service.write('sund', (db) =>
      lockAndAppendPostings(
        db,
        grantBank(bankId),
        [1001, 1002].map((residentId) => postingDraft(testNow - 1, { residentId })),
      ),
    );
  const close = (bankId: number, by = service): Promise<number> =>
    by.write('sund', (db) => lockAndClosePeriod(db, grantBank(bankId), testNow, testNow));
  const rename = (bankId: number, name: string, residentId = 1001): Promise<void> =>
    service.write('sund', (db) => renameResident(db, { bankId, residentId }, name));
  const download = async (bankId: number, period: number): Promise<Buffer> =>
    (await downloadArchive(service, manager.token, { bankKid: `sund-B${bankId}` }, period)).bytes;
  const readNames = (archive: Buffer): (string | undefined)[] => readArchive(archive).residents.map(({ name }) => name);
  const countFormerNames = async (bankId: number): Promise<number> => {
    const select = service.read('sund', (db) =>
      db.selectFrom('resident_former_names').selectAll().where('bank_id', '=', bankId).execute(),
    );
    return (await select).length;
  };

  test('[settlements.07] an archive is the same bytes after a resident was renamed, however often', async () => {
    const bankId = await newBank();
    await rename(bankId, 'A1');
    assert.equal(await countFormerNames(bankId), 0, 'nothing is closed yet');
    await close(bankId);
    const first = await download(bankId, 1);
    assert.deepEqual(readNames(first), ['A1', 'B0']);
    for (const name of ['A2', 'A3', 'A1', 'A4']) {
      await rename(bankId, name);
      assert.ok(first.equals(await download(bankId, 1)), name);
    }
    assert.equal(await countFormerNames(bankId), 1, 'names between two closings are not kept');
    await rename(bankId, 'B1', 1002);
    assert.ok(first.equals(await download(bankId, 1)));
  });

  test('[settlements.07] an archive is the same bytes after the command SetName', async () => {
    const bankId = await newBank();
    await close(bankId);
    const first = await download(bankId, 1);
    const user = `/api/v1/banks/sund-B${bankId}/users/sund-B${bankId}-R1001`;
    for (const value of ['A1', 'A2']) {
      const { json } = await service.call('GET', user, manager);
      const body = { expectedRevision: json.revision, value };
      const { status, text } = await service.call('POST', `${user}/commands/SetName`, { token: manager.token, body });
      assert.equal(status, 200, text);
    }
    assert.equal((await service.call('GET', user, manager)).json.user.name, 'A2');
    assert.ok(first.equals(await download(bankId, 1)));
    await record(bankId);
    await close(bankId);
    assert.deepEqual(readNames(await download(bankId, 2)), ['A2', 'B0']);
  });

  test('[settlements.07] each period has the names of its own closing', async () => {
    const bankId = await newBank();
    const archives: Buffer[] = [];
    // Some periods are closed without a change before, and some after several.
    const renamings = [[], ['A1'], [], ['A2', 'A3'], [], [], ['A4', 'A0']];
    for (const names of renamings) {
      for (const name of names) await rename(bankId, name);
      const period = await close(bankId);
      archives.push(await download(bankId, period));
      await record(bankId);
    }
    const expected = ['A0', 'A1', 'A1', 'A3', 'A3', 'A3', 'A0'];
    await rename(bankId, 'A9');
    for (const [at, archive] of archives.entries()) {
      assert.deepEqual(readNames(archive), [expected[at], 'B0'], `period ${at + 1}`);
      assert.ok(archive.equals(await download(bankId, at + 1)), `period ${at + 1}`);
    }
  });

  test('other banks, and other residents, keep their own names', async () => {
    const [bankId, neighbour] = [await newBank(), await newBank()];
    for (const each of [bankId, neighbour]) await close(each);
    const archive = await download(neighbour, 1);
    await rename(bankId, 'A1');
    await rename(bankId, 'A2');
    assert.ok(archive.equals(await download(neighbour, 1)));
    assert.deepEqual(readNames(await download(bankId, 1)), ['A0', 'B0']);
  });

  test('[settlements.07, settlements.09] an identity that expires disappears from the archive with all its names', async () => {
    const bankId = await newBank();
    await close(bankId);
    await rename(bankId, 'A1');
    await service.write('sund', (db) => changeResident(db, { bankId, residentId: 1001 }, { expired_at: testNow }));
    const { residents, postings } = readArchive(await download(bankId, 1));
    assert.deepEqual(
      residents.map(({ userKid, name }) => [userKid, name]),
      [
        [`sund-B${bankId}-R0`, ''],
        [`sund-B${bankId}-R1002`, 'B0'],
      ],
    );
    assert.ok(postings.every(({ userKid }) => userKid !== `sund-B${bankId}-R1001`));
  });

  test('a period that is closed while a resident is being renamed waits, and always shows one name', async () => {
    const bankId = await newBank();
    await close(bankId);
    await record(bankId);
    const [renaming, end] = [createDeferred(), createDeferred()];
    const renamed = service.write('sund', async (db) => {
      await renameResident(db, { bankId, residentId: 1001 }, 'A1');
      renaming.resolve();
      await end.promise;
    });
    await renaming.promise;
    const firstDownload = close(bankId, other).then((period) => download(bankId, period));
    // Without the wait the period would be closed, and downloaded, with the name that has not been changed yet.
    await Promise.race([firstDownload, pause(700)]);
    end.resolve();
    await renamed;
    const archive = await firstDownload;
    assert.deepEqual(readNames(archive), ['A1', 'B0']);
    await rename(bankId, 'A2');
    assert.ok(archive.equals(await download(bankId, 2)));
    assert.deepEqual(readNames(await download(bankId, 1)), ['A0', 'B0']);
  });

  test('a resident who is renamed while a period is being closed keeps the former name in it', async () => {
    const bankId = await newBank();
    const [closing, end] = [createDeferred(), createDeferred()];
    const closed = other.write('sund', async (db) => {
      await lockAndClosePeriod(db, grantBank(bankId), testNow, testNow);
      closing.resolve();
      await end.promise;
    });
    await closing.promise;
    const renamed = rename(bankId, 'A1');
    await Promise.race([renamed, pause(700)]);
    end.resolve();
    await Promise.all([closed, renamed]);
    assert.deepEqual(readNames(await download(bankId, 1)), ['A0', 'B0']);
  });

  test('every period keeps the bytes of its first download during concurrent renamings and closings on two replicas', async () => {
    const bankId = await newBank();
    const archives: Buffer[] = [];
    for (let round = 1; round <= 8; round += 1) {
      const [period] = await Promise.all([
        close(bankId, other),
        rename(bankId, `A${round}a`),
        rename(bankId, `B${round}`, 1002),
        rename(bankId, `A${round}b`),
      ]);
      assert.equal(period, round);
      archives.push(await download(bankId, period));
      await record(bankId);
    }
    await rename(bankId, 'Z');
    for (const [at, archive] of archives.entries()) assert.ok(archive.equals(await download(bankId, at + 1)));
  });
});
