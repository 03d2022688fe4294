// Puts units into a tenant's database whose alerts are known, and reads the tenant status.

import assert from 'node:assert/strict';
import type { WriteDb } from '../../../src/database/db.ts';
import { insertRows } from '../../../src/database/statements/insert-rows.ts';
import type { Tables } from '../../../src/database/tables.ts';
import { noAddress } from '../../../src/features/places/rules/new-place-rows.ts';
import type { TenantStatus, TenantStatusPage } from '../../../src/features/tenant-status/schemas.ts';
import type { CallOptions, HttpReply } from '../../support/call.ts';
import type { TestService } from '../../support/service.ts';

export const statusPath = '/api/v1/tenant/status';
export const pagePath = `${statusPath}/page`;

/** A setting, and when it was written. */
export type SettingDraft = readonly [name: string, value: string | null, changedAt?: number];

/** The only unit of the only location of a bank. */
export type StatusUnitDraft = {
  readonly bank?: Partial<Tables['banks']>;
  readonly location?: Partial<Tables['locations']>;
  readonly unit?: Partial<Tables['units']>;
  readonly settings?: readonly SettingDraft[];
};

const bankRow = (bankId: number): Tables['banks'] => ({
  ...noAddress,
  bank_id: bankId,
  name: `Bank ${bankId}`,
  bank_type: 1,
  icon: null,
  currency: 'DKK',
  vat_basis_points: null,
  discount_basis_points: null,
  enabled: 1,
  deleted_at: null,
  residents_version: 0,
  places_version: 1,
});

const locationRow = (bankId: number, locationId: number): Tables['locations'] => ({
  ...noAddress,
  bank_id: bankId,
  location_id: locationId,
  name: `Location ${locationId}`,
  icon: null,
  time_zone: 'Europe/Copenhagen',
  enabled: 1,
  deleted_at: null,
});

type UnitKey = { readonly bankId: number; readonly locationId: number; readonly unitId: number };

export const unitRow = ({ bankId, locationId, unitId }: UnitKey): Tables['units'] => ({
  ...noAddress,
  bank_id: bankId,
  location_id: locationId,
  unit_id: unitId,
  name: `{washer} ${unitId}`,
  unit_type: 1,
  packed_type: null,
  enabled: 1,
  deleted_at: null,
  last_contact_at: null,
  computer_name: null,
  cluster: null,
  version: 1,
});

export const settingRow = (
  { bankId, locationId, unitId }: UnitKey,
  [name, value, changedAt = 1]: SettingDraft,
): Tables['unit_settings'] => ({
  bank_id: bankId,
  location_id: locationId,
  unit_id: unitId,
  name,
  value,
  version: 1,
  changed_at: changedAt,
  editor_id: null,
  sync_id: null,
});

/** Deletes every place. */
export async function deletePlaces(db: WriteDb): Promise<void> {
  for (const table of ['unit_settings', 'units', 'locations', 'banks'] as const) await db.deleteFrom(table).execute();
}

/** The unit is `sund-B<bankId>-L1-U1`. */
export async function insertStatusUnit(
  db: WriteDb,
  bankId: number,
  { bank, location, unit, settings = [] }: StatusUnitDraft,
): Promise<void> {
  const key = { bankId, locationId: 1, unitId: 1 };
  await insertRows(db, 'banks', [{ ...bankRow(bankId), ...bank }]);
  await insertRows(db, 'locations', [{ ...locationRow(bankId, 1), ...location }]);
  await insertRows(db, 'units', [{ ...unitRow(key), ...unit }]);
  await insertRows(
    db,
    'unit_settings',
    settings.map((each) => settingRow(key, each)),
  );
}

/** Units 1, 2, ... of each of these locations of a bank. */
export async function insertBankOfUnits(
  db: WriteDb,
  bankId: number,
  units: Readonly<Record<number, readonly Partial<Tables['units']>[]>>,
  bank: Partial<Tables['banks']> = {},
): Promise<void> {
  await insertRows(db, 'banks', [{ ...bankRow(bankId), ...bank }]);
  for (const [location, drafts] of Object.entries(units)) {
    const locationId = Number(location);
    await insertRows(db, 'locations', [locationRow(bankId, locationId)]);
    await insertRows(
      db,
      'units',
      drafts.map((draft, at) => ({ ...unitRow({ bankId, locationId, unitId: at + 1 }), ...draft })),
    );
  }
}

type StatusReply<T> = HttpReply & { readonly json: T };

/** The tenant status; the answer has to be 200. */
export async function readTenantStatus(
  { call }: Pick<TestService, 'call'>,
  options: CallOptions,
  query = 'limit=1000',
): Promise<TenantStatus> {
  const reply: StatusReply<TenantStatus> = await call('GET', `${statusPath}?${query}`, options);
  assert.equal(reply.status, 200, reply.text);
  return reply.json;
}

/** A page of the tenant status; the answer has to be 200. */
export async function readStatusPage(
  { call }: Pick<TestService, 'call'>,
  options: CallOptions,
  query: Readonly<Record<string, string | number>> = {},
): Promise<TenantStatusPage> {
  const reply: StatusReply<TenantStatusPage> = await call('GET', pageTarget(query), options);
  assert.equal(reply.status, 200, reply.text);
  return reply.json;
}

export const pageTarget = (query: Readonly<Record<string, string | number>>): string =>
  `${pagePath}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()}`;

const quiet = { count: 0, hasMore: false, errorCode: null };

/** The sources about computers, while they have nothing to show. */
export const quietComputerSources: TenantStatus['sources'] = ['HeldLines', 'ClockWrong', 'SyncStale'].map((kind) => ({
  kind,
  ...quiet,
}));

/** `Offline:sund-B1001-L1-U1`, as in an anchor. */
export const alertsOf = ({ items }: Pick<TenantStatus, 'items'>): string[] =>
  items.map(({ kind, kid }) => `${kind}:${kid}`);
