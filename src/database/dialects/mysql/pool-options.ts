// How every connection to MariaDB or MySQL is made.

import type { PoolOptions, TypeCastField, TypeCastNext } from 'mysql2';
import { connect, isIP, type Socket } from 'node:net';
import type { MysqlNode, MysqlTls } from '../../storage-address.ts';

export const connectTimeoutMs = 5000;
export const keepAliveDelayMs = 30_000;

/** Who logs in, and how the connection is encrypted. */
export type MysqlCredentials = Readonly<{ user: string; password: string; tls: MysqlTls | undefined }>;

/** A server and who logs in; with a database, also the one that statements are about. */
export type MysqlLogin = MysqlNode & MysqlCredentials & { readonly database?: string };

// Integers arrive as numbers while exact and as bigints beyond; so do sums, which arrive as decimals.
function typeCast(field: TypeCastField, next: TypeCastNext): unknown {
  if (field.type !== 'LONGLONG' && field.type !== 'NEWDECIMAL') return next();
  const text = field.string();
  if (text === null) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) || text.includes('.') ? number : BigInt(text);
}

/** Connection options that every connection of the service has. */
export function mysqlPoolOptions({ tls, ...login }: MysqlLogin): PoolOptions {
  return {
    ...login,
    ...(tls === undefined ? {} : tlsOptions(login, tls)),
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

/** The server proves its name before it gets the login; mysql2 leaves one without TLS, and never goes on without. */
function tlsOptions(node: MysqlNode, tls: MysqlTls): Pick<PoolOptions, 'ssl' | 'stream'> {
  const ssl = { ...tls, rejectUnauthorized: true, verifyIdentity: true };
  return isIP(node.host) === 0 ? { ssl } : { ssl, stream: () => connectToAddress(node) };
}

/**
 * mysql2 passes names of servers on to Node, but not addresses. Node then compares the certificate with the `_host` of the
 * socket, which it sets for names alone, or else with `localhost`: each certificate for that would be accepted.
 */
function connectToAddress({ host, port }: MysqlNode): Socket {
  const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveDelayMs });
  return Object.assign(socket, { _host: host });
}
