// `anonymise` expires residents who were deleted longer ago than the tenant's retention, and erases the personal data
// of expired ones; postings stay. Reads show the GDPR user before and after.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { lockAndAppendPostings, lockAndClosePeriod } from '../../src/features/account/queries/ledger.ts';
import {
  anonymiseResidents,
  type AnonymisedCounts,
} from '../../src/features/residents/commands/anonymise-residents.ts';
import { createExpiryRule } from '../../src/features/residents/rules/expiry.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import type { Tables } from '../../src/database/tables.ts';
import { fromMs2000, toMs2000 } from '../../src/lib/time/ms2000.ts';
import { postingDraft } from '../support/account-reads.ts';
import { readZip } from '../support/archives.ts';
import type { HttpReply } from '../support/call.ts';
import { bookingsPath, insertBooking } from '../support/bookings.ts';
import { setTenantSetting } from '../support/factories.ts';
import {
  erasedResident,
  findTablesWith,
  insertErasableResident,
  secretsOf,
  type ErasableResident,
} from '../support/erasable-residents.ts';
import { grantBank } from '../support/granted-banks.ts';
import { runPortal } from '../support/portal-process.ts';
import { runRefusedCommand } from '../support/refused-command.ts';
import { changeResident } from '../support/resident-changes.ts';
import { ledgerTables } from '../support/reversal.ts';
import { createStorage } from '../support/service.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { archivePath } from '../support/settlements.ts';
import { readXls } from '../support/spreadsheets.ts';
import { readTableRows } from '../support/table-rows.ts';
import { dayMs, hourMs } from '../support/times.ts';
import { newBankRows } from '../support/with-bank.ts';

const retentionDays = 400;

/** What an answer shows, whatever its format; without what differs from one read to the next. */
function readContent({ headers, text, bytes }: HttpReply): string {
  const type = headers['content-type'] ?? '';
  if (type.includes('zip'))
    return readZip(bytes)
      .map((file) => file.bytes.toString())
      .join('\n');
  if (type.includes('excel')) return JSON.stringify(readXls(bytes));
  return text.replaceAll(/"(?:revision|traceId)":"[^"]*"/g, '');
}

const nobody: AnonymisedCounts = { expired: 0, erased: 0, keys: 0 };

serviceSuite({ replicas: 2 }, (suite) => {
  const { engine, service, replicaFor, storage, manager } = suite;
  const now = (): number => toMs2000(Date.now());
  const today = (): number => Math.floor(now() / dayMs) * dayMs;
  const bookingStart = (): number => today() + 2 * dayMs + 12 * hourMs;
  const longAgo = (): number => today() - (retentionDays + 1) * dayMs;
  const setRetention = (days: string): Promise<void> =>
    service.write('sund', async (db) => {
      await setTenantSetting(db, 'accountingRetentionDays', days);
      await setTenantSetting(db, 'surveillanceRetentionDays', days);
    });
  before(() => setRetention(String(retentionDays)));

  const run = (...args: string[]) =>
    runPortal(['anonymise', '--tenant', 'sund', ...args], { PORTAL_STORAGE: storage.storageUrl });
  const insert = (...residents: readonly ErasableResident[]): Promise<void> =>
    service.write('sund', async (db) => {
      for (const resident of residents) await insertErasableResident(db, resident);
    });
  const readResidents = (bankId: number): Promise<Tables['residents'][]> =>
    service.read('sund', (db) =>
      db.selectFrom('residents').selectAll().where('bank_id', '=', bankId).orderBy('resident_id').execute(),
    );
  const residentTables = [
    'residents',
    'resident_words',
    'resident_keys',
    'resident_activations',
    'resident_history',
    'resident_former_names',
    'device_sync',
    'banks',
  ] as const;
  const readRows = (bankId: number) =>
    service.read('sund', (db) => readTableRows(db, [...residentTables, ...ledgerTables, 'bookings'], bankId));
  const rule = () => createExpiryRule({ retentionSetting: String(retentionDays), expiresAllDeleted: false }, now());
  const anonymise = (bankId: number, database: TenantDatabase): Promise<AnonymisedCounts> =>
    anonymiseResidents(database, {
      bank: grantBank(bankId),
      rule: rule(),
      isDryRun: false,
      clock: now,
      deadlineMs: 60_000,
    });
  const database = (at = 0): TenantDatabase => replicaFor(at).dependencies.databases.forTenant('sund');

  /** Everything that shows identities, as it is shown now. */
  async function readEverything(bankId: number): Promise<Map<string, string>> {
    const bankKid = `sund-B${bankId}`;
    const day = new Date().toISOString().slice(0, 10);
    const bookingDay = new Date(fromMs2000(bookingStart())).toISOString().slice(0, 10);
    const bookings = (more: string): string => bookingsPath(`from=${bookingDay}&through=${bookingDay}${more}`, bankId);
    const dates = `From=${day}&Through=${day}&TimeZone=UTC`;
    const shown = new Map<string, string>();
    for (const path of [
      `/api/v1/banks/${bankKid}/account?Period=0`,
      `/api/v1/banks/${bankKid}/account?Period=1`,
      `/api/v1/banks/${bankKid}/account?Period=0&UserKid=${bankKid}-R1001`,
      `/api/v1/banks/${bankKid}/account/export.csv?Period=1`,
      `/api/v1/banks/${bankKid}/account/export.xls?${dates}`,
      `/api/v1/users/${bankKid}-R1001/receipts`,
      `/api/v1/banks/${bankKid}/users?state=all`,
      `/api/v1/banks/${bankKid}/users?state=all&filter=Secret`,
      `/api/v1/banks/${bankKid}/users/export.csv?state=all`,
      `/api/v1/banks/${bankKid}/users/${bankKid}-R1001`,
      `/api/v1/addresses/${bankKid}-R1001`,
      bookings(''),
      bookings('&sort=user'),
      bookings('&filter=Secret'),
      `/api/v1/banks/${bankKid}/bookings/${bankKid}-E1`,
      archivePath({ bankKid }, 1),
    ]) {
      const reply = await service.call('GET', path, manager);
      shown.set(path, `${reply.status} ${readContent(reply)}`);
    }
    return shown;
  }

  test('[residents.22, imports.25] every read that shows identities shows the GDPR user from the moment of expiry, and the same after the erasure', async () => {
    const bankId = await newBankRows(suite);
    const secrets = Object.values(secretsOf(1001));
    await insert({ bankId, residentId: 1001 }, { bankId, residentId: 1002 });
    for (const period of [1, 2])
      await service.write('sund', async (db) => {
        const drafts = [1001, 1002].map((residentId) => postingDraft(now() - 1000, { residentId, documentId: period }));
        await lockAndAppendPostings(db, grantBank(bankId), drafts);
        if (period === 1) await lockAndClosePeriod(db, grantBank(bankId), now() - 500, now());
      });
    await insertBooking(service, { startAt: bookingStart() }, bankId, now());
    const readRecords = () =>
      service.read('sund', (db) => readTableRows(db, ['postings', 'resident_rollups', 'ledgers', 'bookings'], bankId));
    const recordsBefore = await readRecords();
    const named = await readEverything(bankId);
    for (const [path, content] of named) {
      assert.match(content, /^200 /, path);
      if (!path.includes('receipts'))
        assert.ok(
          secrets.some((secret) => content.includes(secret)),
          path,
        );
    }

    await service.write('sund', (db) =>
      changeResident(db, { bankId, residentId: 1001 }, { deleted_at: longAgo(), expired_at: now() }),
    );
    const expired = await readEverything(bankId);
    for (const [path, content] of expired) {
      for (const secret of secrets) assert.ok(!content.includes(secret), `${path}: ${secret}`);
      // A list of residents leaves out who has expired; a list of what they did shows the GDPR user.
      const leavesOut = /receipts|users|addresses|filter|UserKid/.test(path);
      assert.equal(content.includes(`sund-B${bankId}-R0`), !leavesOut, path);
      if (/(?:users|addresses)\/.*-R1001/.test(path)) assert.match(content, /^404 /, path);
      else if (path.includes('users')) assert.ok(content.includes(secretsOf(1002).name), path);
    }

    const { code, stdout, stderr } = await run();
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, new RegExp(`^sund-B${bankId}: 0 expired, 1 erased, 2 keys removed$`, 'm'));
    for (const [path, content] of await readEverything(bankId)) assert.equal(content, expired.get(path), path);
    assert.deepEqual(await service.read('sund', (db) => findTablesWith(db, secrets)), []);
    const other = Object.values(secretsOf(1002));
    const holding = await service.read('sund', (db) => findTablesWith(db, other));
    for (const table of [...residentTables.slice(0, 6), 'import_rows', 'import_keys'])
      assert.ok(holding.includes(table), `${table} of who stays`);
    const imported = await service.read('sund', (db) =>
      db
        .selectFrom('import_rows')
        .select(['row_key', 'row_values', 'changes', 'errors', 'action'])
        .where('object_kid', '=', `sund-B${bankId}-R1001`)
        .orderBy('import_id')
        .execute(),
    );
    const erased = { row_key: '', row_values: null, changes: null, errors: null };
    assert.deepEqual(
      imported.map((row) => ({ ...row })),
      ['create', 'update'].map((action) => ({ ...erased, action })),
    );
    assert.deepEqual(await readRecords(), recordsBefore);
  });

  test('residents deleted longer ago than the retention expire; a dry run counts the same, and writes nothing', async () => {
    const bankId = await newBankRows(suite);
    const cutoff = today() - retentionDays * dayMs;
    await insert(
      { bankId, residentId: 1001 },
      { bankId, residentId: 1002, deletedAt: cutoff - 1 },
      { bankId, residentId: 1003, deletedAt: cutoff },
      { bankId, residentId: 1004, expiredAt: now() - 1 },
      { bankId, residentId: 1005, expiredAt: now() + hourMs },
      { bankId, residentId: 1006, deletedAt: cutoff - 1, expiredAt: now() + hourMs },
      { bankId, residentId: 1007, deletedAt: cutoff - 1, expiredAt: 5 },
      { bankId, residentId: 1008, deletedAt: now() },
    );
    const rowsBefore = await readRows(bankId);
    const residentsBefore = await readResidents(bankId);
    const dry = await run('--dry-run');
    assert.deepEqual([dry.code, dry.stderr], [0, '']);
    const line = `sund-B${bankId}: 2 expired, 4 erased, 8 keys removed`;
    assert.deepEqual(dry.stdout, `dry run: ${line}\ndry run: sund: 2 expired, 4 erased, 8 keys removed\n`);
    assert.deepEqual(await readRows(bankId), rowsBefore);
    const from = now();
    const { stdout } = await run();
    assert.equal(stdout, `${line}\nsund: 2 expired, 4 erased, 8 keys removed\n`);
    const erased = new Set([1002, 1004, 1006, 1007]);
    for (const [at, row] of (await readResidents(bankId)).entries()) {
      const known = residentsBefore[at] as Tables['residents'];
      if (!erased.has(row.resident_id)) assert.deepEqual(row, known);
      else {
        const { expired_at: expiredAt, erased_at: erasedAt } = row;
        assert.ok((erasedAt ?? 0) >= from);
        assert.equal(expiredAt, known.expired_at !== null && known.expired_at < from ? known.expired_at : erasedAt);
        const times = { deleted_at: known.deleted_at, expired_at: expiredAt, erased_at: erasedAt };
        const ids = { bank_id: bankId, resident_id: row.resident_id };
        // Every column is named here, so that a new one has to be decided on.
        assert.deepEqual(row, { ...erasedResident, ...ids, ...times, revision: known.revision + 1 });
      }
    }
    const [history, syncs] = await service.read('sund', async (db) => [
      await db.selectFrom('resident_history').selectAll().where('bank_id', '=', bankId).execute(),
      await db.selectFrom('device_sync').selectAll().where('bank_id', '=', bankId).execute(),
    ]);
    const ofErased = history.filter(({ resident_id: residentId }) => erased.has(residentId));
    assert.equal(ofErased.length, 3 * erased.size);
    for (const { old_value, new_value } of ofErased) assert.deepEqual([old_value, new_value], [null, null]);
    const added = ofErased.filter(({ command }) => command === 'Anonymise');
    assert.deepEqual(
      added.map(({ resident_id, revision, editor_id }) => [resident_id, revision, editor_id]),
      [...erased].map((id) => [id, 4, null]),
    );
    assert.deepEqual(
      syncs.map(({ subject_kind, subject_id, location_id, state }) => [subject_kind, subject_id, location_id, state]),
      [...erased].map((id) => ['resident', id, 1, 'queued']),
    );
    const again = await run();
    assert.equal(again.stdout, 'sund: 0 expired, 0 erased, 0 keys removed\n');
    assert.deepEqual((await readResidents(bankId)).find(({ resident_id: id }) => id === 1002)?.revision, 4);
  });

  const fill = async (count: number): Promise<number> => {
    const bankId = await newBankRows(suite);
    const ids = Array.from({ length: count }, (_, at) => 1001 + at);
    await insert(...ids.map((residentId) => ({ bankId, residentId, deletedAt: longAgo() })));
    return bankId;
  };
  const countOf = async (bankId: number): Promise<{ erased: number; revisions: Set<number> }> => {
    const rows = await readResidents(bankId);
    const erased = rows.filter(({ erased_at: erasedAt }) => erasedAt !== null).length;
    return { erased, revisions: new Set(rows.map(({ revision }) => revision)) };
  };

  test('it works in batches: a run that was stopped between two is continued by the next run', async () => {
    const bankId = await fill(401);
    let writes = 0;
    const failing: TenantDatabase = {
      ...database(),
      write: (options, work) => {
        writes += 1;
        return writes === 2 ? Promise.reject(new Error('stopped')) : database().write(options, work);
      },
    };
    await assert.rejects(anonymise(bankId, failing), /stopped/);
    assert.deepEqual((await countOf(bankId)).erased, 200);
    assert.deepEqual(await anonymise(bankId, database()), { expired: 201, erased: 201, keys: 402 });
    assert.deepEqual(await countOf(bankId), { erased: 401, revisions: new Set([4]) });
    assert.deepEqual(await anonymise(bankId, database()), nobody);
  });

  test('of several concurrent runs one erases each resident', async () => {
    const bankId = await fill(250);
    const all = await Promise.all([0, 1, 2].map((at) => anonymise(bankId, database(at))));
    assert.equal(
      all.reduce((sum, { erased }) => sum + erased, 0),
      250,
    );
    assert.deepEqual(await countOf(bankId), { erased: 250, revisions: new Set([4]) });
    const syncs = await service.read('sund', (db) =>
      db.selectFrom('device_sync').select('subject_id').where('bank_id', '=', bankId).execute(),
    );
    assert.equal(syncs.length, 250);
  });

  test('a resident who is restored after having been found due stays', async () => {
    const bankId = await fill(3);
    let hasRestored = false;
    const late: TenantDatabase = {
      ...database(),
      write: async (options, work) => {
        if (!hasRestored)
          await service.write('sund', (db) => changeResident(db, { bankId, residentId: 1002 }, { deleted_at: null }));
        hasRestored = true;
        return database().write(options, work);
      },
    };
    assert.deepEqual(await anonymise(bankId, late), { expired: 2, erased: 2, keys: 4 });
    const [, restored] = await readResidents(bankId);
    assert.deepEqual([restored?.name, restored?.erased_at], [secretsOf(1002).name, null]);
  });

  test('the revision of the account changes, and that of another bank in the same run does not', async () => {
    const [bankId, other] = [await fill(1), await newBankRows(suite)];
    await insert({ bankId: other, residentId: 1001 });
    const path = (id: number): string => `/api/v1/banks/sund-B${id}/account?Period=0`;
    const readVersion = async (): Promise<number> => {
      const select = service.read('sund', (db) =>
        db.selectFrom('banks').select('residents_version').where('bank_id', '=', bankId).executeTakeFirstOrThrow(),
      );
      return (await select).residents_version;
    };
    const version = await readVersion();
    const etags = [];
    for (const id of [bankId, other]) etags.push((await service.call('GET', path(id), manager)).headers.etag ?? '');
    assert.equal((await run()).code, 0);
    const statuses = [];
    for (const [at, id] of [bankId, other].entries()) {
      const headers = { 'if-none-match': etags[at] ?? '' };
      statuses.push((await service.call('GET', path(id), { token: manager.token, headers })).status);
    }
    assert.deepEqual(statuses, [200, 304]);
    assert.equal(await readVersion(), version + 1);
  });

  test('in a tenant without retention nobody expires, and the command says so; with --all-deleted all deleted residents expire', async () => {
    const bankId = await newBankRows(suite);
    await insert(
      { bankId, residentId: 1001, deletedAt: longAgo() },
      { bankId, residentId: 1002, deletedAt: now() },
      { bankId, residentId: 1003, expiredAt: 1 },
      { bankId, residentId: 1004 },
    );
    await setRetention('0');
    try {
      const dry = await run('--dry-run');
      const plain = await run();
      assert.equal(plain.code, 0);
      const notice = 'accountingRetentionDays is zero or missing, so no deleted resident expires without --all-deleted';
      assert.equal(
        plain.stdout,
        `sund-B${bankId}: 0 expired, 1 erased, 2 keys removed\nsund: 0 expired, 1 erased, 2 keys removed; ${notice}\n`,
      );
      assert.equal(dry.stdout, plain.stdout.replaceAll(/^(?=.)/gm, 'dry run: '));
      const all = await run('--all-deleted');
      assert.match(all.stdout, new RegExp(`^sund-B${bankId}: 2 expired, 2 erased, 4 keys removed$`, 'm'));
      assert.match(
        all.stdout,
        /^sund: .*; accountingRetentionDays is zero or missing, so every deleted resident expires$/m,
      );
      const names = (await readResidents(bankId)).map(({ name }) => name);
      assert.deepEqual(names, ['', '', '', secretsOf(1004).name]);
    } finally {
      await setRetention(String(retentionDays));
    }
  });

  test('answers that were stored for an Idempotency-Key longer than a day ago are deleted, but not by a dry run', async () => {
    const insertAnswer = (key: string, createdAt: number) =>
      service.write('sund', (db) =>
        db
          .insertInto('idempotency_records')
          .values({
            manager_id: manager.managerId,
            key,
            request_hash: '',
            language: null,
            created_at: createdAt,
            status: 200,
            body: JSON.stringify({ name: secretsOf(1001).name }),
          })
          .execute(),
      );
    const readKeys = async (): Promise<string[]> => {
      const rows = await service.read('sund', (db) => db.selectFrom('idempotency_records').select('key').execute());
      return rows.map(({ key }) => key).toSorted();
    };
    for (let at = 0; at < 3; at += 1) await insertAnswer(`old-${at}`, now() - dayMs - at);
    await insertAnswer('recent', now() - dayMs + hourMs);
    await run('--dry-run');
    assert.equal((await readKeys()).length, 4);
    await run();
    assert.deepEqual(await readKeys(), ['recent']);
  });

  test('an outdated database is reported in one line, and the other tenants are processed', async () => {
    const bankId = await fill(1);
    const both = await run('--tenant', 'fjord');
    assert.equal(both.code, 1);
    assert.match(both.stderr, /^error: tenant fjord[^\n]*\n$/);
    assert.match(both.stdout, new RegExp(`^sund-B${bankId}: 1 expired`, 'm'));
    const empty = await createStorage(engine);
    const early = await runRefusedCommand(empty.storageUrl, 'anonymise', '--tenant', 'sund');
    assert.equal(early.code, 1);
    assert.match(early.stderr, /^error: [^\n]*migrate[^\n]*\n$/);
    await empty.release();
  });

  if (engine === 'sqlite')
    test('a wrong flag or value is named in one line, exit 2', async () => {
      const wrong: readonly (readonly [args: string[], expected: RegExp])[] = [
        [['--tenant', 'nowhere'], /unknown tenant nowhere/],
        [['--tenant'], /--tenant/],
        [['--dry'], /--dry/],
        [['--days', '3'], /--days/],
        [['sund'], /too many arguments/],
      ];
      for (const [args, expected] of wrong) {
        const { code, stderr } = await runRefusedCommand(storage.storageUrl, 'anonymise', ...args);
        assert.equal(code, 2, `${args.join(' ')}: ${stderr}`);
        assert.match(stderr, /^error: [^\n]+\n$/);
        assert.match(stderr, expected);
      }
      const { code, stdout } = await run('--help');
      assert.equal(code, 0);
      for (const flag of ['--tenant', '--dry-run', '--all-deleted']) assert.ok(stdout.includes(flag), flag);
    });
});
