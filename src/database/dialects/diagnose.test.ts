// What the operator is told of each error: the tables of both engines, error by error.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { diagnoseFailure } from '../checks/diagnose.ts';
import { formatFailedCheck, type StorageCheck } from '../checks/diagnosis.ts';
import { StorageError } from '../errors.ts';
import type { StorageAddress } from '../storage-address.ts';
import { SqliteError } from './sqlite/sqlite-errors.ts';

let directory: string;
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'portal-test-'));
  writeFileSync(join(directory, 'sund.sqlite'), '');
});
after(() => rmSync(directory, { recursive: true }));

const sqlite = (): StorageAddress => ({ engine: 'sqlite', directory });
const mysql: StorageAddress = {
  engine: 'mysql',
  nodes: [{ host: 'db.example', port: 3306 }],
  user: 'portal',
  password: 'secret',
  prefix: 'portal_',
};

const sqliteCodes: readonly [code: number, check: StorageCheck][] = [
  [5, 'database'],
  [6, 'database'],
  [8, 'permissions'],
  [1032, 'permissions'], // READONLY_DBMOVED
  [10, 'disk'],
  [4874, 'disk'], // IOERR_SHMSIZE
  [11, 'integrity'],
  [13, 'disk'],
  [14, 'permissions'],
  [26, 'integrity'],
];

const systemCodes: readonly [code: string, check: StorageCheck][] = [
  ['EACCES', 'permissions'],
  ['EPERM', 'permissions'],
  ['EROFS', 'permissions'],
  ['ENOSPC', 'disk'],
  ['EIO', 'disk'],
  ['ENOTDIR', 'connection'],
];

const mysqlCodes: readonly [errno: number, check: StorageCheck][] = [
  [1021, 'disk'],
  [1030, 'disk'],
  [1040, 'connection'],
  [1044, 'permissions'],
  [1045, 'permissions'],
  [1047, 'connection'],
  [1049, 'migrations'],
  [1053, 'connection'],
  [1114, 'disk'],
  [1142, 'permissions'],
  [1194, 'integrity'],
  [1205, 'database'],
  [1290, 'database'],
  [1698, 'permissions'],
  [1712, 'integrity'],
  [1836, 'database'],
];

test('every result code of SQLite that makes a file unusable has its check', () => {
  for (const [code, check] of sqliteCodes)
    assert.equal(diagnoseFailure(sqlite(), 'sund', new SqliteError('x', code))?.check, check, String(code));
  for (const [code, check] of systemCodes)
    assert.equal(diagnoseFailure(sqlite(), 'sund', Object.assign(new Error('x'), { code }))?.check, check, code);
});

test('every error number that makes a schema unusable has its check', () => {
  for (const [errno, check] of mysqlCodes)
    assert.equal(diagnoseFailure(mysql, 'sund', Object.assign(new Error('x'), { errno }))?.check, check, String(errno));
  for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'PROTOCOL_CONNECTION_LOST', 'ETIMEDOUT'])
    assert.equal(diagnoseFailure(mysql, 'sund', Object.assign(new Error('x'), { code }))?.check, 'connection', code);
});

test('a missing file and one that may not be opened give different reasons', () => {
  const cannotOpen = new SqliteError('unable to open database file', 14);
  assert.equal(diagnoseFailure(sqlite(), 'sund', cannotOpen)?.check, 'permissions');
  assert.equal(diagnoseFailure(sqlite(), 'fjord', cannotOpen)?.check, 'migrations');
});

test('a missing answer and an error give different reasons, on the main thread and on others', () => {
  for (const address of [sqlite(), mysql])
    assert.equal(diagnoseFailure(address, 'sund', new StorageError('timeout'))?.check, 'connection');
  const wrapped = new StorageError('unavailable', new StorageError('rolled-back', new SqliteError('x', 5)));
  assert.equal(diagnoseFailure(sqlite(), 'sund', wrapped)?.check, 'database');
});

test('an error that is not of storage has no diagnosis', () => {
  for (const address of [sqlite(), mysql])
    for (const error of [new Error('refused'), new TypeError('x'), 'text', new SqliteError('no such table', 1)])
      assert.equal(diagnoseFailure(address, 'sund', error), undefined);
});

test('the line for the operator names tenant, file or schema, check, problem and remedy, and no password', () => {
  const ofFile = diagnoseFailure(sqlite(), 'sund', new SqliteError('x', 13));
  assert.equal(
    ofFile && formatFailedCheck(ofFile),
    `tenant sund, file ${join(directory, 'sund.sqlite')}: disk: the disk is full. Free some space on it`,
  );
  const ofSchema = diagnoseFailure(mysql, 'sund', Object.assign(new Error('x'), { errno: 1049 }));
  assert.equal(
    ofSchema && formatFailedCheck(ofSchema),
    'tenant sund, schema portal_sund at db.example:3306: migrations: the schema does not exist. Run `migrate`',
  );
});
