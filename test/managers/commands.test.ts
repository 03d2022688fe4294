// `manager list`, `activate`, `deactivate`, `reset-password` and `grant`, as an operator runs them.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { mock, test } from 'node:test';
import { createToken, insertTestBank, insertTestManager, type ManagerOptions } from '../support/factories.ts';
import { readTerminal } from '../support/portal-process.ts';
import { reasonWithout } from '../support/programs.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { readTableRows } from '../support/table-rows.ts';
import { readManagerRights } from '../../src/features/managers/queries/manager-rights.ts';
import { listPermissions } from '../../src/permissions/matrix.ts';
import { run } from '../../src/commands/program.ts';

const tables = ['managers', 'manager_tabs', 'manager_permissions', 'manager_grants', 'audit_entries'] as const;

serviceSuite({ manager: false }, ({ service, storage }) => {
  /** Runs the command in this process, which is much faster than a separate one. */
  async function command(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const [stdout, stderr] = [[] as string[], [] as string[]];
    const caught = [
      mock.method(process.stdout, 'write', (chunk: string) => stdout.push(chunk) > 0),
      mock.method(process.stderr, 'write', (chunk: string) => stderr.push(chunk) > 0),
    ];
    try {
      await run(['node', 'portal', 'manager', ...args], { PORTAL_STORAGE: storage.storageUrl });
      return { code: Number(process.exitCode ?? 0), stdout: stdout.join(''), stderr: stderr.join('') };
    } finally {
      process.exitCode = undefined;
      for (const { mock: each } of caught) each.restore();
    }
  }
  async function runWithInput(args: readonly string[], input: string) {
    const portal = join(import.meta.dirname, '../../bin/portal.mjs');
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [portal, 'manager', ...args], {
      env: { PATH, PORTAL_STORAGE: storage.storageUrl },
    });
    child.stdin.end(input);
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: Number(code), stdout, stderr };
  }
  const change = (name: string, managerId: number, ...more: string[]) =>
    command(name, '--tenant', 'sund', '--user-name', `MANAGER${managerId}`, ...more);
  const insert = async (options: ManagerOptions = {}): Promise<number> =>
    (await service.write('sund', (db) => insertTestManager(db, options))).managerId;
  const readRows = () => service.read('sund', (db) => readTableRows(db, tables));
  /** Of a write, which looks at what is stored: the service hears of a change by a command within sixty seconds. */
  const statusOf = async (token: string): Promise<number> => {
    const { status } = await service.call('PUT', '/api/v1/managers/sund-M999999/permission-role', {
      token,
      body: { role: 'None', expectedRevision: '1' },
    });
    return status;
  };
  const lastEntry = (managerId: number) =>
    service.read('sund', async (db) => {
      const { actor_kind, actor_id, operation, old_values, new_values } = await db
        .selectFrom('audit_entries')
        .selectAll()
        .where('object', '=', `sund-M${managerId}`)
        .orderBy('sequence', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow();
      const parse = (json: string | null): unknown => JSON.parse(json ?? 'null');
      return { actor: [actor_kind, actor_id], operation, before: parse(old_values), after: parse(new_values) };
    });

  test(
    'manager list has headings and columns at a terminal, and tabs for programs',
    { skip: reasonWithout('python3') },
    async () => {
      await insert({ name: 'Somebody Else' });
      const settings = { PORTAL_STORAGE: storage.storageUrl };
      const shown = await readTerminal(['manager', 'list', '--tenant', 'sund'], settings, /Somebody Else\r\n/);
      assert.match(shown, /^KID +USER NAME +STATE +GRANTS +ROLE +LAST SEEN +NAME\n/);
      const [heading = '', row = ''] = shown.split('\n');
      assert.equal(
        heading.indexOf('NAME', heading.indexOf('LAST SEEN')),
        row.indexOf(row.split('  ').at(-1)?.trim() ?? ''),
      );
      assert.doesNotMatch(shown, /\t/);
      const { stdout } = await command('list', '--tenant', 'sund');
      assert.match(stdout, /\tSomebody Else\n/);
      assert.doesNotMatch(stdout, /USER NAME/);
    },
  );

  test('list prints a line for each manager, with the manager’s rights', async () => {
    const seen = await createToken(service, { userName: 'list-a', name: 'Anna', permissions: [], grants: [] });
    const quiet = await insert({ userName: 'list-b', name: 'Bo\tLund', active: false });
    const { code, stdout } = await command('list', '--tenant', 'sund');
    assert.equal(code, 0);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    const lineOf = (managerId: number) => lines.find(([kid]) => kid === `sund-M${managerId}`);
    const [, , , , , at = ''] = lineOf(seen.managerId) ?? [];
    assert.match(at, /^\d{4}-\d\d-\d\dT.*Z$/);
    assert.deepEqual(lineOf(seen.managerId), [
      `sund-M${seen.managerId}`,
      'list-a',
      'active',
      'limited',
      'None',
      at,
      'Anna',
    ]);
    assert.deepEqual(lineOf(quiet), [
      `sund-M${quiet}`,
      'list-b',
      'inactive',
      'tenant-wide',
      'Administrator',
      'never',
      'Bo Lund',
    ]);
    const inactive = await command('list', '--tenant', 'sund', '--state', 'inactive');
    assert.ok(inactive.stdout.includes('list-b') && !inactive.stdout.includes('list-a'));
  });

  test('deactivate ends all sessions, and activate restores none of them', async () => {
    await insert();
    const { token, managerId } = await createToken(service);
    assert.equal(await statusOf(token), 404);
    const done = await change('deactivate', managerId);
    assert.deepEqual(done, { code: 0, stdout: `sund-M${managerId}: inactive\n`, stderr: '' });
    assert.equal(await statusOf(token), 401);
    assert.deepEqual(await lastEntry(managerId), {
      actor: ['operator', null],
      operation: 'manager deactivate',
      before: { active: true },
      after: { active: false },
    });
    const rows = await readRows();
    assert.match((await change('deactivate', managerId)).stdout, /inactive already; nothing was changed/);
    assert.deepEqual(await readRows(), rows);
    assert.equal((await change('activate', managerId)).stdout, `sund-M${managerId}: active\n`);
    assert.equal(await statusOf(token), 401);
    assert.equal((await lastEntry(managerId)).operation, 'manager activate');
  });

  test('grant adds and removes Tabs, permissions and grants together', async () => {
    const managerId = await insert({
      tabs: ['Account2', 'Users2'],
      permissions: ['Bank.Read', 'Unit.Read'],
      grants: [{ bankId: 1001, locationId: 2 }],
    });
    const args = [
      '--tab',
      'Managers1',
      '--remove-tab',
      'Users2',
      '--permission',
      'User.Read',
      '--remove-permission',
      'all',
    ];
    const { code, stderr } = await change(
      'grant',
      managerId,
      ...args,
      '--grant',
      'sund',
      '--remove-grant',
      'sund-B1001-L2',
    );
    assert.deepEqual([code, stderr], [0, '']);
    const rights = await service.read('sund', (db) => readManagerRights(db, managerId));
    assert.deepEqual([...rights.tabs].toSorted(), ['Account2', 'Managers1']);
    assert.deepEqual(listPermissions(rights.permissions), ['User.Read']);
    assert.deepEqual([rights.grants.tenantWide, rights.grants.locations.size], [true, 0]);
    assert.deepEqual(await lastEntry(managerId), {
      actor: ['operator', null],
      operation: 'manager grant',
      before: { tabs: ['Account2', 'Users2'], permissions: ['Bank.Read', 'Unit.Read'], scopes: ['sund-B1001-L2'] },
      after: { tabs: ['Account2', 'Managers1'], permissions: ['User.Read'], scopes: ['sund'] },
    });
    const rows = await readRows();
    assert.match((await change('grant', managerId, '--grant', 'sund')).stdout, /already; nothing was changed/);
    assert.deepEqual(await readRows(), rows);
  });

  test('grant warns of a bank or a location that does not exist', async () => {
    const managerId = await insert({ grants: [] });
    await service.write('sund', (db) => insertTestBank(db, { bankId: 1003, places: { 1: [] } }));
    const kids = ['sund-B1003', 'sund-B1003-L1', 'sund-B1003-L2', 'sund-B1004', 'sund-B1004-L1'];
    const { code, stderr } = await change('grant', managerId, ...kids.flatMap((kid) => ['--grant', kid]));
    const warnings = ['sund-B1004', 'sund-B1003-L2', 'sund-B1004-L1'].map(
      (kid) => `warning: ${kid} does not exist: the grant gives access once it does\n`,
    );
    assert.deepEqual([code, stderr], [0, warnings.join('')]);
  });

  test('[managers.30] the last administrator is deactivated, or loses rights, only with --force', async () => {
    await service.write('sund', (db) => db.updateTable('managers').set({ active: 0 }).execute());
    const managerId = await insert();
    await insert({ permissions: ['Managers.Read'] });
    const rows = await readRows();
    for (const args of [
      ['deactivate'],
      ['grant', '--remove-tab', 'Managers1'],
      ['grant', '--remove-permission', 'Managers.Write'],
      ['grant', '--remove-permission', 'Managers.Read'],
      ['grant', '--remove-grant', 'sund', '--grant', 'sund-B1001'],
    ]) {
      const [name = '', ...more] = args;
      const { code, stderr } = await change(name, managerId, ...more);
      assert.equal(code, 1, args.join(' '));
      assert.match(stderr, /^error: .*the last who can administer .*--force[^\n]*\n$/);
    }
    assert.deepEqual(await readRows(), rows);
    assert.equal((await change('grant', managerId, '--remove-permission', 'Bank.Read')).code, 0);
    assert.equal((await change('deactivate', managerId, '--force')).code, 0);
    // A tenant without an administrator can get one.
    assert.equal((await change('grant', managerId, '--remove-tab', 'Users2')).code, 0);
    assert.equal((await change('activate', managerId)).code, 0);
  });

  test('reset-password sets a password and ends all sessions', async () => {
    const { token, managerId } = await createToken(service);
    const args = ['reset-password', '--tenant', 'sund', '--user-name', `manager${managerId}`];
    assert.deepEqual(await runWithInput(args, 'a new long passphrase\n'), {
      code: 0,
      stdout: `sund-M${managerId}: has a new password\n`,
      stderr: '',
    });
    assert.equal(await statusOf(token), 401);
    const body = { userName: `manager${managerId}`, password: 'a new long passphrase' };
    assert.equal((await service.call('POST', '/api/v1/session/login', { body })).status, 200);
    const entry = await service.read('sund', (db) =>
      db.selectFrom('audit_entries').selectAll().where('operation', '=', 'manager reset-password').execute(),
    );
    assert.deepEqual(
      entry.map(({ actor_kind, old_values, new_values }) => [actor_kind, old_values, new_values]),
      [['operator', '{"password":"changed"}', '{"password":"changed"}']],
    );
  });

  test('reset-password refuses a password derived from the email address, as ChangeMyManagerPassword does', async () => {
    const managerId = await insert({ email: 'anna.lund@elm.example' });
    const args = ['reset-password', '--tenant', 'sund', '--user-name', `manager${managerId}`];
    const { code, stderr } = await runWithInput(args, 'AnnaLund2026!\n');
    assert.equal(code, 2);
    assert.match(stderr, /^error: the password on standard input must not consist only of [^\n]+\n$/);
  });

  test('a fault is named in one line, and nothing changes', async () => {
    const managerId = await insert();
    const rows = await readRows();
    for (const [args, code, expected] of [
      [['deactivate', '--tenant', 'sund'], 2, /--user-name/],
      [['deactivate', '--user-name', 'x'], 2, /--tenant/],
      [['deactivate', '--tenant', 'nowhere', '--user-name', 'x'], 2, /unknown tenant nowhere/],
      [['deactivate', '--tenant', 'sund', '--user-name', 'nobody'], 2, /--user-name nobody: there is no such manager/],
      [['activate', '--tenant', 'sund', '--user-name', `manager${managerId}`, '--force'], 2, /unknown option/],
      [['grant', '--tenant', 'sund', '--user-name', `manager${managerId}`], 2, /at least one/],
      [['grant', '--tenant', 'sund', '--user-name', `manager${managerId}`, '--remove-tab', 'x'], 2, /--remove-tab x/],
      [['grant', '--tenant', 'sund', '--user-name', `manager${managerId}`, '--permission', 'x'], 2, /--permission x/],
      [
        ['grant', '--tenant', 'sund', '--user-name', `manager${managerId}`, '--remove-grant', 'fjord'],
        2,
        /--remove-grant fjord/,
      ],
      [['list', '--tenant', 'sund', '--state', 'gone'], 2, /--state/],
    ] as const) {
      const ended = await command(...args);
      assert.equal(ended.code, code, `${args.join(' ')}: ${ended.stderr}`);
      assert.match(ended.stderr, /^error: [^\n]+\n$/);
      assert.match(ended.stderr, expected);
    }
    assert.deepEqual(await readRows(), rows);
  });
});
