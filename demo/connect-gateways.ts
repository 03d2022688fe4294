// Lets the gateways of a tenant's demo enrol: creates the computer of each, or gives it a new code, and reads what their
// devices know of themselves.

import type { Db } from '../src/database/db.ts';
import { takeLocks } from '../src/database/locks.ts';
import type { TenantDatabase } from '../src/database/tenant-database.ts';
import { outboxLock } from '../src/features/outbox/queries/outbox.ts';
import { createOperatorAuditContext } from '../src/features/audit/rules/audit-context.ts';
import { createComputerWithCode, renewCode } from '../src/features/computers/change-computer.ts';
import { computerLock } from '../src/features/computers/queries/computer-keys.ts';
import { findComputerByName } from '../src/features/computers/queries/computers.ts';
import { computersLock } from '../src/features/computers/queries/write-computer.ts';
import { requireComputer } from '../src/features/computers/require-computer.ts';
import { typeCodeOf, unitTypeOf } from '../src/features/places/rules/unit-types.ts';
import { formatKid, type KidOf } from '../src/lib/kid.ts';
import { requireCoveredBank, requireWholeCoverage, type WholeGrantedBank } from '../src/permissions/coverage.ts';
import { createOperatorScope } from '../src/permissions/scope.ts';
import { readOwnership } from './ownership.ts';
import { onlineGatewayName } from './places/gateways.ts';
import type { CurrentDocument, Device, Gateway } from './simulator/devices.ts';

const deadlineMs = 10_000;

type ConnectOptions = {
  readonly tenant: string;
  /** MS2000. */
  readonly clock: () => number;
};

/** None where the database holds no complete demo data. */
export async function connectGateways(database: TenantDatabase, options: ConnectOptions): Promise<Gateway[]> {
  const found = await database.read({ deadlineMs }, async (db) =>
    (await readOwnership(db)) === 'demo' ? listDevices(db, options.tenant) : [],
  );
  const byGateway = Map.groupBy(found, ({ bankId }) => onlineGatewayName(bankId));
  const gateways: Gateway[] = [];
  for (const [name, devices] of byGateway) {
    const code = await issueCode(database, options, name, devices);
    if (code !== undefined) gateways.push({ name, code, devices });
  }
  return gateways;
}

/** Undefined where the computer was revoked. */
async function issueCode(
  database: TenantDatabase,
  { tenant, clock }: ConnectOptions,
  name: string,
  devices: readonly Device[],
): Promise<string | undefined> {
  const [{ bankId } = { bankId: 0 }] = devices;
  const bank = requireWholeCoverage(requireCoveredBank(createOperatorScope(tenant), { bankId }));
  const found = await database.read({ deadlineMs }, (db) => findComputerByName(db, bank, name));
  const units = devices.map((device): KidOf<'unit'> => unitKeyOf(tenant, device));
  return found === undefined
    ? createGateway(database, { bank, name, units, clock })
    : renewGatewayCode(database, { bank, computerId: found.computer_id, clock });
}

type NewGateway = {
  readonly bank: WholeGrantedBank;
  readonly name: string;
  readonly units: readonly KidOf<'unit'>[];
  readonly clock: () => number;
};

const createGateway = (database: TenantDatabase, { bank, name, units, clock }: NewGateway): Promise<string> =>
  database.write({ deadlineMs }, async (db) => {
    const [computerId] = await takeLocks(db, [computersLock(bank), outboxLock(bank)]);
    const actor = createOperatorAuditContext('demo', clock);
    const computer = { name, units, environment: 'production' } as const;
    return (await createComputerWithCode(db, actor, { bank, computerId }, computer)).code;
  });

type KnownGateway = { readonly bank: WholeGrantedBank; readonly computerId: number; readonly clock: () => number };

const renewGatewayCode = (
  database: TenantDatabase,
  { bank, computerId, clock }: KnownGateway,
): Promise<string | undefined> =>
  database.write({ deadlineMs }, async (db) => {
    await takeLocks(db, [outboxLock(bank), computerLock({ bankId: bank.bankId, computerId })]);
    const computer = await requireComputer(db, bank, computerId);
    if (computer.row.revoked_at !== null) return undefined;
    return (await renewCode(db, createOperatorAuditContext('demo', clock), computer, 'production')).code;
  });

const unitKeyOf = (
  tenant: string,
  { bankId, locationId, unitId }: Pick<Device, 'bankId' | 'locationId' | 'unitId'>,
): KidOf<'unit'> => ({ type: 'unit', tenant, bankId, locationId, unitId });

/** The devices behind gateways of the demo that are on. */
async function listDevices(db: Db, tenant: string): Promise<Device[]> {
  const rows = await db
    .selectFrom('units as u')
    .innerJoin('banks as b', 'b.bank_id', 'u.bank_id')
    .leftJoin('unit_syncs as s', (join) =>
      join
        .onRef('s.bank_id', '=', 'u.bank_id')
        .onRef('s.location_id', '=', 'u.location_id')
        .onRef('s.unit_id', '=', 'u.unit_id'),
    )
    .select([
      'u.bank_id',
      'u.location_id',
      'u.unit_id',
      'u.unit_type',
      'u.packed_type',
      'u.enabled',
      'u.computer_name',
      's.synced_at',
    ])
    .where('b.enabled', '=', 1)
    .where('b.deleted_at', 'is', null)
    .where('u.deleted_at', 'is', null)
    .where('u.computer_name', 'is not', null)
    .orderBy('u.bank_id')
    .orderBy('u.location_id')
    .orderBy('u.unit_id')
    .execute();
  const devices = rows.flatMap((row): Device[] => {
    const key = { bankId: row.bank_id, locationId: row.location_id, unitId: row.unit_id };
    const type = unitTypeOf(typeCodeOf(row) ?? 0);
    if (type === undefined || row.computer_name !== onlineGatewayName(key.bankId)) return [];
    const kid = formatKid(unitKeyOf(tenant, key));
    const memory = { states: new Map(), document: undefined, syncedAt: row.synced_at ?? 0 };
    return [{ ...key, kid, type, isEnabled: row.enabled === 1, ...memory }];
  });
  await readMemories(db, devices);
  return devices;
}

type UnitColumns = { readonly bank_id: number; readonly location_id: number; readonly unit_id: number };

const idOf = ({ bank_id, location_id, unit_id }: UnitColumns): string => `${bank_id}-${location_id}-${unit_id}`;

/** Adds what the devices have reported last. */
async function readMemories(db: Db, devices: readonly Device[]): Promise<void> {
  const byUnit = new Map(
    devices.map((device) => [
      idOf({ bank_id: device.bankId, location_id: device.locationId, unit_id: device.unitId }),
      device,
    ]),
  );
  const [states, documents] = await Promise.all([
    db.selectFrom('unit_states').selectAll().execute(),
    db
      .selectFrom('document_cycles')
      .select(({ fn }) => ['bank_id', 'location_id', 'unit_id', 'document_id', fn.min<number>('at').as('from')])
      .groupBy(['bank_id', 'location_id', 'unit_id', 'document_id'])
      .orderBy('from')
      .execute(),
  ]);
  for (const row of states)
    byUnit.get(idOf(row))?.states.set(row.name, { value: row.value, reportedAt: row.reported_at });
  // The last one remains.
  for (const row of documents) {
    const device = byUnit.get(idOf(row));
    const document: CurrentDocument = { documentId: Number(row.document_id), from: row.from };
    if (device !== undefined) device.document = document;
  }
}
