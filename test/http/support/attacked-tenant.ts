// A tenant with demo data and the objects of the examples, in which one bank has names that no other has, and everybody
// who may try to learn something of that bank.

import { storeExampleComputers } from '../../../scripts/docs/example-computers.ts';
import { storeExampleHeldLines } from '../../../scripts/docs/example-held-lines.ts';
import { storeExampleImports } from '../../../scripts/docs/example-imports.ts';
import { betaHost, createComputerKey } from '../../support/computers.ts';
import { insertEnrolledComputer } from '../../support/enrolled-computers.ts';
import { createToken, type TokenOptions } from '../../support/factories.ts';
import { getTenant, seedDemoTenant } from '../../support/demo-database.ts';
import { createApiKey, generateApiKey, getService, setReadAccess } from '../../support/services.ts';
import type { TestService } from '../../support/service.ts';
import { testNow } from '../../support/times.ts';
import { namedBankId } from './identifier-requests.ts';

/** The bank of those who have one of their own. */
export const ownBankId = 1002;

export const fjordHost = 'api.fjord.localhost';

/** In every name and address of the named bank, and nowhere else. */
export const canary = 'Canary-5c1e';

export type Stranger = {
  readonly name: string;
  readonly token?: string;
  readonly host?: string;
};

export type AttackedTenant = {
  /** With every right, tenant-wide. */
  readonly owner: Stranger;
  /** The service does not know who they are. */
  readonly nobodies: readonly Stranger[];
  /** The service knows them, and they have no grant in the named bank. */
  readonly outsiders: readonly Stranger[];
  /** They have a grant in it, and no other right. */
  readonly powerless: readonly Stranger[];
  /** A manager of the fifth location of the named bank, with every other right. */
  readonly neighbour: Stranger;
};

/** Prepares `sund` and `fjord`, which have to be empty. */
export async function prepareAttackedTenant(service: TestService): Promise<AttackedTenant> {
  const { databases } = service.dependencies;
  const database = databases.forTenant('sund');
  await seedDemoTenant(database);
  await storeExampleComputers(database, 'sund', testNow);
  await storeExampleHeldLines(database, 'sund', testNow);
  await storeExampleImports(database, getTenant('sund'), testNow);
  await seedDemoTenant(databases.forTenant('fjord'), 'fjord', { postings: 300 });
  await plantCanaries(service);
  const passwordHash = await service.dependencies.passwordHasher.hash('four plain words here');
  const owner = await createToken(service, { passwordHash });
  return {
    owner: { name: 'owner', token: owner.token },
    nobodies: await createNobodies(service, owner.token),
    outsiders: await createOutsiders(service, owner.token),
    neighbour: {
      name: 'a manager of another location',
      token: (await createToken(service, { grants: [{ bankId: namedBankId, locationId: 5 }] })).token,
    },
    powerless: [
      { name: 'a manager without permissions', token: (await createToken(service, { permissions: [] })).token },
      { name: 'a manager without Tabs', token: (await createToken(service, { tabs: [] })).token },
    ],
  };
}

async function plantCanaries(service: TestService): Promise<void> {
  await service.write('sund', async (db) => {
    await db.updateTable('banks').set({ name: canary, address: canary }).where('bank_id', '=', namedBankId).execute();
    for (const table of ['locations', 'units'] as const)
      await db.updateTable(table).set({ name: canary, address: canary }).where('bank_id', '=', namedBankId).execute();
    await db
      .updateTable('residents')
      .set({ name: canary, apartment: canary, email: `${canary}@example.org` })
      .where('bank_id', '=', namedBankId)
      .execute();
  });
}

async function createNobodies(service: TestService, ownerToken: string): Promise<Stranger[]> {
  const tokenOf = async (options: TokenOptions = {}): Promise<string> => (await createToken(service, options)).token;
  const { token: ended, managerId } = await createToken(service);
  await service.write('sund', (db) => db.deleteFrom('sessions').where('manager_id', '=', managerId).execute());
  return [
    { name: 'nobody' },
    { name: 'an unknown token', token: 'x'.repeat(43) },
    { name: 'an ended session', token: ended },
    { name: 'an expired session', token: await tokenOf({ livesMs: 0 }) },
    { name: 'an inactive manager', token: await tokenOf({ active: false }) },
    { name: 'a manager of another tenant', token: await tokenOf({ tenant: 'fjord' }) },
    { name: 'the owner at another tenant’s host', token: ownerToken, host: fjordHost },
    { name: 'the owner at the host of the other environment', token: ownerToken, host: betaHost },
    { name: 'the owner at an unknown host', token: ownerToken, host: 'api.elsewhere.localhost' },
    { name: 'an unknown key of a service', token: createApiKey(3) },
    { name: 'an unknown key of a computer', token: createComputerKey() },
  ];
}

async function createOutsiders(service: TestService, ownerToken: string): Promise<Stranger[]> {
  const tokenOf = async (options: TokenOptions): Promise<string> => (await createToken(service, options)).token;
  const ofBank = { grants: [{ bankId: ownBankId, locationId: 0 }] };
  const ofLocation = { grants: [{ bankId: ownBankId, locationId: 1 }] };
  const units = [1, 2].map((unitId) => [1, unitId] as const);
  const ownComputer = await service.write('sund', (db) =>
    insertEnrolledComputer(db, { bankId: ownBankId, computerId: 1, units }),
  );
  return [
    { name: 'a manager of another bank', token: await tokenOf(ofBank) },
    { name: 'a manager of a location of another bank', token: await tokenOf(ofLocation) },
    { name: 'a manager without grants', token: await tokenOf({ grants: [] }) },
    { name: 'a service that may read nothing', token: await createServiceKey(service, ownerToken) },
    { name: 'a computer of another bank', token: ownComputer },
    { name: 'the owner of another tenant', token: await tokenOf({ tenant: 'fjord' }), host: fjordHost },
  ];
}

/** A key of the service, which may call no operation. */
async function createServiceKey(service: TestService, token: string): Promise<string> {
  const { json } = await getService(service, 'Statistics', { token });
  const cleared = await setReadAccess(service, 'Statistics', [], {
    token,
    expectedRevision: json.profileRevision,
  });
  const expectedRevision = cleared.json.profileRevision;
  const generated = await generateApiKey(service, 'Statistics', { token, expectedRevision });
  return generated.json.apiKey;
}
