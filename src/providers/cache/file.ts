// The cache's SQLite file: opened where it is sound or not there yet. Whether it is ours is written in its header, so
// that a wrong path never costs anybody a database.

import { rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

const busyTimeoutMs = 250;

/** Our mark in the header of the file, and the number of the layout below. */
const applicationId = 0x50_56_43_31;
const layout = 1;

// Bodies stand apart, so that neither the index nor a change of a last use reads or writes any of them.
const schema = `
  create table variants (
    id integer primary key autoincrement,
    key text not null unique,
    bytes integer not null,
    rendered_ms integer not null,
    used_ms integer not null
  ) strict;
  create index variants_by_use on variants (used_ms, id);
  create table bodies (
    id integer primary key references variants (id) on delete cascade,
    type text not null,
    etag text not null,
    checksum text not null,
    body blob not null
  ) strict;
  pragma application_id = ${applicationId};
  pragma user_version = ${layout};
`;

/** What is at the path is not ours to touch. */
class NotOurFile extends Error {
  override name = 'NotOurFile';
}

/** Says that the file is ours, but of no use. */
class UnsoundFile extends Error {
  override name = 'UnsoundFile';
}

export type OpenFile = { readonly database: DatabaseSync; readonly identity: string };

export function openFile(file: string): OpenFile {
  const there = statSync(file, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile()) throw new NotOurFile('what is at the path is no file');
  const database = new DatabaseSync(pathToFileURL(file), { timeout: busyTimeoutMs, defensive: true });
  try {
    // What a crash of the machine leaves behind may be unsound, and is then begun anew.
    database.exec('pragma synchronous = off');
    database.exec('pragma cell_size_check = on');
    database.exec('pragma cache_size = -1024');
    database.exec('pragma temp_store = memory');
    if (isNew(database)) create(database);
    database.exec('pragma journal_mode = truncate');
    return { database, identity: identityOf(file) ?? '' };
  } catch (error) {
    database.close();
    throw error;
  }
}

function isNew(database: DatabaseSync): boolean {
  const id = numberOf(database, 'pragma application_id');
  const version = numberOf(database, 'pragma user_version');
  if (id === applicationId && version === layout) return false;
  if (id === applicationId) throw new UnsoundFile('the file is of another version');
  const isEmpty = id === 0 && version === 0 && numberOf(database, 'select count(*) from sqlite_schema') === 0;
  if (!isEmpty) throw new NotOurFile('the file is a database of something else');
  return true;
}

function create(database: DatabaseSync): void {
  database.exec('begin immediate');
  try {
    // Another process may have been first.
    if (isNew(database)) database.exec(schema);
    database.exec('commit');
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

function numberOf(database: DatabaseSync, sql: string): unknown {
  return Object.values(database.prepare(sql).get() ?? {})[0];
}

/** Changes when the path leads to another file; undefined where it leads to none. */
export function identityOf(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && `${stats.dev}/${stats.ino}`;
}

/** The journal goes first: with another file it would be taken for that one's. */
export function removeFile(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return;
  rmSync(`${file}-journal`, { force: true });
  rmSync(file, { force: true });
}

// https://www.sqlite.org/rescode.html
const busy = [5, 6];
const noSpace = 13;
const readOnly = 8;
/** Error, corrupt, constraint, mismatch, format, not a database: none that a sound file gives. */
const unsound = [1, 11, 19, 20, 24, 26];

export type FileFault = 'busy' | 'write-refused' | 'unsound' | 'unusable';

export function faultOf(error: unknown): FileFault {
  if (error instanceof UnsoundFile) return 'unsound';
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  // A number of ours is never that large.
  if (code === 'ERR_OUT_OF_RANGE') return 'unsound';
  if (typeof errcode !== 'number') return 'unusable';
  const primary = errcode & 0xff;
  if (busy.includes(primary)) return 'busy';
  if (primary === noSpace || primary === readOnly) return 'write-refused';
  return unsound.includes(primary) ? 'unsound' : 'unusable';
}
