// The loop of a rent system: files appear in a folder, are taken once when they are complete, and reports and exports are
// written. Kills in the middle, files that grow, and guards.

import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test, type TestContext } from 'node:test';
import { applyByOperator, planByOperator } from '../../src/features/imports/commands/import-by-operator.ts';
import { lockFolder } from '../../src/features/rent-sync/commands/sync-lock.ts';
import { assertSoundAudit, readAuditEntries } from '../support/audit.ts';
import { waitUntil } from '../support/async.ts';
import type { HttpReply } from '../support/call.ts';
import { insertTestBank } from '../support/factories.ts';
import { csvOf } from '../support/imports.ts';
import { runPortal, startPortal } from '../support/portal-process.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createOperator, createSyncFolder, type SyncFolder } from '../support/sync-folders.ts';

const header = ['key', 'name', 'email', 'apartment'];
const person = (number: number): string[] => [`t${number}`, `Demo ${number}`, `demo${number}@example.org`, `${number}`];
const people = (count: number): string[][] => Array.from({ length: count }, (_, at) => person(at + 1));
const fileOf = (...rows: readonly (readonly string[])[]): string => csvOf(header, ...rows);

const lastError = ({ lines }: SyncFolder): string => String(lines.at(-1)?.['err']);

serviceSuite({}, ({ service, storage, manager, nextBankId }) => {
  before(() => service.write('sund', (db) => insertTestBank(db)));
  async function createBank(): Promise<number> {
    const bankId = nextBankId();
    await service.write('sund', (db) => insertTestBank(db, { bankId }));
    return bankId;
  }
  const createFolder = (t: TestContext): SyncFolder => {
    const folder = createSyncFolder(service);
    t.after(folder.remove);
    return folder;
  };
  const entryOf = (bankId: number, more: object = {}) => ({
    pattern: 'residents*.csv',
    kind: 'residents',
    bank: `sund-B${bankId}`,
    ...more,
  });
  const listUsers = async (bankId: number): Promise<HttpReply['json'][]> =>
    (await service.call('GET', `/api/v1/banks/sund-B${bankId}/users?state=all&sort=kid&limit=200`, manager)).json.items;
  const namesOf = async (bankId: number): Promise<string[]> => (await listUsers(bankId)).map(({ name }) => name);
  const listImports = (bankId: number) =>
    service.read('sund', (db) =>
      db.selectFrom('imports').selectAll().where('bank_id', '=', bankId).orderBy('import_id').execute(),
    );
  const planText = (bankId: number, text: string) => {
    const file = ReadableStream.from([Buffer.from(text)]);
    const options = { kind: 'residents', bankId, profile: undefined, missing: 'keep', options: {} } as const;
    return planByOperator(createOperator(service), { ...options, file });
  };
  /** The records for devices, in their order. */
  const listQueued = (bankId: number) =>
    service.read('sund', (db) =>
      db
        .selectFrom('device_sync')
        .select(['subject_kind', 'subject_id'])
        .where('bank_id', '=', bankId)
        .orderBy('sync_id')
        .execute(),
    );
  const runSync = (folder: SyncFolder, ...more: string[]) =>
    runPortal(syncArguments(folder, ...more), { PORTAL_STORAGE: storage.storageUrl });
  const syncArguments = (folder: SyncFolder, ...more: string[]): string[] => [
    'sync',
    '--tenant',
    'sund',
    '--source',
    folder.path,
    ...more,
  ];

  test('[sync.01] a file that grows is taken when it is complete, and until then nothing of it is read', async (t) => {
    const bankId = await createBank();
    const folder = createFolder(t);
    const sync = await folder.open([entryOf(bankId)], { settleMs: 10_000 });
    const text = fileOf(...people(3));
    const half = text.indexOf('Demo 2') + 3;
    folder.put('residents.csv', text.slice(0, half));
    folder.put('residents-2.csv.part', fileOf(person(8)));
    folder.put('.residents-3.csv', fileOf(person(9)));
    folder.put('other.txt', 'x');
    assert.deepEqual((await sync.takeFiles()).waiting, ['residents.csv']);
    folder.clock.ms += 9000;
    appendFileSync(join(folder.path, 'residents.csv'), text.slice(half, half + 5));
    assert.deepEqual((await sync.takeFiles()).waiting, ['residents.csv']);
    folder.clock.ms += 9000;
    assert.deepEqual((await sync.takeFiles()).waiting, ['residents.csv']);
    appendFileSync(join(folder.path, 'residents.csv'), text.slice(half + 5));
    folder.clock.ms += 1000;
    assert.deepEqual(await sync.takeFiles(), { taken: 0, failed: 0, troubled: 0, waiting: ['residents.csv'] });
    assert.deepEqual(await listImports(bankId), []);
    folder.clock.ms += 10_000;
    assert.deepEqual(await sync.takeFiles(), { taken: 1, failed: 0, troubled: 0, waiting: [] });
    assert.deepEqual(await namesOf(bankId), ['Demo 1', 'Demo 2', 'Demo 3']);
    assert.deepEqual(folder.list(), ['other.txt', 'residents-2.csv.part']);
    assert.deepEqual(folder.list('done'), ['residents.csv', 'residents.csv.report.json', 'residents.csv.report.txt']);
    const others = folder.lines.filter(({ level }) => level === 'warn');
    assert.deepEqual(
      others.map(({ file }) => file),
      ['other.txt'],
    );
  });

  test('[sync.01] a file that is written to while it is planned is left, and applied as a whole later', async (t) => {
    const bankId = await createBank();
    const folder = createFolder(t);
    const text = fileOf(...people(2));
    const half = text.indexOf('t2');
    const state = { writes: 0 };
    const sync = await folder.open([entryOf(bankId)], {
      beforeWrite: () => {
        state.writes += 1;
        // The sender goes on when the file has been taken for complete.
        if (state.writes === 1) appendFileSync(join(folder.path, 'residents.csv'), text.slice(half));
      },
    });
    folder.put('residents.csv', text.slice(0, half));
    assert.deepEqual(await sync.takeFiles(), { taken: 0, failed: 0, troubled: 0, waiting: [] });
    assert.deepEqual([folder.list(), folder.lines.at(-1)?.['reason']], [['residents.csv'], 'it is being written to']);
    assert.deepEqual(await namesOf(bankId), []);
    assert.equal((await sync.takeFiles()).taken, 1);
    assert.deepEqual(await namesOf(bankId), ['Demo 1', 'Demo 2']);
    assert.deepEqual(
      (await listImports(bankId)).map((each) => each.state),
      ['cancelled', 'applied'],
    );
  });

  test('[sync.02] two files at once are taken in the order of their names, whatever their times', async (t) => {
    const bankId = await createBank();
    const folder = createFolder(t);
    const sync = await folder.open([entryOf(bankId)]);
    folder.put('residents-2.csv', fileOf(person(1).with(1, 'Demo Renamed'), person(2)));
    folder.put('residents-1.csv', fileOf(person(1)));
    utimesSync(join(folder.path, 'residents-2.csv'), 1_000_000, 1_000_000);
    assert.deepEqual(await sync.takeFiles(), { taken: 2, failed: 0, troubled: 0, waiting: [] });
    assert.deepEqual(await namesOf(bankId), ['Demo Renamed', 'Demo 2']);
    const done = folder.lines.map(({ file, result }) => [file, result]);
    assert.deepEqual(done, [
      ['residents-1.csv', 'applied'],
      ['residents-2.csv', 'applied'],
    ]);
  });

  test('[sync.03] the same bytes again go to done, with a report of the import that applied them', async (t) => {
    const bankId = await createBank();
    const folder = createFolder(t);
    const sync = await folder.open([entryOf(bankId)]);
    for (let sent = 0; sent < 2; sent += 1) {
      folder.put('residents.csv', fileOf(person(1)));
      assert.equal((await sync.takeFiles()).taken, 1);
    }
    const imports = await listImports(bankId);
    assert.deepEqual([imports.length, imports[0]?.state], [1, 'applied']);
    const names = folder.list('done').filter((name) => name.endsWith('.csv'));
    assert.equal(names.length, 2);
    const [again = ''] = names.filter((name) => /^residents-\d{8}T\d{6}Z\.csv$/.test(name));
    const [first, second] = [folder.report('done', 'residents.csv'), folder.report('done', again)];
    assert.deepEqual([first.result, second.result], ['applied', 'applied-before']);
    assert.equal(second.import?.kid, first.import?.kid);
    assert.equal(second.import?.outcomes.applied, 1);
    // Another bank has not had these bytes.
    const other = await createBank();
    const otherSync = await folder.open([entryOf(other)]);
    folder.put('residents.csv', fileOf(person(1)));
    await otherSync.takeFiles();
    assert.deepEqual(await namesOf(other), ['Demo 1']);
  });

  test('[sync.03] other bytes that say the same change nothing, and leave no plan behind', async (t) => {
    const bankId = await createBank();
    const folder = createFolder(t);
    const sync = await folder.open([entryOf(bankId)]);
    folder.put('residents-1.csv', fileOf(...people(2)));
    folder.put('residents-2.csv', fileOf(...people(2).toReversed()));
    assert.equal((await sync.takeFiles()).taken, 2);
    assert.equal(folder.report('done', 'residents-2.csv').result, 'unchanged');
    assert.deepEqual(
      (await listImports(bankId)).map(({ state }) => state),
      ['applied', 'cancelled'],
    );
  });

  test('the same bytes on another day are looked at again if they say who moves out, and when', async (t) => {
    const bankId = await createBank();
    const folder = createFolder(t);
    const sync = await folder.open([entryOf(bankId)]);
    const today = Temporal.Now.plainDateISO('Europe/Copenhagen');
    const text = csvOf(['key', 'name', 'movedOut'], ['t1', 'Demo 1', today.add({ days: 1 }).toString()]);
    const take = async (name: string): Promise<string> => {
      folder.put(name, text);
      assert.equal((await sync.takeFiles()).taken, 1);
      const [user] = await listUsers(bankId);
      return `${folder.report('done', name).result} ${user.state}`;
    };
    assert.equal(await take('residents-1.csv'), 'applied active');
    assert.equal(await take('residents-2.csv'), 'applied-before active');
    // As if two days had gone by: the day in the file is then yesterday.
    const twoDays = 2 * 24 * 3600 * 1000;
    await service.write('sund', (db) =>
      db
        .updateTable('imports')
        .set(({ eb }) => ({ changed_at: eb('changed_at', '-', twoDays) }))
        .where('bank_id', '=', bankId)
        .execute(),
    );
    assert.equal(await take('residents-3.csv'), 'unchanged active');
  });

  test('[sync.04] what was planned, or applied, before a process ended is found by its bytes and ended', async (t) => {
    const bankId = await createBank();
    const folder = createFolder(t);
    const operator = createOperator(service);
    const plan = (text: string) => planText(bankId, text);
    const [first, second] = [fileOf(person(1)), fileOf(person(2))];
    const planned = await plan(first);
    const other = await plan(second);
    await applyByOperator(operator, Number(other.kid.slice('sund-F'.length)), { allowPartial: false });
    folder.put('residents-1.csv', first);
    folder.put('residents-2.csv', second);
    const sync = await folder.open([entryOf(bankId)]);
    assert.deepEqual(await sync.takeFiles(), { taken: 2, failed: 0, troubled: 0, waiting: [] });
    assert.equal(folder.report('done', 'residents-1.csv').import?.kid, planned.kid);
    // The first one was applied after it.
    assert.deepEqual(folder.report('done', 'residents-2.csv').result, 'unchanged');
    assert.deepEqual(
      (await listImports(bankId)).map(({ state }) => state),
      ['applied', 'applied', 'cancelled'],
    );
    assert.deepEqual((await namesOf(bankId)).toSorted(), ['Demo 1', 'Demo 2']);
  });

  test('[sync.03] bytes that come again after another file are applied again: the state is the one that they say', async (t) => {
    const bankId = await createBank();
    const folder = createFolder(t);
    const sync = await folder.open([entryOf(bankId)]);
    const [one, other] = [fileOf(person(1)), fileOf(person(1).with(1, 'Demo Married'))];
    const results: string[] = [];
    for (const [at, text] of [one, other, one, one, other].entries()) {
      folder.put(`residents-${at}.csv`, text);
      assert.equal((await sync.takeFiles()).taken, 1);
      results.push(`${folder.report('done', `residents-${at}.csv`).result}, ${(await namesOf(bankId)).join()}`);
    }
    assert.deepEqual(results, [
      'applied, Demo 1',
      'applied, Demo Married',
      'applied, Demo 1',
      'applied-before, Demo 1',
      'applied, Demo Married',
    ]);
  });

  test('a resident who was changed after the plan was made is planned again', async (t) => {
    const bankId = await createBank();
    const folder = createFolder(t);
    const sync = await folder.open([entryOf(bankId)]);
    folder.put('residents-1.csv', fileOf(person(1)));
    await sync.takeFiles();
    const changed = fileOf(person(1).with(1, 'Demo From File'));
    await planText(bankId, changed);
    const [{ kid, revision }] = (await listUsers(bankId)) as [HttpReply['json']];
    const read = await service.call('GET', `/api/v1/banks/sund-B${bankId}/users/${kid}`, manager);
    const body = { expectedRevision: revision ?? read.json.revision, value: '9 tv' };
    const path = `/api/v1/banks/sund-B${bankId}/users/${kid}/commands/SetApartment`;
    assert.equal((await service.call('POST', path, { ...manager, body })).status, 200);
    folder.put('residents-2.csv', changed);
    assert.deepEqual(await sync.takeFiles(), { taken: 1, failed: 0, troubled: 0, waiting: [] });
    const [user] = await listUsers(bankId);
    assert.deepEqual([user.name, user.apartment], ['Demo From File', '1']);
    assert.deepEqual(
      (await listImports(bankId)).map(({ state }) => state),
      ['applied', 'failed', 'applied'],
    );
  });

  for (const [mode, allowPartial] of [
    ['in batches', true],
    ['in one transaction', false],
  ] as const)
    test(`[sync.04] killed while it applies ${mode}, the next run ends the work: nothing twice, nothing lost`, async (t) => {
      const bankId = await createBank();
      const folder = createFolder(t);
      const entry = entryOf(bankId, { allowPartial, missing: 'deactivate', maxMissing: 1500 });
      folder.put('residents-1.csv', fileOf(...people(3000)));
      assert.equal((await (await folder.open([entry])).takeFiles()).taken, 1);
      const queuedBefore = (await listQueued(bankId)).length;
      // A third of them stays, a third is renamed, a third moves out, and as many move in.
      const renamed = people(2000).map((row, at) => (at < 1000 ? row : row.with(1, `Renamed ${row[1]}`)));
      folder.put('residents-2.csv', fileOf(...renamed, ...people(4000).slice(3000)));
      folder.put('sync.json', JSON.stringify({ in: [entry] }));
      const started = startPortal(syncArguments(folder, '--once', '--settle', '0'), {
        PORTAL_STORAGE: storage.storageUrl,
      });
      t.after(() => started.signal('SIGKILL'));
      await waitUntil('it applies', async () => {
        const row = (await listImports(bankId))[1];
        return row?.state === 'applied' || (row?.state === 'applying' && (!allowPartial || row.done_through > 0));
      });
      started.signal('SIGKILL');
      assert.equal((await started.ended).signal, 'SIGKILL');
      // What is stored of residents and of records for devices is what the import says to have done.
      const killed = (await listImports(bankId))[1];
      assert.equal(killed?.state, 'applying');
      assert.equal((await listQueued(bankId)).length - queuedBefore, killed.applied);
      assert.deepEqual(folder.list(), ['residents-2.csv', 'sync.json']);
      const next = await runSync(folder, '--once', '--settle', '0');
      assert.deepEqual([next.code, next.stderr], [0, ''], next.stdout);
      assert.deepEqual(
        (await listImports(bankId)).map(({ state, applied, stale, failed }) => [state, applied, stale, failed]),
        [
          ['applied', 3000, 0, 0],
          ['applied', 3000, 0, 0],
        ],
      );
      const residents = await service.read('sund', (db) =>
        db.selectFrom('residents').select(['name', 'enabled']).where('bank_id', '=', bankId).execute(),
      );
      const own = residents.filter(({ name }) => /^(?:Renamed )?Demo \d+$/.test(name));
      assert.deepEqual([own.length, new Set(own.map(({ name }) => name)).size], [4000, 4000]);
      assert.equal(own.filter(({ name }) => name.startsWith('Renamed')).length, 1000);
      assert.equal(own.filter(({ enabled }) => enabled === 0).length, 1000);
      const queued = (await listQueued(bankId)).slice(queuedBefore);
      assert.deepEqual([queued.length, new Set(queued.map(({ subject_id }) => subject_id)).size], [3000, 3000]);
      assert.deepEqual(folder.list(), ['sync.json']);
      assert.equal(folder.report('done', 'residents-2.csv').import?.outcomes.applied, 3000);
      await assertSoundAudit(service);
    });

  test('[sync.05] a file with refused rows fails as a whole, with each error; a part of it is applied where that is allowed', async (t) => {
    const bankId = await createBank();
    const folder = createFolder(t);
    const partly = entryOf(bankId, { pattern: 'partly*.csv', allowPartial: true });
    const sync = await folder.open({ in: [entryOf(bankId), partly] });
    const bad = fileOf(person(1), person(2).with(1, ''), person(3).with(2, 'no address'));
    folder.put('residents.csv', bad);
    folder.put('residents-unreadable.csv', 'key;name;name\r\nt1;Anna;Bo\r\n');
    assert.deepEqual(await sync.takeFiles(), { taken: 2, failed: 2, troubled: 0, waiting: [] });
    assert.deepEqual(await namesOf(bankId), []);
    const report = folder.report('failed', 'residents.csv');
    assert.deepEqual([report.result, report.reason?.code], ['failed', 'rows-refused']);
    assert.deepEqual(
      report.rows.map(({ line, key, field, code }) => [line, key, field, code]),
      [
        [3, 't2', 'name', 'required'],
        [4, 't3', 'email', 'invalid'],
      ],
    );
    const unreadable = folder.report('failed', 'residents-unreadable.csv');
    assert.deepEqual([unreadable.reason?.code, unreadable.import?.state], ['repeated-column', 'failed']);
    folder.put('partly.csv', bad);
    assert.deepEqual(await sync.takeFiles(), { taken: 1, failed: 0, troubled: 0, waiting: [] });
    assert.deepEqual(await namesOf(bankId), ['Demo 1']);
    assert.equal(folder.report('done', 'partly.csv').rows.length, 2);
    assert.deepEqual(folder.list(), []);
  });

  test('[sync.05] a full file that lacks too many, or changes too much, fails, and nothing of it is applied', async (t) => {
    const bankId = await createBank();
    const folder = createFolder(t);
    const more = { missing: 'deactivate', maxChanges: 30 };
    const plain = await folder.open([entryOf(bankId, more)]);
    const all = people(30);
    folder.put('residents-0.csv', fileOf(...all));
    assert.equal((await plain.takeFiles()).taken, 1);
    const countDisabled = async (): Promise<number> =>
      (await listUsers(bankId)).filter(({ state }) => state === 'disabled').length;
    folder.put('residents-1.csv', fileOf(...all.slice(2)));
    folder.put('residents-2.csv', fileOf());
    folder.put('residents-3.csv', fileOf(...people(61)));
    assert.equal((await plain.takeFiles()).failed, 3);
    const reasonOf = (name: string) => folder.report('failed', name).reason?.code;
    assert.deepEqual(['residents-1.csv', 'residents-2.csv', 'residents-3.csv'].map(reasonOf), [
      'import-missing-rows',
      'no-rows',
      'too-many-changes',
    ]);
    assert.deepEqual([await countDisabled(), (await listUsers(bankId)).length], [0, 30]);
    const limited = await folder.open([entryOf(bankId, { ...more, maxMissing: 3 })]);
    folder.put('residents-4.csv', fileOf(...all.slice(4)));
    folder.put('residents-5.csv', fileOf(...all.slice(3)));
    assert.deepEqual(await limited.takeFiles(), { taken: 2, failed: 1, troubled: 0, waiting: [] });
    assert.equal(reasonOf('residents-4.csv'), 'too-many-missing');
    assert.equal(await countDisabled(), 3);
    // The file that was refused, with a greater limit: its plan is applied.
    const greater = await folder.open([entryOf(bankId, { ...more, maxMissing: 4 })]);
    renameSync(join(folder.path, 'failed/residents-4.csv'), join(folder.path, 'residents-4.csv'));
    assert.deepEqual(await greater.takeFiles(), { taken: 1, failed: 0, troubled: 0, waiting: [] });
    assert.equal(await countDisabled(), 4);
  });

  test('[sync.06] who moves in, out, to another flat or gets another name is so by the file alone, and devices are told', async (t) => {
    const bankId = await createBank();
    const folder = createFolder(t);
    const sync = await folder.open([entryOf(bankId, { missing: 'deactivate', maxMissing: 2 })]);
    folder.put('residents-1.csv', fileOf(...people(4)));
    await sync.takeFiles();
    const queuedBefore = (await listQueued(bankId)).length;
    const [movesOut, renamed, moves, stays] = await listUsers(bankId);
    folder.put(
      'residents-2.csv',
      fileOf(person(2).with(1, 'Demo Married'), person(3).with(3, '7 th'), person(4), person(5)),
    );
    assert.deepEqual(await sync.takeFiles(), { taken: 1, failed: 0, troubled: 0, waiting: [] });
    const users = new Map((await listUsers(bankId)).map((user) => [user.kid as string, user]));
    assert.equal(users.get(movesOut.kid)?.state, 'disabled');
    assert.equal(users.get(renamed.kid)?.name, 'Demo Married');
    assert.equal(users.get(moves.kid)?.apartment, '7 th');
    assert.equal(users.get(stays.kid)?.state, 'active');
    const movedIn = [...users.values()].find(({ name }) => name === 'Demo 5');
    assert.deepEqual([users.size, movedIn?.state], [5, 'active']);
    const queued = (await listQueued(bankId)).slice(queuedBefore);
    const idOf = ({ kid }: { kid: string }): number => Number(kid.slice(kid.lastIndexOf('R') + 1));
    assert.deepEqual(
      queued.map(({ subject_id }) => subject_id).toSorted((one, other) => one - other),
      [movesOut, renamed, moves, movedIn].map(idOf).toSorted((one, other) => one - other),
    );
    const entries = (await readAuditEntries(service)).filter(({ object }) => object === movesOut.kid);
    assert.deepEqual(
      entries.map(({ actor_kind, operation }) => [actor_kind, operation]),
      [
        ['operator', 'sync'],
        ['operator', 'sync'],
      ],
    );
    await assertSoundAudit(service);
  });

  test('[sync.11] who is in the file again is active again, but not whom somebody has disabled or changed since', async (t) => {
    const bankId = await createBank();
    const folder = createFolder(t);
    const sync = await folder.open([entryOf(bankId, { missing: 'deactivate', maxMissing: 9 })]);
    const putAndTake = async (name: string, ...rows: string[][]): Promise<void> => {
      folder.put(name, fileOf(...rows));
      assert.deepEqual(await sync.takeFiles(), { taken: 1, failed: 0, troubled: 0, waiting: [] });
    };
    const statesOf = async () => (await listUsers(bankId)).map(({ state }) => state);
    const command = async ({ kid }: { kid: string }, name: string, value?: string): Promise<void> => {
      const path = `/api/v1/banks/sund-B${bankId}/users/${kid}`;
      const { revision } = (await service.call('GET', path, manager)).json;
      const body = { expectedRevision: revision, ...(value === undefined ? {} : { value }) };
      const reply = await service.call('POST', `${path}/commands/${name}`, { ...manager, body });
      assert.equal(reply.status, 200, reply.text);
    };
    await putAndTake('residents-1.csv', ...people(4));
    const [, , third, fourth] = await listUsers(bankId);
    await command(fourth, 'Disable');
    await putAndTake('residents-2.csv', person(1), person(4));
    assert.deepEqual(await statesOf(), ['active', 'disabled', 'disabled', 'disabled']);
    await command(third, 'SetApartment', 'moved');
    const queuedBefore = (await listQueued(bankId)).length;
    await putAndTake('residents-3.csv', ...people(4).toReversed());
    assert.deepEqual(await statesOf(), ['active', 'active', 'disabled', 'disabled']);
    assert.equal((await listQueued(bankId)).length - queuedBefore, 2);
    await putAndTake('residents-4.csv', ...people(4).toSpliced(1, 1));
    assert.deepEqual(await statesOf(), ['active', 'disabled', 'disabled', 'disabled']);
  });

  test('[sync.07] one process at a time has a folder, and its lock ends with it', async (t) => {
    const bankId = await createBank();
    const folder = createFolder(t);
    folder.put('sync.json', JSON.stringify([entryOf(bankId)]));
    folder.put('residents.csv', fileOf(person(1)));
    const lock = lockFolder(folder.path);
    assert.ok(lock !== undefined);
    assert.equal(lockFolder(folder.path), undefined);
    const refused = await runSync(folder, '--once', '--settle', '0');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^error: .*another sync has the folder\n$/);
    assert.deepEqual(await namesOf(bankId), []);
    lock.release();
    const running = startPortal(syncArguments(folder, '--settle', '0', '--interval', '1'), {
      PORTAL_STORAGE: storage.storageUrl,
    });
    t.after(() => running.signal('SIGKILL'));
    await waitUntil('the file is done', () => folder.list('done').includes('residents.csv'));
    folder.put('residents-2.csv', fileOf(person(2)));
    await waitUntil('the next file is done', () => folder.list('done').includes('residents-2.csv'));
    running.signal('SIGTERM');
    assert.deepEqual(await running.ended, { code: 0, signal: null }, running.stderr());
    const lines = running.stdout().trimEnd().split('\n');
    const messages = lines.map((line) => JSON.parse(line) as { msg: string; file?: string });
    assert.deepEqual(
      messages.map(({ msg, file }) => [msg, file]),
      [
        ['ready', undefined],
        ['a file is done', 'residents.csv'],
        ['a file is done', 'residents-2.csv'],
      ],
    );
    assert.deepEqual(await namesOf(bankId), ['Demo 1', 'Demo 2']);
  });

  test('[sync.08] an export is written whole, when it differs from the last one, and the audit log has it', async (t) => {
    const bankId = await createBank();
    const folder = createFolder(t);
    const out = { kind: 'residents', bank: `sund-B${bankId}`, file: 'out-{date}.csv' };
    const config = { in: [entryOf(bankId)], out: [out] };
    const sync = await folder.open(config);
    folder.put('residents.csv', fileOf(...people(2)));
    await sync.takeFiles();
    const countExports = async (): Promise<number> =>
      (await readAuditEntries(service)).filter(
        ({ object, new_values }) => object === `sund-B${bankId}` && new_values?.includes('"format":"csv"'),
      ).length;
    assert.equal(await sync.writeExports(), 0);
    const [name = '', ...rest] = folder.list('out');
    assert.match(name, /^out-\d{4}-\d\d-\d\d\.csv$/);
    assert.deepEqual([rest, await countExports()], [[], 1]);
    // What the other system has taken away is not written again, also by another process.
    rmSync(join(folder.path, 'out', name));
    assert.equal(await (await folder.open(config)).writeExports(), 0);
    assert.deepEqual([folder.list('out'), await countExports()], [[], 1]);
    folder.put('residents-2.csv', fileOf(person(3)));
    await sync.takeFiles();
    await sync.writeExports();
    assert.deepEqual([folder.list('out'), await countExports()], [[name], 2]);
    // What was exported is read again, and changes nothing.
    renameSync(join(folder.path, 'out', name), join(folder.path, 'residents-9.csv'));
    await sync.takeFiles();
    assert.equal(folder.report('done', 'residents-9.csv').result, 'unchanged');
  });

  test('[sync.09] a wrong config is one line with every error, and nothing is done', async (t) => {
    const folder = createFolder(t);
    folder.put('residents.csv', fileOf(person(1)));
    const run = (document: unknown) => {
      folder.put('sync.json', typeof document === 'string' ? document : JSON.stringify(document));
      return runSync(folder, '--once', '--settle', '0');
    };
    const bank = 'sund-B1001';
    for (const [document, expected] of [
      ['{', /sync\.json: .*JSON/],
      [
        [
          { pattern: '*', kind: 'residents', bank: 'sund-B999999', profile: 'nothing' },
          { pattern: 'x', kind: 'residents', bank, profile: 'charges' },
        ],
        /in\[0\]\.bank must be a bank that there is; in\[0\]\.profile must .*; in\[1\]\.profile must/,
      ],
    ] as const) {
      const refused = await run(document);
      assert.equal(refused.code, 2, refused.stderr);
      assert.match(refused.stderr, expected);
    }
    assert.deepEqual(folder.list(), ['residents.csv', 'sync.json']);
    const missing = await runPortal(['sync', '--tenant', 'sund', '--source', join(folder.path, 'nowhere'), '--once'], {
      PORTAL_STORAGE: storage.storageUrl,
    });
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /^error: --source .*nowhere: ENOENT.*\n$/);
  });

  test('the exit code of --once is 1 if a file failed', async (t) => {
    const bankId = await createBank();
    const folder = createFolder(t);
    folder.put('config.json', JSON.stringify([{ pattern: 'residents*.csv', kind: 'residents' }]));
    folder.put('residents-1.csv', fileOf(person(1).with(1, '')));
    folder.put('residents-2.csv', fileOf(person(2)));
    const config = ['--config', join(folder.path, 'config.json'), '--bank', String(bankId)];
    const first = await runSync(folder, '--once', '--settle', '1', ...config);
    assert.equal(first.code, 1, first.stdout);
    assert.match(first.stderr, /^error: 1 files could not be applied/);
    assert.deepEqual(await namesOf(bankId), ['Demo 2']);
    const second = await runSync(folder, '--once', '--settle', '1', ...config);
    assert.deepEqual([second.code, second.stderr], [0, '']);
  });

  test('[sync.10] a full disk leaves the file where it is, and the next look ends it without applying it again', async (t) => {
    const bankId = await createBank();
    const folder = createFolder(t);
    const sync = await folder.open([entryOf(bankId)]);
    folder.put('residents-1.csv', fileOf(person(1)));
    // Writing to this device is as writing to a disk that is full.
    symlinkSync('/dev/full', join(folder.path, 'done/.residents-1.csv.report.json.tmp'));
    assert.deepEqual(await sync.takeFiles(), { taken: 0, failed: 0, troubled: 1, waiting: [] });
    assert.match(lastError(folder), /ENOSPC/);
    assert.deepEqual(folder.list(), ['residents-1.csv']);
    assert.deepEqual(folder.list('done'), []);
    assert.deepEqual(await namesOf(bankId), ['Demo 1']);
    // It is tried again after a while, and the later one waits for it.
    folder.put('residents-2.csv', fileOf(person(2)));
    assert.deepEqual(await sync.takeFiles(), { taken: 0, failed: 0, troubled: 1, waiting: [] });
    folder.clock.ms += 1000;
    assert.deepEqual(await sync.takeFiles(), { taken: 2, failed: 0, troubled: 0, waiting: [] });
    assert.equal(folder.report('done', 'residents-1.csv').result, 'applied-before');
    assert.deepEqual(await namesOf(bankId), ['Demo 1', 'Demo 2']);
    assert.equal((await listImports(bankId)).length, 2);
  });

  test('[sync.10] a folder that cannot be read is said, and looked at again', async (t) => {
    const bankId = await createBank();
    const folder = createFolder(t);
    const sync = await folder.open([entryOf(bankId)]);
    renameSync(folder.path, `${folder.path}-away`);
    writeFileSync(folder.path, '');
    assert.deepEqual(await sync.takeFiles(), { taken: 0, failed: 0, troubled: 1, waiting: [] });
    assert.match(lastError(folder), /ENOTDIR/);
    rmSync(folder.path);
    renameSync(`${folder.path}-away`, folder.path);
    // A link may name what is none of the sender's, and a folder is no file.
    writeFileSync(join(folder.path, 'done/secret'), fileOf(person(7)));
    symlinkSync(join(folder.path, 'done/secret'), join(folder.path, 'residents-0.csv'));
    mkdirSync(join(folder.path, 'residents-00.csv'));
    folder.put('residents.csv', fileOf(person(1)));
    assert.deepEqual(await sync.takeFiles(), { taken: 1, failed: 0, troubled: 0, waiting: [] });
    assert.deepEqual(await namesOf(bankId), ['Demo 1']);
  });
});
