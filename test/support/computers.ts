// How a test asks for computers, and makes some.

import { randomBytes } from 'node:crypto';
import type { LockableDb } from '../../src/database/db.ts';
import { createOperatorAuditContext } from '../../src/features/audit/rules/audit-context.ts';
import { createComputerWithCode, type CreatedComputer } from '../../src/features/computers/change-computer.ts';
import { formatComputerKey } from '../../src/features/computers/rules/computer-key.ts';
import { secretBytes } from '../../src/lib/values/checksummed-secret.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import type { Environment } from '../../src/permissions/scope.ts';
import { sundHost, type CallOptions, type HttpReply } from './call.ts';
import { grantBank } from './granted-banks.ts';
import type { TestService } from './service.ts';
import { lockAuditsOf } from './audit.ts';

export const betaHost = `beta.${sundHost}`;

export const computersPath = (bankId = 1001): string => `/api/v1/banks/sund-B${bankId}/computers`;

export const computerKid = (computerId: number, bankId = 1001): string => `sund-B${bankId}-C${computerId}`;

export const computerPath = (kid: string, rest = ''): string => `/api/v1/computers/${kid}${rest}`;

/** `1-2`: unit 2 of location 1. */
export const unitKidsOf = (units: readonly string[], bankId = 1001): string[] =>
  units.map((unit) => `sund-B${bankId}-L${unit.replace('-', '-U')}`);

type Caller = Pick<TestService, 'call'>;

export type NewComputerOptions = CallOptions & {
  readonly bankId?: number;
  readonly name?: string;
  /** As in `unitKidsOf`. */
  readonly units?: readonly string[];
};

export const createComputer = (
  { call }: Caller,
  { bankId = 1001, name = 'laundry-1', units = ['1-1'], ...options }: NewComputerOptions,
): Promise<HttpReply> =>
  call('POST', computersPath(bankId), { body: { name, unitKids: unitKidsOf(units, bankId) }, ...options });

export const renewCode = (
  { call }: Caller,
  kid: string,
  { expectedRevision = '1', ...options }: CallOptions & { readonly expectedRevision?: string },
): Promise<HttpReply> => call('POST', computerPath(kid, '/code'), { body: { expectedRevision }, ...options });

export const revokeComputer = (
  { call }: Caller,
  kid: string,
  { expectedRevision = '1', ...options }: CallOptions & { readonly expectedRevision?: string },
): Promise<HttpReply> => call('POST', computerPath(kid, '/revocation'), { body: { expectedRevision }, ...options });

export const enrol = (
  { call }: Caller,
  code: unknown,
  { serial = 'SN-1', software = '1.0.0', ...options }: CallOptions & { serial?: unknown; software?: unknown } = {},
): Promise<HttpReply> => call('POST', '/equipment/v1/enrol', { body: { code, serial, software }, ...options });

export const renewKey = ({ call }: Caller, key: string, options: CallOptions = {}): Promise<HttpReply> =>
  call('POST', '/equipment/v1/key', { token: key, ...options });

/** A key that no computer has. */
export const createComputerKey = (): string => formatComputerKey(randomBytes(secretBytes));

export type InsertedComputer = CreatedComputer & { readonly kid: string };

type TestComputer = {
  readonly bankId?: number;
  readonly computerId?: number;
  readonly name?: string;
  /** As in `unitKidsOf`. */
  readonly units?: readonly string[];
  /** MS2000. */
  readonly now?: number;
  readonly environment?: Environment;
};

/** A computer that waits for its code to be used, without a request. */
export async function insertTestComputer(db: LockableDb, options: TestComputer = {}): Promise<InsertedComputer> {
  const { bankId = 1001, computerId = 1, units = ['1-1'], now = toMs2000(Date.now()) } = options;
  const { name = `laundry-${computerId}`, environment = 'production' } = options;
  const unitKeys = units.map((unit) => {
    const [locationId = 0, unitId = 0] = unit.split('-').map(Number);
    return { type: 'unit' as const, tenant: 'sund', bankId, locationId, unitId };
  });
  await lockAuditsOf(db, bankId);
  await db.dialect.upsertRows(db, 'computer_heads', [{ bank_id: bankId, allocated: computerId }], {
    key: ['bank_id'],
    sum: [],
    max: ['allocated'],
  });
  const created = await createComputerWithCode(
    db,
    createOperatorAuditContext('computer create', () => now),
    { bank: grantBank(bankId), computerId },
    { name, units: unitKeys, environment },
  );
  return { ...created, kid: computerKid(computerId, bankId) };
}

/** A computer with its first key: created by a manager, and enrolled. */
export async function enrolTestComputer(
  service: Caller,
  { serial = 'SN-1', software = '1.0.0', ...options }: NewComputerOptions & { serial?: string; software?: string },
): Promise<{ readonly kid: string; readonly key: string }> {
  const created = await createComputer(service, options);
  if (created.status !== 201) throw new Error(created.text);
  const enrolled = await enrol(service, created.json.enrolmentCode, { serial, software });
  if (enrolled.status !== 200) throw new Error(enrolled.text);
  return { kid: enrolled.json.computerKid, key: enrolled.json.key };
}
