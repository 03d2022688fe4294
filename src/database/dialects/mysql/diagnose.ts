// What the errors of a MariaDB or MySQL server mean, also to the operator.

import type { Diagnosis } from '../../checks/diagnosis.ts';
import type { StorageFailure } from '../../errors.ts';
import { classifyTlsError, type TlsFailure } from './tls-errors.ts';

const noPermission: Diagnosis = {
  check: 'permissions',
  problem: 'the server refuses the user of PORTAL_STORAGE, or what the user wants',
  remedy: 'Correct the user or the password, or grant the user all rights on the schema',
};
const fullDisk: Diagnosis = {
  check: 'disk',
  problem: 'the disk of the server is full',
  remedy: 'Free some space on it',
};
const readOnly: Diagnosis = {
  check: 'database',
  problem: 'the server is read-only',
  remedy: 'Turn read_only off, or let PORTAL_STORAGE name the server that accepts writes',
};
const damaged: Diagnosis = {
  check: 'integrity',
  problem: 'the server reports a damaged table',
  remedy: 'Look at the log of the server, restore the schema from a backup, and run `verify ledger`',
};
const locked: Diagnosis = {
  check: 'database',
  problem: 'another session holds a lock',
  remedy: 'End that session, or wait for it',
};
const unreachable: Diagnosis = {
  check: 'connection',
  problem: 'no server can be reached',
  remedy: 'Start the server, or correct the host and port in PORTAL_STORAGE',
};

/** What an error means for the transaction, and, where the server itself is at fault, to the operator. */
type KnownError = readonly [failure: StorageFailure, diagnosis?: Diagnosis];

// https://mariadb.com/kb/en/mariadb-error-codes/
export const mysqlErrors: Readonly<Record<number, KnownError>> = {
  3: ['unavailable'], // a temporary file could not be written
  1020: ['rolled-back'], // record has changed since last read (snapshot isolation)
  1021: ['unavailable', fullDisk],
  1026: ['unavailable'], // a file could not be written
  // On a full disk for instance.
  1030: ['unavailable', { ...damaged, check: 'disk', problem: 'the storage engine of the server reports an error' }],
  1033: ['unavailable', damaged],
  1037: ['unavailable'], // out of memory
  1040: [
    'unavailable',
    { check: 'connection', problem: 'the server has too many connections', remedy: 'Raise its max_connections' },
  ],
  1041: ['unavailable'], // out of memory
  1044: ['unavailable', noPermission],
  1045: ['unavailable', noPermission], // access denied
  1047: [
    'unavailable',
    {
      check: 'connection',
      problem: 'the node is not part of the cluster’s primary component',
      remedy: 'Bring the other nodes of the cluster back',
    },
  ],
  1049: ['unavailable', { check: 'migrations', problem: 'the schema does not exist', remedy: 'Run `migrate`' }],
  1053: ['unavailable', unreachable], // the server is shutting down
  1062: ['duplicate'],
  1114: ['unavailable', fullDisk], // table full
  1142: ['unavailable', noPermission], // command denied on a table
  1143: ['unavailable', noPermission], // command denied on a column
  1180: ['outcome-unknown'], // error during COMMIT
  1194: ['unavailable', damaged],
  1195: ['unavailable', damaged],
  1205: ['rolled-back', locked], // lock wait timeout
  1206: ['rolled-back'], // no room for more locks
  1213: ['rolled-back', locked], // deadlock, or certification failure
  1227: ['unavailable', noPermission], // a privilege is missing
  1267: ['text-comparison'], // illegal mix of collations
  1270: ['text-comparison'],
  1271: ['text-comparison'],
  1290: ['unavailable', readOnly],
  1317: ['timeout'], // query interrupted
  1698: ['unavailable', noPermission], // access denied
  1712: ['unavailable', damaged], // an index
  1836: ['unavailable', readOnly],
  1927: ['outcome-unknown'], // connection killed
  1969: ['timeout'], // max_statement_time
  3024: ['timeout'], // max_execution_time
};

export const mysqlTimeoutDiagnosis: Diagnosis = {
  check: 'connection',
  problem: 'the server does not answer in time',
  remedy: 'Look at the server, whether it hangs or is overloaded, and at the network between',
};

const diagnosesOfTls: Readonly<Record<TlsFailure, (error: Error) => Diagnosis>> = {
  'no-tls': () => ({
    check: 'tls',
    problem: 'the server takes no TLS connections',
    remedy: 'Give the server a certificate, or correct the host and port in PORTAL_STORAGE',
  }),
  'wrong-name': () => ({
    check: 'tls',
    problem: 'the certificate of the server is for another name',
    remedy: 'Let PORTAL_STORAGE name the server as its certificate does, or give it a certificate for this name',
  }),
  untrusted: ({ message }) => ({
    check: 'tls',
    // Constants of OpenSSL; Node adds advice about its own options to some.
    problem: `the certificate of the server is not trusted (${message.split(';', 1).join()})`,
    remedy: 'Let ssl-ca of PORTAL_STORAGE name the authority that has issued it, or renew it',
  }),
  'no-handshake': () => ({
    check: 'tls',
    problem: 'the TLS handshake with the server failed',
    remedy: 'Look at the log of the server, and at what is between',
  }),
};

/** Undefined where the error is not one of storage. */
export function diagnoseMysqlError(error: unknown): Diagnosis | undefined {
  const ofTls = classifyTlsError(error);
  if (ofTls !== undefined) return diagnosesOfTls[ofTls](error as Error);
  const { errno, code, fatal } = error as { errno?: unknown; code?: unknown; fatal?: unknown };
  const [, known] = mysqlErrors[Number(errno)] ?? [];
  if (known !== undefined) return known;
  if (code === 'ETIMEDOUT') return mysqlTimeoutDiagnosis;
  return fatal === true || (typeof code === 'string' && /^(PROTOCOL_|E[A-Z]+$)/.test(code)) ? unreachable : undefined;
}
