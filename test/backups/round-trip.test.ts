// A backup has all data of a tenant as they were at one moment, and a restore on either engine has the same.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openDatabases, type Databases } from '../../src/database/databases.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { verifyBankRollups } from '../../src/features/account/verification/verify-bank-rollups.ts';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { verifyAudit } from '../../src/features/audit/commands/verify-audit.ts';
import { appendAudit } from '../../src/features/audit/queries/append-audit.ts';
import { createOperatorAuditContext } from '../../src/features/audit/rules/audit-context.ts';
import { leftOutTables } from '../../src/features/backups/rules/backup-schema.ts';
import { listLedgerBanks } from '../../src/features/account/queries/ledger-verification.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { createOperatorScope } from '../../src/permissions/scope.ts';
import { postingDraft } from '../support/account-reads.ts';
import { waitUntil } from '../support/async.ts';
import { keyFile, readContentLines, restoreBytes, writeBackupBytes } from '../support/backups.ts';
import { seedDemoTenant } from '../support/demo-database.ts';
import { grantBank } from '../support/granted-banks.ts';
import { findLedgerDifferences } from '../support/ledger-checks.ts';
import { prepareDatabase } from '../support/migrated-copy.ts';
import { runPortal } from '../support/portal-process.ts';
import { createStorage, onBothEngines, type Engine, type TestStorage } from '../support/service.ts';
import { connectDirectly, storageAddressOf, tenant } from '../support/test-database.ts';
import { lockAuditsOf } from '../support/audit.ts';

const longDeadline = { deadlineMs: 60_000 };

/** What no demo has: the bounds of 64 bits, and texts that have to be escaped somewhere. */
const insertOddValues = (database: TenantDatabase): Promise<void> =>
  database.write(longDeadline, async (db) => {
    const texts = ['\u0000\'"\\\n\r\t\u001a %_', '😀 ø \u2028 \ufeff', '', '{"int64":"1"}', 'x'.repeat(255)];
    for (const [at, value] of texts.entries())
      await db
        .insertInto('tenant_settings')
        .values({ name: `odd${at}`, value })
        .execute();
    const cycle = { bank_id: 1001, location_id: 1, unit_id: 1 };
    const integers = [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n, -(2n ** 53n), 0n, -1n];
    for (const [at, document_id] of integers.entries())
      await db
        .insertInto('document_cycles')
        .values({ ...cycle, at, document_id, value: at % 2 === 0 ? null : '' })
        .execute();
  });

/** What `verify`, `verify ledger` and `verify audit` find, and the heads. */
const readProofs = (database: TenantDatabase): Promise<unknown> =>
  database.read(longDeadline, async (db) => {
    const ledgers = await listLedgerBanks(db, createOperatorScope(tenant));
    const differences = [];
    for (const bank of ledgers) {
      differences.push(...(await findLedgerDifferences(db, bank.bankId)));
      differences.push(...(await verifyBankRollups(db, bank)).differences);
    }
    const chains = await verifyAudit(db, { recordedHeads: new Map() });
    differences.push(...chains.flatMap((chain) => chain.differences));
    assert.ok(ledgers.length > 1 && chains.length > 1);
    assert.deepEqual(differences, []);
    return chains.map(({ chain, last }) => ({ chain, last }));
  });

const targets: Readonly<Record<Engine, readonly Engine[]>> = {
  sqlite: ['sqlite', 'mariadb'],
  mariadb: ['sqlite', 'mariadb'],
};

onBothEngines((engine) => {
  let storage: TestStorage;
  let databases: Databases;
  let database: TenantDatabase;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portal-test-'));
    storage = await createStorage(engine);
    const address = storageAddressOf(storage);
    databases = openDatabases(address);
    await prepareDatabase(databases, address, tenant);
    database = databases.forTenant(tenant);
    await seedDemoTenant(database, tenant, { postings: 700 });
    await insertOddValues(database);
    // So that nothing is left that a restore has to erase; it appends to the audit log.
    const erased = await runPortal(['anonymise', '--tenant', tenant], { PORTAL_STORAGE: storage.storageUrl });
    assert.match(erased.stdout, /[1-9]\d* erased/);
  });
  after(async () => {
    await databases.close();
    await storage.release();
    rmSync(folder, { recursive: true });
  });

  for (const target of targets[engine])
    test(`[backups.09] a backup is restored on ${target} with the same rows, totals and heads`, async () => {
      const [file, key] = [join(folder, `${target}.backup`), join(folder, 'key')];
      writeFileSync(key, keyFile);
      const restored = await createStorage(target);
      const from = { PORTAL_STORAGE: storage.storageUrl };
      const to = { PORTAL_STORAGE: restored.storageUrl };
      const copies = openDatabases(storageAddressOf(restored));
      try {
        const encryption = target === engine ? [] : ['--key-file', key];
        const written = await runPortal(['backup', file, '--tenant', tenant, ...encryption], from);
        assert.equal(written.code, 0, written.stderr);
        const { code, stdout, stderr } = await runPortal(['restore', file, '--tenant', tenant, ...encryption], to);
        assert.equal(code, 0, stderr);
        assert.match(stdout, /^sund: erasing what `anonymise` erases\nsund: 0 expired, 0 erased, 0 keys removed/);
        assert.match(stdout, /\nsund: restored \d+ rows of \d+ tables, as they were at 20[^;]*\n$/);
        const [, ...rows] = readContentLines(await writeBackupBytes(database));
        const [, ...copiedRows] = readContentLines(await writeBackupBytes(copies.forTenant(tenant)));
        assert.ok(rows.length > 5000);
        assert.deepEqual(copiedRows, rows);
        assert.deepEqual(await readProofs(copies.forTenant(tenant)), await readProofs(database));
      } finally {
        await copies.close();
        await restored.release();
      }
    });

  test('[backups.09] a backup that is written while others write is one snapshot', async () => {
    const writer = { isStopped: false };
    let written = 0;
    const clock = (): number => toMs2000(Date.now());
    const writeOn = async (): Promise<void> => {
      for (; !writer.isStopped; written += 1)
        await database.write(longDeadline, async (db) => {
          const now = clock();
          await lockAuditsOf(db, 1001);
          await lockAndAppendPostings(db, grantBank(1001), [postingDraft(now), postingDraft(now)]);
          const context = createOperatorAuditContext('test', clock);
          await appendAudit(db, context, { object: tenant, bankId: 1001, before: null, after: { value: 'written' } });
        });
    };
    const restored = await createStorage('sqlite');
    const copies = openDatabases(storageAddressOf(restored));
    const writing = writeOn();
    try {
      await waitUntil('somebody writes', () => written > 2);
      const earlier = written;
      const bytes = await writeBackupBytes(database);
      assert.ok(written > earlier + 2, 'they write on meanwhile');
      writer.isStopped = true;
      await writing;
      await restoreBytes(copies, bytes);
      await readProofs(copies.forTenant(tenant));
      const entries = readContentLines(bytes).filter((line) => line.includes('{\\"value\\":\\"written\\"}')).length;
      assert.ok(entries >= earlier && entries < written, 'the last writes are not in it');
    } finally {
      writer.isStopped = true;
      await Promise.allSettled([writing]);
      await copies.close();
      await restored.release();
    }
  });

  test('[backups.09] every table of the database is in a backup, but those that are left out for a reason', async () => {
    const outsider = await connectDirectly(storageAddressOf(storage));
    const listed = await outsider.run(
      engine === 'sqlite' ? "select name from sqlite_master where type = 'table'" : 'show tables',
    );
    await outsider.close();
    const existing = listed.flatMap((row) => Object.values(row).map(String));
    const lines = readContentLines(await writeBackupBytes(database)).slice(1, -1);
    const written = lines
      .filter((line) => line.startsWith('{'))
      .map((line) => (JSON.parse(line) as { table: string }).table);
    const leftOut = Object.keys(leftOutTables);
    assert.deepEqual(
      [...written, ...leftOut, 'kysely_migration', 'kysely_migration_lock'].toSorted(),
      existing.toSorted(),
    );
    assert.ok(leftOut.includes('sessions'), 'a session would be valid again');
  });
});
