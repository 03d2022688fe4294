// The read access that a manager granted to keys of services ends permanently when a command deactivates or restricts
// the manager.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changeManager,
  type ChangeManagerInput,
} from '../../src/features/manager-administration/commands/change-manager.ts';
import { changePassword } from '../profile/support/own-profile.ts';
import { createToken } from '../support/factories.ts';
import { startInstance } from '../support/instances.ts';
import { plainPasswordHash, plainPasswords } from '../support/password-hashing.ts';
import { serviceSuite } from '../support/service-suite.ts';
import {
  createApiKey,
  getService,
  readServiceContent,
  readServiceRecord,
  servicesPath,
  setReadAccess,
  updateService,
} from '../support/services.ts';
import { testNow } from '../support/times.ts';

serviceSuite({ now: testNow }, ({ service, manager, onStop }) => {
  const currentPassword = 'the present passphrase';
  const change = (managerId: number, command: string, input: Partial<ChangeManagerInput>) =>
    changeManager(service.dependencies.databases.forTenant('sund'), {
      tenant: 'sund',
      userName: `manager${managerId}`,
      command,
      isForced: true,
      change: (current) => current,
      deadlineMs: 10_000,
      clock: () => testNow,
      ...input,
    });
  const setActive = (managerId: number, isActive: boolean) =>
    change(managerId, isActive ? 'manager activate' : 'manager deactivate', {
      change: (current) => ({ ...current, isActive }),
    });
  const readAccessOf = async (identity: 'Mailer' | 'Gateway' | 'Payments') =>
    (await getService(service, identity, manager)).json;
  /** Two services whose keys have a new manager's rights, and one that has another's. */
  async function grantAccess() {
    const passwordHash = plainPasswordHash(currentPassword);
    const { token, managerId } = await createToken(service, { passwordHash });
    const key = createApiKey(3);
    await service.write('sund', (db) =>
      updateService(db, 'Mailer', {
        api_key_hash: plainPasswordHash(key),
        api_key_environment: 'production',
        api_key_made_by: manager.managerId,
      }),
    );
    for (const [identity, as] of [
      ['Mailer', token],
      ['Gateway', token],
      ['Payments', manager.token],
    ] as const) {
      const { profileRevision: expectedRevision } = await readAccessOf(identity);
      const operations = identity === 'Mailer' ? ['GetInstallers', 'GetServices'] : ['GetServices'];
      await setReadAccess(service, identity, operations, { token: as, expectedRevision });
    }
    const instance = await startInstance(service, { passwordHasher: plainPasswords });
    onStop(instance.stop);
    const statusOfKey = async () => (await instance.call('GET', servicesPath, { token: key })).status;
    assert.equal(await statusOfKey(), 200);
    return { token, managerId, statusOfKey, instance };
  }

  for (const [command, end] of [
    ['manager deactivate', (managerId: number) => setActive(managerId, false)],
    [
      'manager reset-password',
      (managerId: number) => change(managerId, 'manager reset-password', { passwordHash: 'x' }),
    ],
  ] as const)
    test(`${command} ends what the manager granted, and nothing of others; an activation does not bring it back`, async () => {
      const { managerId, statusOfKey } = await grantAccess();
      const [mailer, other] = [await readAccessOf('Mailer'), await readServiceContent(service, 'Payments')];
      await end(managerId);
      assert.equal(await statusOfKey(), 401);
      for (const identity of ['Mailer', 'Gateway'] as const) {
        const { operations, grantedByKid, grantedAtUtc } = (await readAccessOf(identity)).readAccess;
        assert.deepEqual([operations, grantedByKid, grantedAtUtc], [[], null, null]);
      }
      assert.equal((await readAccessOf('Mailer')).profileRevision, String(Number(mailer.profileRevision) + 1));
      assert.deepEqual(await readServiceContent(service, 'Payments'), other);
      const { audit, history } = await readServiceRecord(service, 'Mailer');
      assert.deepEqual(audit.at(-1), {
        operation: command,
        actor_id: null,
        old_values: JSON.stringify({
          operations: ['GetInstallers', 'GetServices'],
          grantedByKid: `sund-M${managerId}`,
        }),
        new_values: JSON.stringify({ operations: [], grantedByKid: null }),
      });
      const { field, old_value, new_value, editor_id } = history.at(-1) ?? assert.fail();
      assert.deepEqual([field, old_value, new_value, editor_id], ['ReadAccess', '2', '0', 0]);
      await setActive(managerId, true);
      assert.equal(await statusOfKey(), 401);
      assert.deepEqual((await readAccessOf('Mailer')).readAccess.operations, []);
    });

  test('a change of rights and a manager’s own new password do not end the access', async () => {
    const { token, managerId, statusOfKey, instance } = await grantAccess();
    await change(managerId, 'manager grant', {
      change: (current) => ({ ...current, tabs: new Set([...current.tabs].filter((tab) => tab !== 'Users2')) }),
    });
    const { status, text } = await changePassword(
      instance,
      { currentPassword, newPassword: 'another long passphrase' },
      { token },
    );
    assert.ok(status < 300, text);
    assert.equal(await statusOfKey(), 200);
    assert.equal((await readAccessOf('Mailer')).readAccess.grantedByKid, `sund-M${managerId}`);
  });
});
