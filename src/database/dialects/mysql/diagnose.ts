// What the errors of a MariaDB or MySQL server mean to the operator.

import type { Diagnosis } from '../../checks/diagnosis.ts';
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

// https://mariadb.com/kb/en/mariadb-error-codes/
const diagnosesByErrorNumber: Readonly<Record<number, Diagnosis>> = {
  1021: fullDisk,
  1030: { ...damaged, check: 'disk', problem: 'the storage engine of the server reports an error' },
  1033: damaged,
  1040: { check: 'connection', problem: 'the server has too many connections', remedy: 'Raise its max_connections' },
  1044: noPermission,
  1045: noPermission,
  1047: {
    check: 'connection',
    problem: 'the node is not part of the cluster’s primary component',
    remedy: 'Bring the other nodes of the cluster back',
  },
  1049: { check: 'migrations', problem: 'the schema does not exist', remedy: 'Run `migrate`' },
  1053: unreachable,
  1114: fullDisk,
  1142: noPermission,
  1143: noPermission,
  1194: damaged,
  1195: damaged,
  1205: locked,
  1213: locked,
  1227: noPermission,
  1290: readOnly,
  1698: noPermission,
  1712: damaged,
  1836: readOnly,
};

export const mysqlSilence: Diagnosis = {
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
  const known = typeof errno === 'number' ? diagnosesByErrorNumber[errno] : undefined;
  if (known !== undefined) return known;
  if (code === 'ETIMEDOUT') return mysqlSilence;
  return fatal === true || (typeof code === 'string' && /^(PROTOCOL_|E[A-Z]+$)/.test(code)) ? unreachable : undefined;
}
