// Charges of settlements in the folder of a rent system: each period once, also if processes are killed.

import assert from 'node:assert/strict';
import {
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { BankModel } from '../support/account-oracle.ts';
import { closePeriodInBoth, postingDraft, recordInBoth } from '../support/account-reads.ts';
import { readAuditEntries } from '../support/audit.ts';
import { runPortal, startPortal } from '../support/portal-process.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createSyncFolder, type SyncFolder } from '../support/sync-folders.ts';
import { testNow } from '../support/times.ts';
import { newBank } from '../support/with-bank.ts';

serviceSuite({}, (suite) => {
  const { service, storage } = suite;
  const createFolder = (t: TestContext): SyncFolder => {
    const folder = createSyncFolder(service);
    t.after(folder.remove);
    return folder;
  };
  async function createRentBank(profile: string | null = 'charges'): Promise<BankModel> {
    const book = await newBank(suite, { openedAt: testNow });
    await service.write('sund', async (db) => {
      await db.updateTable('banks').set({ bank_type: 2 }).where('bank_id', '=', book.bankId).execute();
      const row = { bank_id: book.bankId, profile: profile ?? '', key_source: 'portal' };
      if (profile !== null) await db.insertInto('charge_profiles').values(row).execute();
    });
    return book;
  }
  const settle = async (book: BankModel, amountMinor: bigint): Promise<void> => {
    const at = testNow + (book.periods.length + 1) * 1000;
    await recordInBoth(service, book, [postingDraft(at, { amountMinor })]);
    await closePeriodInBoth(service, book, at + 1);
  };
  const configOf = ({ bankKid }: BankModel, fromPeriod = 1) => ({
    out: [{ kind: 'charges', bank: bankKid, file: 'charges-{period}.csv', fromPeriod }],
  });
  const amountsIn = (path: string): (string | undefined)[] =>
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(';')[4]);

  test('charges of each closed period are written once, from the period that the config names', async (t) => {
    const book = await createRentBank();
    const folder = createFolder(t);
    for (const amount of [-100n, -200n, 300n]) await settle(book, amount);
    const config = configOf(book, 2);
    const sync = await folder.open(config);
    assert.equal(await sync.writeExports(), 0);
    // Nobody owes anything for the third one.
    assert.deepEqual(folder.list('out'), ['charges-2.csv']);
    assert.deepEqual(amountsIn(join(folder.path, 'out/charges-2.csv')), ['2,00']);
    renameSync(join(folder.path, 'out/charges-2.csv'), join(folder.path, 'taken.csv'));
    assert.equal(await sync.writeExports(), 0);
    assert.deepEqual(folder.list('out'), []);
    await settle(book, -400n);
    // Another process knows what this one has written.
    assert.equal(await (await folder.open(config)).writeExports(), 0);
    assert.deepEqual(folder.list('out'), ['charges-4.csv']);
    const entries = (await readAuditEntries(service)).filter(({ object }) => object === book.bankKid);
    assert.deepEqual(
      entries.map(({ operation, new_values }) => [operation, new_values]),
      [
        ['sync', '{"period":2,"profile":"charges","charges":1}'],
        ['sync', '{"period":4,"profile":"charges","charges":1}'],
      ],
    );
  });

  test('a file that was about to get its name gets it once; one that has got it is not written again', async (t) => {
    const book = await createRentBank();
    const folder = createFolder(t);
    await settle(book, -100n);
    const sync = await folder.open(configOf(book));
    await sync.writeExports();
    const [out, state] = [join(folder.path, 'out'), join(folder.path, '.portal-sync-charges.json')];
    const interruptedIn = (outNow: string): string =>
      JSON.stringify({ [book.bankId]: { through: 0, renaming: { period: 1, name: 'charges-1.csv', out: outNow } } });
    const interrupted = interruptedIn(String(statSync(out).ino));
    // Killed before it was renamed.
    renameSync(join(out, 'charges-1.csv'), join(out, '.charges-1.csv.tmp'));
    writeFileSync(state, interrupted);
    await sync.writeExports();
    assert.deepEqual(readdirSync(out), ['charges-1.csv']);
    // Killed after it was renamed; and the other system was quick.
    renameSync(join(out, 'charges-1.csv'), join(folder.path, 'taken.csv'));
    writeFileSync(state, interrupted);
    await sync.writeExports();
    assert.deepEqual(readdirSync(out), []);
    assert.deepEqual(JSON.parse(readFileSync(state, 'utf8')), { [book.bankId]: { through: 1 } });
    // Killed, and then `out` is another folder: nobody knows whether it was renamed in the former one.
    writeFileSync(state, interruptedIn('1'));
    assert.equal(await sync.writeExports(), 1);
    assert.match(
      folder.lines.map(({ err }) => (err instanceof Error ? err.message : '')).join('\n'),
      /charges-1\.csv.*"through": 0/,
    );
    assert.equal(readFileSync(state, 'utf8'), interruptedIn('1'));
  });

  test('charges that disappear before they have their name are not taken for written', async (t) => {
    const book = await createRentBank();
    const folder = createFolder(t);
    await settle(book, -100n);
    const sync = await folder.open(configOf(book));
    const out = join(folder.path, 'out');
    // Another program clears the folder, hidden files included, as soon as one is there.
    const clearing = watch(folder.path, () => {
      for (const name of readdirSync(out)) rmSync(join(out, name), { force: true });
    });
    t.after(() => clearing.close());
    for (let tries = 0; tries < 50 && (await sync.writeExports()) === 0; tries += 1) {
      rmSync(join(folder.path, '.portal-sync-charges.json'), { force: true });
    }
    clearing.close();
    // Once more: it is said until somebody has looked.
    assert.equal(await sync.writeExports(), 1);
    assert.match(readFileSync(join(folder.path, '.portal-sync-charges.json'), 'utf8'), /"out":""/);
  });

  test('killed again and again, while another system takes the files: each period is there once, and whole', async (t) => {
    const book = await createRentBank();
    const folder = createFolder(t);
    const count = 60;
    for (let period = 1; period <= count; period += 1) await settle(book, BigInt(-100 * period));
    folder.put('sync.json', JSON.stringify(configOf(book)));
    const argv = ['sync', '--tenant', 'sund', '--source', folder.path, '--once', '--settle', '0'];
    const settings = { PORTAL_STORAGE: storage.storageUrl };
    const taken: string[] = [];
    mkdirSync(join(folder.path, 'out'));
    const take = (): void => {
      for (const name of folder.list('out')) {
        const [, period = ''] = /^charges-(\d+)\.csv$/.exec(name) ?? [];
        assert.deepEqual(amountsIn(join(folder.path, 'out', name)), [`${period},00`]);
        renameSync(join(folder.path, 'out', name), join(folder.path, `taken-${taken.length}.txt`));
        taken.push(name);
      }
    };
    for (const until of [1, 10, 11, 25]) {
      const started = startPortal(argv, settings);
      t.after(() => started.signal('SIGKILL'));
      const end = { isReached: false };
      void started.ended.then(() => (end.isReached = true));
      while (taken.length < until && !end.isReached) {
        take();
        await pause(1);
      }
      started.signal('SIGKILL');
      await started.ended;
      take();
    }
    const last = await runPortal(argv, settings);
    assert.equal(last.code, 0, last.stderr);
    take();
    assert.deepEqual(taken.toSorted(), Array.from({ length: count }, (_, at) => `charges-${at + 1}.csv`).toSorted());
    assert.deepEqual(readdirSync(join(folder.path, 'out')), []);
  });

  test('a bank without a profile, and a state that is damaged, are said, and nothing is written', async (t) => {
    const [book, other] = [await createRentBank(null), await createRentBank()];
    const folder = createFolder(t);
    await settle(book, -100n);
    await settle(other, -100n);
    assert.equal(await (await folder.open(configOf(book))).writeExports(), 1);
    assert.match(String(folder.lines.at(-1)?.['err']), /No profile of charges is set for sund-B\d+/);
    for (const damaged of ['{', '{"1":{"through":"1"}}', '[1]']) {
      writeFileSync(join(folder.path, '.portal-sync-charges.json'), damaged);
      assert.equal(await (await folder.open(configOf(other))).writeExports(), 1);
      assert.match(String(folder.lines.at(-1)?.['err']), /\.portal-sync-charges\.json is damaged/);
    }
    assert.deepEqual(readdirSync(join(folder.path, 'out')), []);
  });

  test('a full disk leaves no file, and the next look writes it', async (t) => {
    const book = await createRentBank();
    const folder = createFolder(t);
    await settle(book, -100n);
    const sync = await folder.open(configOf(book));
    symlinkSync('/dev/full', join(folder.path, 'out/.charges-1.csv.tmp'));
    assert.equal(await sync.writeExports(), 1);
    assert.match(String(folder.lines.at(-1)?.['err']), /ENOSPC/);
    assert.deepEqual(readdirSync(join(folder.path, 'out')), []);
    assert.equal(await sync.writeExports(), 0);
    assert.deepEqual(amountsIn(join(folder.path, 'out/charges-1.csv')), ['1,00']);
  });
});
