// Writes of objects without a bank lock the chain of the tenant first, so that a stream of logins, which also append to
// it, does not make them retry many times.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { changeManager } from '../../src/features/manager-administration/commands/change-manager.ts';
import { appendAudit } from '../../src/features/audit/queries/append-audit.ts';
import { createOperatorAuditContext } from '../../src/features/audit/rules/audit-context.ts';
import { setTheme } from '../profile/support/own-profile.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { assertSoundAudit } from '../support/audit.ts';
import type { HttpReply } from '../support/call.ts';
import { createToken, insertTestManager } from '../support/factories.ts';
import { insertTestInstaller, setInstallerIcon } from '../support/installers.ts';
import { startInstance, type TestInstance } from '../support/instances.ts';
import { setPermission } from '../support/manager-calls.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { getService, setServiceField } from '../support/services.ts';

const streams = 4;
const rounds = 6;

serviceSuite({ replicas: 2 }, ({ service, replicaFor, manager, onStop }) => {
  /** How often the work of a write began. */
  let runs = 0;
  let counting: TestInstance;
  before(async () => {
    const { databases } = service.dependencies;
    const forTenant: typeof databases.forTenant = (tenant) => ({
      ...databases.forTenant(tenant),
      write: (options, work) =>
        databases.forTenant(tenant).write(options, (db) => {
          runs += 1;
          return work(db);
        }),
    });
    counting = await startInstance(service, { databases: { ...databases, forTenant } });
    onStop(counting.stop);
  });

  /** Appends as logins do, without their passwords. */
  async function besideLogins(work: () => Promise<void>): Promise<void> {
    const over = new AbortController();
    const actor = createOperatorAuditContext('login', () => toMs2000(Date.now()));
    const appendUntilOver = async (at: number): Promise<void> => {
      while (!over.signal.aborted)
        await replicaFor(at).write('sund', (db) =>
          appendAudit(db, actor, { object: 'sund-M1', before: null, after: null }),
        );
    };
    const appending = Promise.all(Array.from({ length: streams }, (_, at) => appendUntilOver(at)));
    try {
      await work();
    } finally {
      over.abort();
      await appending;
    }
  }

  const assertFewRuns = async (name: string, write: (round: number) => Promise<unknown>): Promise<void> =>
    besideLogins(async () => {
      for (let round = 0; round < rounds; round += 1) {
        runs = 0;
        await write(round);
        assert.ok(runs >= 1 && runs <= 2, `${name} began ${runs} times`);
      }
    });

  const assertDone = ({ status, text }: HttpReply): void => assert.ok(status < 300, text);

  test('a write of profile, permissions, service or installer succeeds at its first or second run during logins', async () => {
    const { token } = await createToken(service, { tabs: [], permissions: [], grants: [] });
    const { managerId } = await service.write('sund', (db) => insertTestManager(db, { permissions: ['Bank.Read'] }));
    await service.write('sund', (db) => insertTestInstaller(db, { installerId: 2001 }));
    await assertFewRuns('profile', async (round) => assertDone(await setTheme(counting, 1 + (round % 2), { token })));
    await assertFewRuns('permissions', async (round) =>
      assertDone(
        await setPermission(
          counting,
          managerId,
          { permission: 'Unit.Read', granted: round % 2 === 0, expectedRevision: String(round + 1) },
          manager,
        ),
      ),
    );
    await assertFewRuns('service', async (round) => {
      const { profileRevision: expectedRevision } = (await getService(service, 'Gateway', manager)).json;
      const name = `Gateway ${round}`;
      assertDone(await setServiceField(counting, 'Gateway', 'Name', name, { ...manager, expectedRevision }));
    });
    await assertFewRuns('installer', async (round) =>
      assertDone(
        await setInstallerIcon(counting, 2001, round % 2 === 0 ? 'person_star' : 'person', {
          ...manager,
          expectedRevision: String(round + 1),
        }),
      ),
    );
    await assertSoundAudit(service);
  });

  test('a command that changes a manager succeeds at its first or second run during logins', async () => {
    await service.write('sund', (db) => insertTestManager(db, { userName: 'changed' }));
    await besideLogins(async () => {
      for (let round = 0; round < rounds; round += 1) {
        let changes = 0;
        await changeManager(service.dependencies.databases.forTenant('sund'), {
          tenant: 'sund',
          userName: 'changed',
          command: 'manager deactivate',
          isForced: true,
          change: (current) => {
            changes += 1;
            return { ...current, isActive: !current.isActive };
          },
          deadlineMs: 30_000,
          clock: () => toMs2000(Date.now()),
        });
        assert.ok(changes <= 2, `it began ${changes} times`);
      }
    });
  });
});
