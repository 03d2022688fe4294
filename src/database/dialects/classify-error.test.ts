// What an engine's error means: the tables of both engines, error by error.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StorageFailure } from '../errors.ts';
import { mysqlDialect } from './mysql/mysql-dialect.ts';
import { SqliteError, SqliteThreadEndedError } from './sqlite/sqlite-errors.ts';
import { sqliteDialect } from './sqlite/sqlite-dialect.ts';

// https://www.sqlite.org/rescode.html
const sqliteCodes: readonly [code: number, name: string, failure: StorageFailure][] = [
  [1, 'ERROR', 'defect'],
  [5, 'BUSY', 'rolled-back'],
  [261, 'BUSY_RECOVERY', 'rolled-back'],
  [517, 'BUSY_SNAPSHOT', 'rolled-back'],
  [6, 'LOCKED', 'rolled-back'],
  [7, 'NOMEM', 'defect'],
  [8, 'READONLY', 'unavailable'],
  [1032, 'READONLY_DBMOVED', 'unavailable'],
  [10, 'IOERR', 'unavailable'],
  [778, 'IOERR_WRITE', 'unavailable'],
  [11, 'CORRUPT', 'unavailable'],
  [13, 'FULL', 'unavailable'],
  [14, 'CANTOPEN', 'unavailable'],
  [26, 'NOTADB', 'unavailable'],
  [1555, 'CONSTRAINT_PRIMARYKEY', 'duplicate'],
  [2067, 'CONSTRAINT_UNIQUE', 'duplicate'],
  [2579, 'CONSTRAINT_ROWID', 'duplicate'],
  [1299, 'CONSTRAINT_NOTNULL', 'defect'],
  [3091, 'CONSTRAINT_DATATYPE', 'defect'],
  [787, 'CONSTRAINT_FOREIGNKEY', 'defect'],
];

// https://mariadb.com/kb/en/mariadb-error-codes/
const mysqlCodes: readonly [code: number, name: string, failure: StorageFailure][] = [
  [1020, 'ER_CHECKREAD', 'rolled-back'],
  [1205, 'ER_LOCK_WAIT_TIMEOUT', 'rolled-back'],
  [1206, 'ER_LOCK_TABLE_FULL', 'rolled-back'],
  [1213, 'ER_LOCK_DEADLOCK', 'rolled-back'],
  [1180, 'ER_ERROR_DURING_COMMIT', 'outcome-unknown'],
  [1927, 'ER_CONNECTION_KILLED', 'outcome-unknown'],
  [3, 'EE_WRITE', 'unavailable'],
  [1021, 'ER_DISK_FULL', 'unavailable'],
  [1026, 'ER_ERROR_ON_WRITE', 'unavailable'],
  [1030, 'ER_GET_ERRNO', 'unavailable'],
  [1037, 'ER_OUTOFMEMORY', 'unavailable'],
  [1041, 'ER_OUT_OF_RESOURCES', 'unavailable'],
  [1040, 'ER_CON_COUNT_ERROR', 'unavailable'],
  [1044, 'ER_DBACCESS_DENIED_ERROR', 'unavailable'],
  [1045, 'ER_ACCESS_DENIED_ERROR', 'unavailable'],
  [1047, 'ER_UNKNOWN_COM_ERROR, a node without a quorum', 'unavailable'],
  [1049, 'ER_BAD_DB_ERROR', 'unavailable'],
  [1053, 'ER_SERVER_SHUTDOWN', 'unavailable'],
  [1114, 'ER_RECORD_FILE_FULL', 'unavailable'],
  [1290, 'ER_OPTION_PREVENTS_STATEMENT', 'unavailable'],
  [1836, 'ER_READ_ONLY_MODE', 'unavailable'],
  [1142, 'ER_TABLEACCESS_DENIED_ERROR', 'unavailable'],
  [1143, 'ER_COLUMNACCESS_DENIED_ERROR', 'unavailable'],
  [1227, 'ER_SPECIFIC_ACCESS_DENIED_ERROR', 'unavailable'],
  [1698, 'ER_ACCESS_DENIED_NO_PASSWORD_ERROR', 'unavailable'],
  [1033, 'ER_NOT_FORM_FILE', 'unavailable'],
  [1194, 'ER_CRASHED_ON_USAGE', 'unavailable'],
  [1195, 'ER_CRASHED_ON_REPAIR', 'unavailable'],
  [1712, 'ER_INDEX_CORRUPT', 'unavailable'],
  [1317, 'ER_QUERY_INTERRUPTED', 'timeout'],
  [1969, 'ER_STATEMENT_TIMEOUT', 'timeout'],
  [3024, 'ER_QUERY_TIMEOUT', 'timeout'],
  [1267, 'ER_CANT_AGGREGATE_2COLLATIONS', 'text-comparison'],
  [1270, 'ER_CANT_AGGREGATE_3COLLATIONS', 'text-comparison'],
  [1271, 'ER_CANT_AGGREGATE_NCOLLATIONS', 'text-comparison'],
  [1062, 'ER_DUP_ENTRY', 'duplicate'],
  [1048, 'ER_BAD_NULL_ERROR', 'defect'],
  [1064, 'ER_PARSE_ERROR', 'defect'],
  [1146, 'ER_NO_SUCH_TABLE', 'defect'],
  [1264, 'ER_WARN_DATA_OUT_OF_RANGE', 'defect'],
  [1406, 'ER_DATA_TOO_LONG', 'defect'],
];

test('every result code of SQLite has its meaning', () => {
  for (const [code, name, failure] of sqliteCodes)
    assert.equal(sqliteDialect.classifyError(new SqliteError(name, code)), failure, name);
  assert.equal(sqliteDialect.classifyError(new SqliteThreadEndedError('gone')), 'outcome-unknown');
});

test('every error number of MariaDB and MySQL has its meaning', () => {
  for (const [errno, name, failure] of mysqlCodes)
    assert.equal(mysqlDialect.classifyError(Object.assign(new Error(name), { errno })), failure, name);
});

test('a lost connection leaves the outcome unknown, whatever noticed it', () => {
  for (const code of ['PROTOCOL_CONNECTION_LOST', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'ENOENT'])
    assert.equal(mysqlDialect.classifyError(Object.assign(new Error(code), { code })), 'outcome-unknown', code);
  assert.equal(mysqlDialect.classifyError(Object.assign(new Error('closed'), { fatal: true })), 'outcome-unknown');
  assert.equal(
    mysqlDialect.classifyError(Object.assign(new Error('reset'), { errno: -104, code: 'ECONNRESET' })),
    'outcome-unknown',
  );
});

test('an error that is not storage’s own is none of its business', () => {
  for (const { classifyError } of [sqliteDialect, mysqlDialect])
    for (const error of [new Error('refused'), new TypeError('x'), { code: 'invalid-user' }, 'text'])
      assert.equal(classifyError(error), 'defect');
});
