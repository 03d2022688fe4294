// Finds out what a failure of storage means to the operator, and names the file or schema that it is about.

import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { diagnoseMysqlError, mysqlTimeoutDiagnosis } from '../dialects/mysql/diagnose.ts';
import { diagnoseSqliteError, missingFile, sqliteSilence } from '../dialects/sqlite/diagnose.ts';
import { SchemaError, type Diagnosis, type FailedCheck } from './diagnosis.ts';
import { StorageError } from '../errors.ts';
import type { StorageAddress } from '../storage-address.ts';

/** Undefined where the error is not one of storage. */
export function diagnoseFailure(address: StorageAddress, tenant: string, error: unknown): FailedCheck | undefined {
  const diagnosis = findDiagnosis(address, tenant, findRootCause(error)) ?? diagnoseSilence(address, error);
  return diagnosis && { tenant, ...describeStorage(address, tenant), ...diagnosis };
}

export function describeStorage(address: StorageAddress, tenant: string): Pick<FailedCheck, 'storage' | 'location'> {
  if (address.engine === 'sqlite')
    return { storage: `${tenant}.sqlite`, location: `file ${resolve(sqliteFilePath(address.directory, tenant))}` };
  const schema = `${address.prefix}${tenant}`;
  const nodes = address.nodes.map(({ host, port }) => `${host}:${port}`);
  return { storage: schema, location: `schema ${schema} at ${nodes.join(', ')}` };
}

export const sqliteFilePath = (directory: string, tenant: string): string => join(directory, `${tenant}.sqlite`);

function findDiagnosis(address: StorageAddress, tenant: string, error: unknown): Diagnosis | undefined {
  if (error instanceof SchemaError) return error.diagnosis;
  if (address.engine === 'mysql') return diagnoseMysqlError(error);
  const diagnosis = diagnoseSqliteError(error);
  return diagnosis?.check === 'permissions' && isMissing(sqliteFilePath(address.directory, tenant))
    ? missingFile
    : diagnosis;
}

/** An error of storage without a cause is a wait that took too long. */
function diagnoseSilence({ engine }: StorageAddress, error: unknown): Diagnosis | undefined {
  if (!(error instanceof StorageError)) return undefined;
  return engine === 'sqlite' ? sqliteSilence : mysqlTimeoutDiagnosis;
}

function findRootCause(error: unknown): unknown {
  return error instanceof StorageError && error.cause !== undefined ? findRootCause(error.cause) : error;
}

function isMissing(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined;
  } catch {
    // The directory may not be searched.
    return false;
  }
}
