// `verify ledger` on demo data: they are sound, and every kind of planted damage is found and named by its first row.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { openDatabases, type Databases } from '../../src/database/databases.ts';
import type { WriteDb } from '../../src/database/db.ts';
import type { LedgerDifference } from '../../src/features/account/verification/ledger-check.ts';
import { queueTestSync } from '../support/queued-syncs.ts';
import { storageAddressOf } from '../support/test-database.ts';
import { runPortal } from '../support/portal-process.ts';
import { seedDemoTenant } from '../support/demo-database.ts';
import {
  sameLengthText,
  damagedBankId,
  lastPostingId,
  updatePosting,
  getPosting,
  findExamplePostings,
  damageCases,
  type ExamplePostings,
} from '../support/ledger-damage.ts';
import { findLedgerDifferences } from '../support/ledger-checks.ts';
import { runRefusedCommand } from '../support/refused-command.ts';
import { createStorage, onBothEngines, type TestStorage } from '../support/service.ts';
import { testNow } from '../support/times.ts';
import { hashedIntegerColumns, hashedTextColumns } from '../support/ledger-columns.ts';

const patient = { deadlineMs: 60_000 };

const verify = async (
  { storageUrl }: TestStorage,
  ...args: string[]
): Promise<{ code: number | null; out: string; err: string }> => {
  const { code, stdout: out, stderr: err } = await runPortal(['verify', ...args], { PORTAL_STORAGE: storageUrl });
  return { code, out, err };
};

/** The kinds of damage that are found, each with its first row. */
const named = (damages: readonly LedgerDifference[]): Record<string, string> =>
  Object.fromEntries(damages.toReversed().map(({ kind, key }) => [kind, key]));

onBothEngines((engine) => {
  let storage: TestStorage;
  let databases: Databases;
  let known: ExamplePostings;
  before(async () => {
    storage = await createStorage(engine);
    databases = openDatabases(storageAddressOf(storage));
    await databases.migrate('sund');
    await seedDemoTenant(databases.forTenant('sund'), 'sund', { postings: 1000, otherPostings: lastPostingId });
    known = await databases.forTenant('sund').read(patient, findExamplePostings);
    await databases.forTenant('sund').write(patient, async (db) => {
      const { posting_id: subjectId, location_id: locationId, unit_id: unitId } = known.reversal;
      for (let times = 0; times < 2; times += 1)
        await queueTestSync(db, damagedBankId, { subjectKind: 'posting', subjectId, locationId, unitId }, testNow);
    });
  });
  after(async () => {
    await databases.close();
    await storage.release();
  });

  /** Plants damage, returns what is found, and undoes the damage. */
  async function planted(plant: (db: WriteDb) => Promise<unknown>): Promise<LedgerDifference[]> {
    let damages: LedgerDifference[] = [];
    const writing = databases.forTenant('sund').write(patient, async (db) => {
      await plant(db);
      damages = await findLedgerDifferences(db, damagedBankId);
      throw new Error('taken back');
    });
    await assert.rejects(writing, /taken back/);
    return damages;
  }

  const lines = (out: string): string[] => out.split('\n').filter((line) => line !== '');

  test('demo data are sound, and reported as sound for each ledger', async () => {
    const { code, out, err } = await verify(storage, 'ledger', '--tenant', 'sund');
    assert.deepEqual([code, err], [0, '']);
    const [first, ...others] = lines(out);
    assert.match(
      first ?? '',
      /^sund-B1001: 1000 postings, 26 closed periods, \d+ reversals, \d+ roll-ups, \d+ resident roll-ups, 27 settlements, \d+ device records: sound$/,
    );
    assert.deepEqual(
      others.map((line) => line.replace(/: .*: /, ': ')),
      ['sund-B1002: sound', 'sund-B1003: sound'],
    );
  });

  for (const { name, apply, expected } of damageCases) {
    test(`${name}: found and named`, async () => {
      const damages = await planted((db) => apply(db, known));
      const found = named(damages);
      const wanted = expected(known);
      assert.deepEqual(Object.keys(found).toSorted(), Object.keys(wanted).toSorted(), JSON.stringify(found));
      for (const [kind, key] of Object.entries(wanted)) {
        if (typeof key === 'string') assert.equal(found[kind], key, kind);
        else assert.match(found[kind] ?? '', key, kind);
      }
      for (const { stored, computed } of damages) assert.notEqual(stored, computed);
    });
  }

  test('an edit of any column of a posting is found by its link', async () => {
    for (const column of [...hashedIntegerColumns, ...hashedTextColumns]) {
      if (column === 'bank_id' || column === 'posting_id') continue;
      const value =
        column === 'currency' ? 'EUR' : column === 'text' || column === 'payment_reference' ? 'edited' : 4711;
      const damages = await planted((db) => updatePosting(db, known.k, { [column]: value }));
      assert.equal(named(damages)['chain'], `posting ${known.k}`, column);
    }
  });

  test('the result does not depend on the number of rows per batch', async () => {
    const found = await databases.forTenant('sund').read(patient, (db) => findLedgerDifferences(db, damagedBankId, 7));
    assert.deepEqual(found, []);
    const damages: LedgerDifference[][] = [];
    const writing = databases.forTenant('sund').write(patient, async (db) => {
      await updatePosting(db, known.k, { text: 'x' });
      await updatePosting(db, known.reversal.posting_id, { amount_minor: 1 });
      for (const rows of [1, 333, 5000]) damages.push(await findLedgerDifferences(db, damagedBankId, rows));
      throw new Error('taken back');
    });
    await assert.rejects(writing, /taken back/);
    assert.deepEqual(damages[0], damages[2]);
    assert.deepEqual(damages[1], damages[2]);
  });

  test('a posting that was reversed twice, after its unique key was dropped, is named', async () => {
    const place = await createStorage(engine);
    const own = openDatabases(storageAddressOf(place));
    try {
      await own.migrate('sund');
      await seedDemoTenant(own.forTenant('sund'), 'sund', { postings: 700, otherPostings: lastPostingId });
      const drop =
        engine === 'sqlite' ? sql`drop index postings_reversal` : sql`drop index postings_reversal on postings`;
      await own.forTenant('sund').write(patient, (db) => drop.execute(db));
      await own
        .forTenant('sund')
        .write(patient, (db) => updatePosting(db, known.k, { reversal_of: known.reversal.reversal_of }));
      const damages = await own.forTenant('sund').read(patient, (db) => findLedgerDifferences(db, damagedBankId));
      assert.equal(named(damages)['reversed twice'], `posting ${known.k}`);
    } finally {
      await own.close();
      await place.release();
    }
  });

  test('damage is reported with its ledger and the first row of each kind, and exit 1', async () => {
    const { k } = known;
    const text = (words: string) =>
      databases.forTenant('sund').write(patient, (db) => updatePosting(db, k, { text: words }));
    const { text: was } = await databases.forTenant('sund').read(patient, (db) => getPosting(db, k));
    await text(sameLengthText(was));
    const all = await verify(storage, 'ledger', '--tenant', 'sund');
    assert.deepEqual([all.code, all.err], [1, 'error: 1 of 3 ledgers are damaged\n']);
    const [, , third = '', damage = '', ...none] = lines(all.out);
    assert.match(third, new RegExp(`^sund-B1003: ${lastPostingId} postings, .*: DAMAGED$`));
    assert.match(damage, new RegExp(`^  chain: posting ${k}: stored [\\w-]{43}, computed [\\w-]{43}$`));
    assert.deepEqual(none, []);
    for (const bank of ['sund-B1003', '1003'])
      assert.equal((await verify(storage, 'ledger', '--tenant', 'sund', '--bank', bank)).code, 1);
    const other = await verify(storage, 'ledger', '--tenant', 'sund', '--bank', '1002');
    assert.deepEqual([other.code, lines(other.out).length], [0, 1]);
    await text(was);
    assert.deepEqual(
      await databases.forTenant('sund').read(patient, (db) => findLedgerDifferences(db, damagedBankId)),
      [],
    );
  });

  test('a wrong flag is one line and exit 2, a missing or outdated database one line and exit 1', async () => {
    const wrong: readonly (readonly [args: string[], code: number, expected: RegExp])[] = [
      [['ledger', '--tenant', 'sund', '--bank', '77'], 2, /--bank 77/],
      [['ledger', '--tenant', 'sund', '--bank', 'fjord-B1001'], 2, /--bank fjord-B1001/],
      [['ledger', '--tenant', 'nowhere'], 2, /unknown tenant nowhere/],
      [['ledger', '--banks', '1'], 2, /unknown option '--banks'/],
      [['ledgers'], 2, /did you mean verify ledger\?/],
      [['ledger', '--tenant', 'fjord'], 1, /fjord.*migrate/],
    ];
    for (const [args, code, expected] of wrong) {
      const ran = await runRefusedCommand(storage.storageUrl, 'verify', ...args);
      assert.equal(ran.code, code, `${args.join(' ')}: ${ran.stderr}`);
      assert.match(ran.stderr, /^error: [^\n]+\n$/);
      assert.match(ran.stderr, expected);
    }
  });
});
