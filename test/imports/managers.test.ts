// Imports of managers through HTTP: nobody gives what they do not hold, and somebody who can administer them remains.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { permissions, tabs, type Permission } from '../../src/permissions/matrix.ts';
import { setActivity, getManager, setPermission } from '../support/manager-calls.ts';
import { recordAudit } from '../support/audit.ts';
import { createToken, insertTestBank, insertTestManager } from '../support/factories.ts';
import { applyPlan, csvOf, listRows, planFile, sendFile, undoApplied } from '../support/imports.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { callWithoutStorage } from '../support/without-storage.ts';

const header = ['key', 'userName', 'name', 'email', 'organisation', 'state', 'tabs', 'permissions', 'grants', 'icon'];

serviceSuite({ now: testNow }, ({ service, manager, issueToken }) => {
  before(() => service.write('sund', (db) => insertTestBank(db)));
  type Row = readonly string[];
  let names = 0;
  const nextName = (): string => `person${(names += 1)}@example.org`;
  const rowOf = (key: string, userName: string, rights: Row = ['', '', ''], state = ''): string[] => [
    key,
    userName,
    'Example Person',
    'person@example.org',
    'Example Housing',
    state,
    ...rights,
    '',
  ];
  type Caller = { readonly token: string };
  const plan = (rows: readonly Row[], caller: Caller = manager, query = {}) =>
    planFile(service, csvOf(header, ...rows), { ...caller, kind: 'managers', query });
  const apply = async (rows: readonly Row[], caller: Caller = manager, approval = {}) =>
    applyPlan(service, await plan(rows, caller), caller, approval);
  const errorsOf = async (kid: string, caller: Caller = manager): Promise<string[]> =>
    (await listRows(service, kid, caller)).flatMap(({ key, errors }) =>
      errors.map(({ field, code }: { field: string; code: string }) => `${key} ${field} ${code}`),
    );
  const idOfName = async (userName: string): Promise<number> =>
    service.read('sund', async (db) => {
      const query = db.selectFrom('managers').select('manager_id').where('user_name_key', '=', userName);
      return (await query.executeTakeFirstOrThrow()).manager_id;
    });
  const revisionOf = async (id: number): Promise<string> =>
    (await getManager(service, manager, id)).json.permissionRevision;

  test('[people.05] a new manager has the rights of the row, is disabled, and has a password that nobody knows', async () => {
    const userName = nextName();
    const rights = ['Users2 Dashboard1', 'User.Read,Bank.Read', 'sund-B1001-L1 sund-B1001'];
    const rows = [rowOf('m1', userName, rights)];
    const { result: applied, entries } = await recordAudit(service, () => apply(rows));
    assert.equal(applied.outcomes.applied, 1, JSON.stringify(await listRows(service, applied.kid, manager)));
    const id = await idOfName(userName);
    const { json } = await getManager(service, manager, id);
    assert.deepEqual(
      [json.manager.name, json.manager.active, json.tabs, json.permissions.Bank, json.permissions.User],
      ['Example Person', false, ['Dashboard1', 'Users2'], ['Read'], ['Read']],
    );
    assert.deepEqual(
      json.scopes.map(({ kid }: { kid: string }) => kid),
      ['sund-B1001', 'sund-B1001-L1'],
    );
    const [entry] = entries.filter(({ object }) => object === `sund-M${id}`);
    assert.deepEqual(JSON.parse(entry!.new_values!).permissions, ['Bank.Read', 'User.Read']);
    assert.ok(!entry!.new_values!.includes('person@'));
    for (const password of ['', 'none', userName]) {
      const login = await service.call('POST', '/api/v1/session', { body: { userName, password } });
      assert.notEqual(login.status, 200);
      assert.ok(login.status < 500, login.text);
    }
    assert.equal((await plan(rows)).counts.unchanged, 1);
    // An active manager without a password would count as an administrator, and could not log in.
    const planned = await plan([rows[0]!.with(5, 'active'), rowOf('m2', nextName(), ['', '', ''], 'active')]);
    assert.deepEqual(await errorsOf(planned.kid), ['m1 state no-password', 'm2 state no-password']);
  });

  test('[people.06] nobody gives or takes a Tab or a permission by an import without holding it', async () => {
    const limited = await createToken(service, {
      livesMs: 1e12,
      tabs: ['Managers1', 'Users2'],
      permissions: ['Bank.Read', 'Managers.Read', 'Managers.Write', 'Managers.Create'],
    });
    const { managerId: held } = await service.write('sund', (db) =>
      insertTestManager(db, { tabs: ['Users2'], permissions: ['Bank.Read', 'Service.Read'], grants: [] }),
    );
    const rows = [
      rowOf('g1', nextName(), ['Users2', 'Bank.Read', 'tenant']),
      rowOf('g2', nextName(), ['Users2', 'Service.Write', '']),
      rowOf('g3', nextName(), ['Account2', '', '']),
      // To deactivate somebody is to take all that they have.
      rowOf(`sund-M${held}`, `manager${held}`, ['Users2', 'Bank.Read Service.Read', ''], 'disabled'),
    ];
    const ended = await apply(rows, limited, { allowPartial: true });
    assert.deepEqual([ended.outcomes.applied, ended.outcomes.failed], [1, 3]);
    assert.deepEqual(await errorsOf(ended.kid, limited), [
      'g2 permissions not-held',
      'g3 permissions not-held',
      `sund-M${held} permissions not-held`,
    ]);
    const { json } = await getManager(service, manager, held);
    assert.deepEqual([json.manager.active, json.permissions.Service], [true, ['Read']]);
  });

  test('[people.07] nobody changes their own rights by an import while others can, and the last administrator remains', async () => {
    const planned = await plan([
      [
        `sund-M${manager.managerId}`,
        `manager${manager.managerId}`,
        'Me',
        '',
        '',
        'active',
        'all',
        'Bank.Read',
        'tenant',
        '',
      ],
    ]);
    const { managerId: second } = await service.write('sund', (db) => insertTestManager(db));
    const ended = await applyPlan(service, planned, manager);
    assert.equal(ended.state, 'failed');
    assert.deepEqual(await errorsOf(ended.kid), [`sund-M${manager.managerId} permissions own-permissions`]);
    // Others who have the whole tenant are deactivated: now the manager is the only one.
    const others = await service.read('sund', (db) =>
      db.selectFrom('managers').select('manager_id').where('active', '=', 1).execute(),
    );
    for (const { manager_id } of others)
      if (manager_id !== manager.managerId) await setActivity(service, manager_id, false);
    const sole = await plan([
      [
        `sund-M${manager.managerId}`,
        `manager${manager.managerId}`,
        'Me',
        '',
        '',
        'active',
        'all',
        'Bank.Read',
        'tenant',
        '',
      ],
    ]);
    const refused = await applyPlan(service, sole, manager);
    assert.deepEqual(await errorsOf(refused.kid), [`sund-M${manager.managerId} permissions last-administrator`]);
    const { json } = await getManager(service, manager, manager.managerId);
    assert.equal(json.manager.active, true);
    assert.equal(json.permissions.Managers.length, 3);
    await setActivity(service, second, true);
  });

  test('[people.08] an import changes name, email address, rights and activity; undo restores them, and deletes new managers', async () => {
    const { managerId } = await service.write('sund', (db) =>
      insertTestManager(db, { tabs: ['Users2'], permissions: ['Bank.Read'], grants: [], organisation: 'Before' }),
    );
    await service.write('sund', (db) =>
      db.updateTable('managers').set({ email_verified: 1 }).where('manager_id', '=', managerId).execute(),
    );
    const newName = nextName();
    const rows = [
      rowOf(`sund-M${managerId}`, `manager${managerId}`, ['Users2', 'Bank.Read User.Read', 'sund-B1001'], 'disabled'),
      rowOf('n1', newName, ['Users2', 'Bank.Read', '']),
    ];
    const applied = await apply(rows);
    assert.equal(applied.outcomes.applied, 2, JSON.stringify(await listRows(service, applied.kid, manager)));
    const changed = (await getManager(service, manager, managerId)).json;
    assert.deepEqual(
      [changed.manager.name, changed.manager.active, changed.permissions.User, changed.manager.organisation],
      ['Example Person', false, ['Read'], 'Example Housing'],
    );
    const verified = await service.read('sund', (db) =>
      db.selectFrom('managers').select('email_verified').where('manager_id', '=', managerId).executeTakeFirstOrThrow(),
    );
    assert.equal(verified.email_verified, 0);
    const id = await idOfName(newName);
    const undone = await undoApplied(service, applied, manager);
    assert.deepEqual([undone.outcomes.undone, undone.outcomes.kept], [2, 0], JSON.stringify(undone));
    const restored = (await getManager(service, manager, managerId)).json;
    assert.deepEqual(
      [restored.manager.name, restored.manager.active, restored.permissions.User, restored.scopes],
      [`Manager ${managerId}`, true, [], []],
    );
    assert.equal((await getManager(service, manager, id)).status, 404);
    // The user name is free again, and the id is not given again.
    assert.equal((await apply([rows[1]!])).outcomes.applied, 1);
    assert.ok((await idOfName(newName)) > id);
  });

  test('a manager who was changed since the plan is stale, and since the import is kept', async () => {
    const userName = nextName();
    const applied = await apply([rowOf('s1', userName, ['', 'Bank.Read', ''])]);
    const id = await idOfName(userName);
    const planned = await plan([rowOf('s1', userName, ['', 'User.Read', ''])]);
    const expectedRevision = await revisionOf(id);
    const set = await setPermission(
      service,
      id,
      { permission: 'Bank.Write', granted: true, expectedRevision },
      manager,
    );
    assert.equal(set.status, 200, set.text);
    assert.equal((await applyPlan(service, planned, manager)).outcomes.stale, 1);
    assert.equal((await undoApplied(service, applied, manager)).outcomes.kept, 1);
  });

  test('[people.09] a wrong field, a user name that is taken or another one, and a place that does not exist refuse the row', async () => {
    const taken = `manager${manager.managerId}`;
    const userName = nextName();
    await apply([rowOf('t0', userName)]);
    const twice = nextName();
    const planned = await plan([
      rowOf('t0', nextName()),
      rowOf('t1', taken.toUpperCase()),
      rowOf('t2', twice),
      rowOf('t3', twice.toUpperCase()),
      rowOf('t4', ''),
      rowOf('t5', nextName(), ['Nothing1', '', '']),
      rowOf('t6', nextName(), ['', 'Bank.Fly', '']),
      rowOf('t7', nextName(), ['', '', 'fjord']),
      rowOf('t8', nextName(), ['', '', 'sund-B1001-L77']),
      rowOf('t9', nextName(), ['', '', ''], 'away'),
    ]);
    assert.deepEqual(await errorsOf(planned.kid), [
      't0 userName cannot-change',
      't1 userName taken',
      't3 userName repeated',
      't4 userName required',
      't5 tabs invalid',
      't6 permissions invalid',
      't7 grants invalid',
      't8 grants unknown-reference',
      't9 state invalid',
    ]);
  });

  test('an export of managers is read again as it is, without passwords', async () => {
    const exported = await service.call('GET', '/api/v1/exports/managers?for=programs', manager);
    assert.equal(exported.status, 200, exported.text);
    assert.ok(!/argon2|none/.test(exported.text));
    const again = await planFile(service, exported.text, { ...manager, kind: 'managers' });
    assert.deepEqual([again.counts.create, again.counts.refused], [0, 0], exported.text);
  });

  test('[people.10] an import of managers needs the whole tenant, and the rights to read, change and create them', async () => {
    const file = csvOf(header, rowOf('x', nextName()));
    const narrow = { token: await issueToken({ grants: [{ bankId: 1001, locationId: 0 }] }) };
    const without = (missing: Permission) => permissions.filter((each) => each !== missing);
    const creator = { token: await issueToken({ permissions: without('Managers.Create') }) };
    const other = { token: await issueToken({ tabs: tabs.filter((tab) => tab !== 'Managers1') }) };
    for (const [options, status] of [
      [narrow, 403],
      [creator, 403],
      [other, 403],
      [{}, 401],
    ] as const)
      assert.equal((await sendFile(service, file, { ...options, kind: 'managers' })).status, status);
    const reply = await callWithoutStorage(
      service,
      () => sendFile(service, file, { ...manager, kind: 'managers' }),
      'import_heads',
    );
    assert.equal(reply.status, 503, reply.text);
  });
});
