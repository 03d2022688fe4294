// A SQLite database of a tenant, its copy by `backup follow`, and what is restored from that.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDatabases } from '../../../src/database/databases.ts';
import { waitUntil } from '../../support/async.ts';
import { writeOnlyTenant } from '../../support/followed-service.ts';
import { prepareDatabase } from '../../support/migrated-copy.ts';
import { runPortal, startPortal } from '../../support/portal-process.ts';

export type FollowedCopy = {
  /** Where all of it is. */
  readonly home: string;
  readonly data: string;
  readonly target: string;
  readonly copy: string;
  readonly settings: Readonly<Record<string, string>>;
  /** A writer beside the service, whose commits SQLite itself moves to the file. */
  readonly database: DatabaseSync;
};

/** A database with the schema of this version, which nobody follows yet. */
export async function createFollowedCopy(folder: string): Promise<FollowedCopy> {
  const home = mkdtempSync(join(folder, 'followed-'));
  const [data, target] = [join(home, 'data'), join(home, 'copies')];
  const databases = openDatabases({ engine: 'sqlite', directory: data });
  await prepareDatabase(databases, { engine: 'sqlite', directory: data }, 'sund');
  await databases.close();
  mkdirSync(target);
  const settings = { PORTAL_STORAGE: `sqlite:${data}`, PORTAL_TENANTS: writeOnlyTenant(home) };
  const database = openWriter(data);
  return { home, data, target, copy: join(target, 'sund'), settings, database };
}

export function openWriter(data: string): DatabaseSync {
  const database = new DatabaseSync(join(data, 'sund.sqlite'), { timeout: 5000 });
  database.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 4000');
  return database;
}

export const setName = (database: DatabaseSync, name: string, value = ''): void =>
  void database.prepare('insert or replace into tenant_settings (name, value) values (?, ?)').run(name, value);

export const filesOf = (copy: string, kind: RegExp): string[] =>
  readdirSync(copy, { recursive: true, encoding: 'utf8' })
    .filter((name) => kind.test(name))
    .toSorted();

export const countSegments = (copy: string): number => filesOf(copy, /segment-.*\.copy$/).length;
export const countBases = (copy: string): number => filesOf(copy, /base-.*\.copy$/).length;

export async function followCopy({ target, settings }: FollowedCopy, ...options: string[]) {
  const running = startPortal(['backup', 'follow', target, ...options], settings);
  const says = (text: string | RegExp): Promise<void> =>
    waitUntil(`it says ${text}`, () =>
      typeof text === 'string' ? running.stdout().includes(text) : text.test(running.stdout()),
    );
  await says('"ready"');
  const stop = async (): Promise<void> => {
    running.signal('SIGTERM');
    assert.deepEqual(await running.ended, { code: 0, signal: null }, running.stdout());
  };
  return { ...running, says, stop };
}

export async function restoredNames({ home, copy, settings }: FollowedCopy, ...options: string[]): Promise<string[]> {
  const data = mkdtempSync(join(home, 'restored-'));
  const own = { ...settings, PORTAL_STORAGE: `sqlite:${data}` };
  const { code, stderr } = await runPortal(['restore', copy, '--tenant', 'sund', ...options], own);
  assert.equal(code, 0, stderr);
  assert.deepEqual(
    readdirSync(data).filter((name) => name.includes('moment')),
    [],
    'nothing else is left',
  );
  const database = new DatabaseSync(join(data, 'sund.sqlite'));
  const rows = database.prepare('select name from tenant_settings order by name').all();
  database.close();
  return rows.map(({ name }) => String(name));
}

export async function refusalOf(argv: readonly string[], settings: FollowedCopy['settings']): Promise<string> {
  const { code, stderr } = await runPortal(argv, settings);
  assert.equal(code, 1, stderr);
  assert.equal(stderr.split('\n').length, 2, stderr);
  return stderr;
}
