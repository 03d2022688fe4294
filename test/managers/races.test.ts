// Concurrent changes of rights by two replicas of the service and the command line: each decision sees the result of
// the others.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createToken, insertTestManager } from '../support/factories.ts';
import { setActivity, setPermission, setRole } from '../support/manager-calls.ts';
import { countOutcomes, runInParallel } from '../support/replicas.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { ManagerRefusedError } from '../../src/features/manager-administration/commands/change-manager.ts';
import { hasAdministrator } from '../../src/features/manager-administration/queries/administrators.ts';
import { requireWholeTenant } from '../../src/permissions/coverage.ts';
import { createOperatorScope } from '../../src/permissions/scope.ts';

const rounds = 6;

serviceSuite({ now: testNow, manager: false, replicas: 2 }, ({ service, replicaFor }) => {
  type Editor = { token: string; managerId: number };
  let [ada, bo] = [{} as Editor, {} as Editor];
  beforeEach(() => startAnew());
  /** Two managers are active: both administer the tenant. */
  async function startAnew(): Promise<void> {
    await service.write('sund', (db) => db.updateTable('managers').set({ active: 0 }).execute());
    [ada, bo] = [await createToken(service), await createToken(service)];
  }
  const read = (managerId: number) =>
    service.read('sund', async (db) => {
      const { revision, active } = await db
        .selectFrom('managers')
        .select(['revision', 'active'])
        .where('manager_id', '=', managerId)
        .executeTakeFirstOrThrow();
      const entries = await db
        .selectFrom('audit_entries')
        .select('operation')
        .where('object', '=', `sund-M${managerId}`)
        .execute();
      return { revision, active, entries: entries.length };
    });
  /** The numbers of the last entries of these managers: the order in which their changes were committed. */
  const listLastSequences = (...managers: Editor[]): Promise<number[]> =>
    service.read('sund', async (db) => {
      const sequences: number[] = [];
      for (const { managerId } of managers) {
        const { last } = await db
          .selectFrom('audit_entries')
          .select(({ fn }) => fn.max<number>('sequence').as('last'))
          .where('object', '=', `sund-M${managerId}`)
          .executeTakeFirstOrThrow();
        sequences.push(last);
      }
      return sequences;
    });
  const assertAdministered = async () =>
    assert.ok(
      await service.read('sund', (db) => hasAdministrator(db, requireWholeTenant(createOperatorScope('sund')))),
      'nobody is left who can administer the tenant',
    );
  const deactivate = (at: number, { managerId }: Editor, isActive = false): Promise<string> =>
    setActivity(replicaFor(at), managerId, isActive).then(
      () => 'done',
      (error: unknown) => {
        assert.ok(error instanceof ManagerRefusedError, String(error));
        return error.reason;
      },
    );
  const withdraw = (at: number, editor: Editor, { managerId }: Editor, permission: string, expectedRevision = '1') =>
    setPermission(replicaFor(at), managerId, { permission, granted: false, expectedRevision }, editor);

  test('[managers.28] of many edits of one manager with one revision exactly one is done, the others are 409', async () => {
    const { managerId } = await service.write('sund', (db) => insertTestManager(db, { active: false }));
    const replies = await runInParallel(12, (at) =>
      at % 3 === 0
        ? setRole(replicaFor(at), managerId, { role: 'Reader' }, ada)
        : withdraw(at, at % 2 === 0 ? ada : bo, { managerId, token: '' }, 'Unit.Create'),
    );
    assert.deepEqual(countOutcomes(replies), { '200': 1, '409 manager-conflict': 11 });
    assert.deepEqual(await read(managerId), { revision: 2, active: 0, entries: 1 });
  });

  test('[managers.30] of two managers who withdraw each other’s right to administer, one succeeds, and the other has lost the right', async () => {
    for (let round = 0; round < rounds; round += 1) {
      await startAnew();
      const replies = await Promise.all([
        withdraw(round, ada, bo, 'Managers.Write'),
        withdraw(round + 1, bo, ada, 'Managers.Write'),
      ]);
      assert.deepEqual(countOutcomes(replies), { '200': 1, '403 forbidden': 1 });
      assert.equal(replies.find(({ status }) => status === 403)?.json.reason, 'missing-managers-write');
      const both = [await read(ada.managerId), await read(bo.managerId)];
      assert.deepEqual(new Set(both.map(({ revision }) => revision)), new Set([1, 2]));
      await assertAdministered();
    }
  });

  test('[managers.10] two managers never both count as the sole one while one of them is deactivated', async () => {
    for (let round = 0; round < rounds; round += 1) {
      await startAnew();
      const [, ofAda, ofBo] = await Promise.all([
        deactivate(round, ada),
        withdraw(round, ada, ada, 'Service.Create'),
        withdraw(round + 1, bo, bo, 'Service.Create'),
      ]);
      // While both are active neither can; afterwards one has no session, and the other is the only one.
      assert.match(`${ofAda.status} ${ofAda.json.code}`, /^(?:403 own-permissions|401 unauthenticated)$/);
      assert.match(`${ofBo.status} ${ofBo.json.code}`, /^(?:403 own-permissions|200 undefined)$/);
      const [nowAda, nowBo] = [await read(ada.managerId), await read(bo.managerId)];
      assert.deepEqual([nowAda.active, nowAda.revision], [0, 2]);
      assert.equal(nowBo.revision, ofBo.status === 200 ? 2 : 1);
      if (ofBo.status === 200) {
        const [deactivated = 0, edited = 0] = await listLastSequences(ada, bo);
        assert.ok(deactivated < edited, 'Bo was not the only one yet');
      }
      await assertAdministered();
    }
  });

  test('[managers.10] a manager who stops being the sole one, because another is activated, cannot edit their own permissions', async () => {
    for (let round = 0; round < rounds; round += 1) {
      await startAnew();
      assert.equal(await deactivate(0, bo), 'done');
      const [done, ofAda] = await Promise.all([
        deactivate(round, bo, true),
        withdraw(round + 1, ada, ada, 'Service.Create'),
      ]);
      assert.equal(done, 'done');
      assert.match(`${ofAda.status} ${ofAda.json.code}`, /^(?:403 own-permissions|200 undefined)$/);
      assert.equal((await read(ada.managerId)).revision, ofAda.status === 200 ? 2 : 1);
      if (ofAda.status === 200) {
        const [edited = 0, activated = 0] = await listLastSequences(ada, bo);
        assert.ok(edited < activated, 'Ada was no longer the only one');
      }
      const later = await withdraw(round, ada, ada, 'Unit.Create', ofAda.status === 200 ? '2' : '1');
      assert.deepEqual([later.status, later.json.code], [403, 'own-permissions']);
    }
  });

  test('an edit during the deactivation of its editor happens before it or not at all', async () => {
    for (let round = 0; round < rounds; round += 1) {
      await startAnew();
      const { managerId } = await service.write('sund', (db) => insertTestManager(db, { active: false }));
      const [done, edit] = await Promise.all([
        deactivate(round, bo),
        withdraw(round + 1, bo, { managerId, token: '' }, 'Bank.Read'),
      ]);
      assert.equal(done, 'done');
      assert.ok([200, 401].includes(edit.status), edit.text);
      const revision = edit.status === 200 ? 2 : 1;
      assert.deepEqual(await read(managerId), { revision, active: 0, entries: revision - 1 });
      assert.equal((await withdraw(round, bo, { managerId, token: '' }, 'Bank.Write', '2')).status, 401);
    }
  });

  test('[managers.30] of two administrators who are deactivated at once, one remains', async () => {
    for (let round = 0; round < rounds; round += 1) {
      await startAnew();
      const outcomes = await Promise.all([deactivate(round, ada), deactivate(round + 1, bo)]);
      assert.deepEqual(outcomes.toSorted(), ['done', 'last-administrator']);
      await assertAdministered();
    }
  });
});
