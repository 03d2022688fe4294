// A MariaDB tenant is restored to a point in time from a dump and the binary log, with the commands of docs/backups.md.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openDatabases } from '../../src/database/databases.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { appendAudit } from '../../src/features/audit/queries/append-audit.ts';
import { createOperatorAuditContext } from '../../src/features/audit/rules/audit-context.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { parseStorage } from '../../src/setting-parsers.ts';
import { postingDraft } from '../support/account-reads.ts';
import { waitUntil } from '../support/async.ts';
import { requireCleanVerification } from '../support/clean-verification.ts';
import { insertTestBank, insertTestResident } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { reasonWithoutServer, startMariaDb } from '../support/mariadb-server.ts';
import { findProgram, type Program } from '../support/programs.ts';
import { longDeadline, tenant } from '../support/test-database.ts';
import { lockAuditsOf } from '../support/audit.ts';

const bank = grantBank(1001);
const schema = `portal_${tenant}`;

/** Postings and an entry of the audit log. */
async function write(database: TenantDatabase, text: string): Promise<void> {
  const now = toMs2000(Date.now());
  const actor = createOperatorAuditContext('test', () => now);
  await database.write(longDeadline, async (db) => {
    await lockAuditsOf(db, 1001);
    await lockAndAppendPostings(db, bank, [postingDraft(now, { text }), postingDraft(now, { text })]);
    await appendAudit(db, actor, { object: 'sund-B1001', bankId: 1001, before: null, after: { text } });
  });
}

const readTexts = (database: TenantDatabase): Promise<string[]> =>
  database.read(longDeadline, async (db) => {
    const rows = await db.selectFrom('postings').select('text').orderBy('posting_id').execute();
    return rows.map(({ text }) => text);
  });

const formatSecond = (second: number): string => new Date(second * 1000).toISOString().slice(0, 19).replace('T', ' ');

/** The binary log knows whole seconds: returns when the clock has begun a new one. */
async function waitForNextSecond(): Promise<number> {
  const second = Math.floor(Date.now() / 1000);
  await waitUntil('the next second', () => Math.floor(Date.now() / 1000) > second);
  return second + 1;
}

test(
  '[backups.03] a dump and the binary log restore a MariaDB tenant to a point in time, and every proof is clean',
  { skip: reasonWithoutServer('mariadb', 'mariadb-dump', 'mariadb-binlog') },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portal-test-'));
    const log = join(folder, 'binlog');
    const server = await startMariaDb({ settings: [`--log-bin=${log}`, '--binlog-format=ROW', '--server-id=1'] });
    assert.ok(server !== undefined);
    const { password } = new URL(server.url(''));
    const run = async (program: Program, options: readonly string[], input = ''): Promise<string> => {
      const login = [`--host=127.0.0.1`, `--port=${server.port}`, '--user=root'];
      const given = program === 'mariadb-binlog' ? options : [...login, ...options];
      const env = { PATH: process.env['PATH'], MYSQL_PWD: password, TZ: 'UTC' };
      const running = promisify(execFile)(findProgram(program) ?? '', given, { env, maxBuffer: 2 ** 30 });
      running.child.stdin?.end(input);
      return (await running).stdout;
    };
    const tenants = join(folder, 'tenants.json');
    const sund = { name: tenant, displayName: 'Sund', country: 'DK', currency: 'DKK', timeZone: 'Europe/Copenhagen' };
    writeFileSync(tenants, JSON.stringify([sund]));
    const settings = { PORTAL_STORAGE: server.url('portal_'), PORTAL_TENANTS: tenants };
    const databases = openDatabases(parseStorage(settings.PORTAL_STORAGE));
    const database = databases.forTenant(tenant);
    try {
      await databases.migrate(tenant);
      await database.write(longDeadline, async (db) => {
        await insertTestBank(db, { bankId: 1001 });
        await insertTestResident(db, 1001, { bankId: 1001 });
      });
      await write(database, 'before the dump');
      const dump = await run('mariadb-dump', ['--single-transaction', '--master-data=2', schema]);
      await write(database, 'before the mistake');
      const mistake = formatSecond(await waitForNextSecond());
      await write(database, 'the mistake');
      const [, file, position] = /CHANGE MASTER TO MASTER_LOG_FILE='([^']+)', MASTER_LOG_POS=(\d+)/.exec(dump) ?? [];
      assert.ok(file !== undefined && position !== undefined, 'the dump says where the log goes on');
      await run('mariadb', ['--execute', `drop database ${schema}; create database ${schema}`]);
      await run('mariadb', [schema], dump);
      const logs = readdirSync(folder).filter((name) => /^binlog\.\d+$/.test(name) && name >= file);
      const replayed = await run('mariadb-binlog', [
        `--start-position=${position}`,
        `--stop-datetime=${mistake}`,
        `--database=${schema}`,
        ...logs.toSorted((a, b) => a.localeCompare(b)).map((name) => join(folder, name)),
      ]);
      await run('mariadb', [], replayed);
      const two = (text: string): string[] => [text, text];
      assert.deepEqual(await readTexts(database), [...two('before the dump'), ...two('before the mistake')]);
      await requireCleanVerification(settings);
      await write(database, 'afterwards');
      await requireCleanVerification(settings);
      assert.ok(
        readFileSync(join(import.meta.dirname, '../../docs/backups.md'), 'utf8').includes(
          'mariadb-binlog --start-position=POSITION',
        ),
      );
    } finally {
      await databases.close();
      await server.stop();
      rmSync(folder, { recursive: true });
    }
  },
);
