// Inserts objects of a test into a tenant's database.

import { randomBytes, randomUUID } from 'node:crypto';
import { insertResidents } from '../../src/features/residents/queries/insert-residents.ts';
import type { WriteDb } from '../../src/database/db.ts';
import { openLedger } from '../../src/features/account/queries/ledger.ts';
import {
  insertManagers,
  readNextManagerId,
  type InsertManagerInput,
} from '../../src/features/managers/queries/insert-managers.ts';
import { noAddress } from '../../src/features/places/rules/new-place-rows.ts';
import { hashToken } from '../../src/features/sessions/rules/session-token.ts';
import { insertSession } from '../../src/features/sessions/queries/sessions.ts';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import type { Environment } from '../../src/permissions/scope.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { grantBank } from './granted-banks.ts';
import type { TestService } from './service.ts';
import { hourMs } from './times.ts';

export type TestBankOptions = {
  readonly bankId?: number;
  readonly name?: string;
  readonly currency?: string;
  readonly openedAt?: number;
  readonly deletedAt?: number | null;
  /** Location id -> unit ids. */
  readonly places?: Readonly<Record<number, readonly number[]>>;
};

/** A bank with its ledger, locations `Location N` and units `{washer} N`. */
export async function insertTestBank(db: WriteDb, options: TestBankOptions = {}): Promise<number> {
  const {
    bankId = 1001,
    name = `Bank ${bankId}`,
    currency = 'DKK',
    openedAt = 0,
    deletedAt = null,
    places = { 1: [1, 2], 2: [1] },
  } = options;
  await db
    .insertInto('banks')
    .values({
      ...noAddress,
      bank_id: bankId,
      name,
      bank_type: 1,
      icon: null,
      currency,
      vat_basis_points: null,
      enabled: 1,
      deleted_at: deletedAt,
      residents_version: 0,
      places_version: 1,
    })
    .execute();
  await openLedger(db, grantBank(bankId), openedAt);
  for (const [location, units] of Object.entries(places)) {
    const locationId = Number(location);
    const common = { ...noAddress, bank_id: bankId, location_id: locationId, enabled: 1, deleted_at: null };
    await db
      .insertInto('locations')
      .values({ ...common, name: `Location ${locationId}`, time_zone: 'Europe/Copenhagen' })
      .execute();
    for (const unitId of units)
      await db
        .insertInto('units')
        .values({ ...common, unit_id: unitId, name: `{washer} ${unitId}`, unit_type: 1, version: 1 })
        .execute();
  }
  return bankId;
}

export const moveToReykjavik = (service: Pick<TestService, 'write'>, bankId: number): Promise<unknown> =>
  service.write('sund', (db) =>
    db.updateTable('locations').set({ time_zone: 'Atlantic/Reykjavik' }).where('bank_id', '=', bankId).execute(),
  );

export async function insertTestResident(
  db: WriteDb,
  residentId: number,
  { bankId = 1001, name = `Demo Resident ${residentId}`, expiredAt = null as number | null } = {},
): Promise<number> {
  await insertResidents(db, bankId, [
    {
      bank_id: bankId,
      resident_id: residentId,
      location_id: 1,
      name,
      apartment: '1',
      email: `resident${residentId}@example.org`,
      language: 'en',
      expired_at: expiredAt,
    },
  ]);
  return residentId;
}

export async function setTenantSetting(db: WriteDb, name: string, value: string): Promise<void> {
  await db.deleteFrom('tenant_settings').where('name', '=', name).execute();
  await db.insertInto('tenant_settings').values({ name, value }).execute();
}

export type ManagerOptions = Partial<Omit<InsertManagerInput, 'managerId'>>;

/** A manager, by default with every Tab and permission and tenant-wide; its password hash matches no password. */
export async function insertTestManager(
  db: WriteDb,
  options: ManagerOptions = {},
): Promise<{ managerId: number; credentialStamp: string }> {
  const managerId = await readNextManagerId(db);
  const credentialStamp = options.credentialStamp ?? randomUUID();
  const manager: InsertManagerInput = {
    userName: `manager${managerId}`,
    name: `Manager ${managerId}`,
    email: `manager${managerId}@example.org`,
    organisation: '',
    personIcon: 'person',
    passwordHash: 'none',
    active: true,
    retentionDays: null,
    tabs,
    permissions,
    grants: [{ bankId: 0, locationId: 0 }],
    ...options,
    credentialStamp,
    managerId,
  };
  await insertManagers(db, [manager]);
  return { managerId, credentialStamp };
}

export type TokenOptions = ManagerOptions & {
  readonly tenant?: string;
  readonly environment?: Environment;
  readonly livesMs?: number;
};

/** A session's token of a new manager, without the cost of a login. */
export async function createToken(
  service: Pick<TestService, 'write'> & { readonly dependencies: Pick<TestService['dependencies'], 'clock'> },
  options: TokenOptions = {},
): Promise<{ token: string; managerId: number }> {
  const { tenant = 'sund', environment = 'production', livesMs = hourMs, ...manager } = options;
  const token = randomBytes(32).toString('base64url');
  const managerId = await service.write(tenant, async (db) => {
    const made = await insertTestManager(db, manager);
    const now = toMs2000(service.dependencies.clock());
    await insertSession(db, {
      tokenHash: hashToken(token),
      environment,
      createdAt: now,
      expiresAt: now + livesMs,
      ...made,
    });
    return made.managerId;
  });
  return { token, managerId };
}
