// How every connection to MariaDB or MySQL is made.

import type { PoolOptions, TypeCastField, TypeCastNext } from 'mysql2';
import type { MysqlNode } from '../../storage-address.ts';

export const connectTimeoutMs = 5000;

/** A server and who logs in; with a database, also the one that statements are about. */
export type MysqlLogin = MysqlNode & Readonly<{ user: string; password: string; database?: string }>;

// Integers arrive as numbers while exact and as bigints beyond; so do sums, which arrive as decimals.
function typeCast(field: TypeCastField, next: TypeCastNext): unknown {
  if (field.type !== 'LONGLONG' && field.type !== 'NEWDECIMAL') return next();
  const text = field.string();
  if (text === null) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) || text.includes('.') ? number : BigInt(text);
}

/** Connection options that every connection of the service has. */
export function mysqlPoolOptions(login: MysqlLogin): PoolOptions {
  return {
    ...login,
    charset: 'utf8mb4_bin',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    // Whoever packed it reads it, exactly.
    jsonStrings: true,
    connectTimeout: connectTimeoutMs,
    multipleStatements: false,
    typeCast,
  };
}
