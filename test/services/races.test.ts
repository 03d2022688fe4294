// Writes of one service that come together, and rights that are withdrawn between a request and its commit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WriteDb } from '../../src/database/db.ts';
import { createToken } from '../support/factories.ts';
import { startInstance } from '../support/instances.ts';
import { interfereWithWrites } from '../support/interference.ts';
import { countOutcomes, runInParallel } from '../support/replicas.ts';
import { serviceSuite } from '../support/service-suite.ts';
import {
  generateApiKey,
  getService,
  readServiceContent,
  readServiceRecord,
  setServiceField,
  updateService,
} from '../support/services.ts';

type Change = (db: WriteDb, managerId: number) => Promise<unknown>;

const withdrawals: Record<string, readonly [change: Change, status: number, code: string]> = {
  'the Tab': [
    (db, id) => db.deleteFrom('manager_tabs').where('manager_id', '=', id).execute(),
    403,
    'missing-services-tab',
  ],
  'Service Read': [
    (db, id) =>
      db
        .deleteFrom('manager_permissions')
        .where('manager_id', '=', id)
        .where('permission', '=', 'Service.Read')
        .execute(),
    403,
    'missing-services-read',
  ],
  'Service Write': [
    (db, id) =>
      db
        .deleteFrom('manager_permissions')
        .where('manager_id', '=', id)
        .where('permission', '=', 'Service.Write')
        .execute(),
    403,
    'missing-services-write',
  ],
  'the tenant-wide grant': [
    (db, id) => db.updateTable('manager_grants').set({ bank_id: 1001 }).where('manager_id', '=', id).execute(),
    403,
    'missing-tenant-access',
  ],
  'the account': [
    (db, id) => db.updateTable('managers').set({ active: 0 }).where('manager_id', '=', id).execute(),
    401,
    'unauthenticated',
  ],
  'the credential stamp': [
    (db, id) => db.updateTable('managers').set({ credential_stamp: 'turned' }).where('manager_id', '=', id).execute(),
    401,
    'unauthenticated',
  ],
};

serviceSuite({ replicas: 2 }, ({ service, replicaFor, manager }) => {
  test('[services.23, services.24] of many writes that expect the same revision one is 200 and the rest are 409', async () => {
    const replies = await runInParallel(40, (at) =>
      setServiceField(replicaFor(at), 'Gateway', 'Name', `Gateway ${at}`, manager),
    );
    assert.deepEqual(countOutcomes(replies), { '200': 1, '409 service-profile-conflict': 39 });
    const { row, history } = await readServiceRecord(service, 'Gateway');
    const written = replies.findIndex(({ status }) => status === 200);
    assert.deepEqual([row.name, row.revision, history.length], [`Gateway ${written}`, 2, 1]);
  });

  test('of two keys created at once only one is valid, and the profile is not lost', async () => {
    const made = await runInParallel(4, (at) => generateApiKey(replicaFor(at), 'Backup', manager));
    assert.deepEqual(countOutcomes(made), { '200': 1, '409 service-profile-conflict': 3 });
    const { row } = await readServiceRecord(service, 'Backup');
    const { apiKey } = made.find(({ status }) => status === 200)?.json ?? assert.fail();
    assert.ok(await service.dependencies.passwordHasher.verify(apiKey, row.api_key_hash ?? ''));
  });

  test('writers who read again after a conflict lose none of each other’s changes', async () => {
    await service.write('sund', (db) => updateService(db, 'Import', { name: '' }));
    const append = async (at: number): Promise<void> => {
      for (;;) {
        const { json } = await getService(replicaFor(at), 'Import', manager);
        const expectedRevision: string = json.profileRevision;
        const name = `${json.service.name}x`;
        const reply = await setServiceField(replicaFor(at), 'Import', 'Name', name, { ...manager, expectedRevision });
        if (reply.status === 200) return;
        assert.deepEqual([reply.status, reply.json.code], [409, 'service-profile-conflict']);
      }
    };
    await runInParallel(8, append);
    const { row, history } = await readServiceRecord(service, 'Import');
    assert.deepEqual([row.name, history.length], ['xxxxxxxx', 8]);
  });

  for (const [name, [change, status, code]] of Object.entries(withdrawals))
    test(`[services.25] a manager who loses ${name} between request and commit writes nothing`, async () => {
      const stored = await readServiceContent(service, 'Monitoring');
      for (const write of [
        (call: typeof service.call, token: string) =>
          setServiceField({ call }, 'Monitoring', 'Name', 'Eyes', { token }),
        (call: typeof service.call, token: string) => generateApiKey({ call }, 'Monitoring', { token }),
      ]) {
        const { token, managerId } = await createToken(service);
        // The guard of the request has passed by then.
        const { databases, runs } = interfereWithWrites(service.dependencies.databases, /^update .services./, (db) =>
          change(db, managerId),
        );
        const instance = await startInstance(service, { databases });
        const reply = await write(instance.call, token);
        await instance.stop();
        assert.deepEqual([reply.status, reply.json.code], [status, code]);
        assert.equal(runs(), 1);
        assert.deepEqual(await readServiceContent(service, 'Monitoring'), stored);
      }
    });
});
