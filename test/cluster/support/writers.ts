// The writes of the load, one writer for each kind. Each writer has a manager and objects of its own, so that the audit
// log tells how often its writes were stored. Changes of the own profile are left out: sixty an hour are allowed.

import { randomUUID } from 'node:crypto';
import type { ClusterReply, ClusterRequest } from './send-request.ts';

/** Reads through the balancer, again until there is an answer. Throws where that is not 200. */
export type ReadJson = (path: string) => Promise<ClusterReply['json']>;

export type Writer = {
  /** The id of the operation: the audit log has it with each write. */
  readonly operation: string;
  /** Reads what the first write needs. */
  begin(read: ReadJson): Promise<void>;
  next(): ClusterRequest;
  /** The answer to the last write. */
  accept(reply: ClusterReply): void;
  /** Whether the last write is stored, as a read tells. */
  isStored(read: ReadJson): Promise<boolean>;
};

/** The objects of one load. */
export type LoadObjects = {
  readonly bankId: number;
  /** The first one of many that can be reversed. */
  readonly firstPostingId: number;
  /** The event of a booking. */
  readonly eventId: number;
  readonly otherManagerId: number;
};

export const createWriters = ({ bankId, firstPostingId, eventId, otherManagerId }: LoadObjects): Writer[] => {
  const bank = `sund-B${bankId}`;
  return [
    createResidentWriter(bank),
    createApartmentWriter(bank),
    createSettingWriter(`${bank}-L1-U1`),
    createBookingWriter(bank, eventId),
    createReversalWriter(bank, firstPostingId),
    createCommandWriter(`${bank}-L1-U2`),
    createPermissionWriter(`sund-M${otherManagerId}`),
    createCoordinatesWriter(`${bank}-L1-U3`),
  ];
};

function createResidentWriter(bank: string): Writer {
  const path = `/api/v1/banks/${bank}/users`;
  let email = '';
  return {
    operation: 'CreateBankUser',
    begin: async () => {},
    next: () => {
      email = `load-${randomUUID()}@example.org`;
      return { method: 'POST', path, body: { name: 'Demo Newcomer', email, locationKid: `${bank}-L1` } };
    },
    accept: () => {},
    isStored: async (read) => {
      const { items } = await read(`${path}?filter=${email}`);
      return (items as { readonly email: string }[]).some((item) => item.email === email);
    },
  };
}

/** Writes numbered values of one object, each with the revision of the one before. */
function createValueWriter(input: {
  readonly operation: string;
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  /** Of the object, which has the revision. */
  readonly readPath: string;
  readonly bodyOf: (number: number) => Record<string, unknown>;
  /** Whether what was read has the value of this number. */
  readonly hasValue: (json: ClusterReply['json'], number: number) => boolean;
  readonly revisionOf?: (json: ClusterReply['json']) => string;
}): Writer {
  const { operation, method, path, readPath, bodyOf, hasValue, revisionOf = ({ revision }) => revision } = input;
  let number = 0;
  let expectedRevision = '';
  return {
    operation,
    begin: async (read) => void (expectedRevision = revisionOf(await read(readPath))),
    next: () => {
      number += 1;
      return { method, path, body: { ...bodyOf(number), expectedRevision } };
    },
    accept: ({ json }) => void (expectedRevision = revisionOf(json)),
    isStored: async (read) => hasValue(await read(readPath), number),
  };
}

const createApartmentWriter = (bank: string): Writer =>
  createValueWriter({
    operation: 'ExecuteBankUserCommand',
    method: 'POST',
    path: `/api/v1/banks/${bank}/users/${bank}-R1001/commands/SetApartment`,
    readPath: `/api/v1/banks/${bank}/users/${bank}-R1001`,
    bodyOf: (number) => ({ value: `no. ${number}` }),
    hasValue: ({ user }, number) => user.apartment === `no. ${number}`,
  });

const temperatureOf = (number: number): number => 20 + 5 * (number % 16);

function createSettingWriter(unit: string): Writer {
  const setting = `/api/v1/units/${unit}/settings/MaxTemperature`;
  const found = ({ items }: ClusterReply['json']) => items[0] as { readonly value: number } | undefined;
  let number = 0;
  let expectedRevision = '0';
  return {
    operation: 'SetUnitSetting',
    begin: async () => {},
    next: () => {
      number += 1;
      return { method: 'PUT', path: setting, body: { value: temperatureOf(number), expectedRevision } };
    },
    accept: ({ json }) => void (expectedRevision = json.revision),
    isStored: async (read) => found(await read(`${setting}/history?limit=1`))?.value === temperatureOf(number),
  };
}

function createBookingWriter(bank: string, firstEventId: number): Writer {
  const bookings = `/api/v1/banks/${bank}/bookings`;
  let event = `${bank}-E${firstEventId}`;
  let command = 'Restore';
  return {
    operation: 'ExecuteBankBookingCommand',
    begin: async () => {},
    next: () => {
      command = command === 'Restore' ? 'Cancel' : 'Restore';
      return { method: 'POST', path: `${bookings}/${event}/commands/${command}` };
    },
    accept: ({ json }) => void (event = json.eventKid),
    isStored: async (read) => ((await read(`${bookings}/${event}`)).state === 'Cancelled') === (command === 'Cancel'),
  };
}

function createReversalWriter(bank: string, firstPostingId: number): Writer {
  const account = `/api/v1/banks/${bank}/account`;
  let postingId = firstPostingId - 1;
  return {
    operation: 'ReverseBankAccountEntry',
    begin: async () => {},
    next: () => {
      postingId += 1;
      return { method: 'POST', path: `${account}/${bank}-X${postingId}/reversal` };
    },
    accept: () => {},
    isStored: async (read) => {
      const { items } = await read(`${account}?Period=0&Limit=20`);
      const reversed = `${bank}-X${postingId}`;
      return (items as { readonly reversalOfKid: string | null }[]).some((item) => item.reversalOfKid === reversed);
    },
  };
}

function createCommandWriter(unit: string): Writer {
  const path = `/api/v1/units/${unit}/commands`;
  let [last, before] = ['', ''];
  return {
    operation: 'SendUnitCommand',
    begin: async () => {},
    next: () => {
      before = last;
      return { method: 'POST', path, body: { name: 'Restart', ttlSeconds: 3600 } };
    },
    accept: ({ json }) => void (last = json.id),
    isStored: async (read) => ((await read(`${path}?limit=1`)).items[0]?.id ?? '') !== before,
  };
}

const createPermissionWriter = (manager: string): Writer =>
  createValueWriter({
    operation: 'SetManagerPermission',
    method: 'PUT',
    path: `/api/v1/managers/${manager}/permissions/Unit/Write`,
    readPath: `/api/v1/managers/${manager}`,
    bodyOf: (number) => ({ granted: number % 2 === 0 }),
    revisionOf: ({ permissionRevision }) => permissionRevision,
    hasValue: ({ permissions }, number) => permissions.Unit.includes('Write') === (number % 2 === 0),
  });

const latitudeOf = (number: number): number => 55_000_000 + (number % 100_000);

const createCoordinatesWriter = (unit: string): Writer =>
  createValueWriter({
    operation: 'SetObjectCoordinates',
    method: 'PUT',
    path: `/api/v1/addresses/${unit}/coordinates`,
    readPath: `/api/v1/addresses/${unit}`,
    bodyOf: (number) => ({ latitude: latitudeOf(number), longitude: 12_000_000 }),
    hasValue: ({ latitude }, number) => latitude === latitudeOf(number),
  });
