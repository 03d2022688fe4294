// `manager create` as an operator runs it: in a process of its own, with the password on standard input.

import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { insertTestManager } from '../support/factories.ts';
import { createStorage, startService, type TestService, type TestStorage } from '../support/service.ts';
import { run } from '../../src/commands/program.ts';
import { takeLocks } from '../../src/database/locks.ts';
import { managerRightsLock } from '../../src/features/managers/queries/rights-lock.ts';
import { serviceSuite } from '../support/service-suite.ts';

const portal = join(import.meta.dirname, '../../bin/portal.mjs');
const password = 'a good long password';

type ProcessResult = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Runs the command with these arguments and this standard input. */
async function runCreateManager(
  storage: string,
  args: readonly string[],
  input = `${password}\n`,
): Promise<ProcessResult> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [portal, 'manager', 'create', ...args], {
    env: { PATH, PORTAL_STORAGE: storage },
    timeout: 60_000,
  });
  // A command that refuses its arguments need not read its standard input.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: Number(code), stdout, stderr };
}

const userNameArgs = (userName: string, ...more: string[]): string[] => [
  '--tenant',
  'sund',
  '--user-name',
  userName,
  ...more,
];

const logIn = ({ call }: TestService, userName: string, given = password) =>
  call('POST', '/api/v1/session/login', { body: { userName, password: given } });

const userNames = ({ dependencies }: TestService) =>
  dependencies.databases
    .forTenant('sund')
    .read({ deadlineMs: 5000 }, (db) => db.selectFrom('managers').select('user_name').execute());

/** Runs the command in this process, for arguments that it refuses before it reads anything. */
async function runInProcess(storage: string, args: readonly string[]): Promise<Omit<ProcessResult, 'stdout'>> {
  let stderr = '';
  const { mock: caught } = mock.method(process.stderr, 'write', (chunk: string) => {
    stderr += chunk;
    return true;
  });
  try {
    await run(['node', 'portal', 'manager', 'create', ...args], { PORTAL_STORAGE: storage });
    return { code: Number(process.exitCode ?? 0), stderr };
  } finally {
    process.exitCode = undefined;
    caught.restore();
  }
}

/** Every one of these is wrong, for the reason that its line must name. */
const wrongArguments: readonly (readonly [args: string[], expected: RegExp])[] = [
  [['--user-name', 'x'], /--tenant/],
  [['--tenant', 'sund'], /--user-name/],
  [['--tenant', 'nowhere', '--user-name', 'x'], /unknown tenant nowhere.*sund/],
  [userNameArgs(' '), /--user-name/],
  [userNameArgs('x'.repeat(129)), /--user-name.*128/],
  // One character that is written out with eighteen.
  [userNameArgs('\uFDFA'.repeat(8)), /--user-name/],
  [userNameArgs('two\nlines'), /--user-name/],
  [userNameArgs('x', '--name', 'x'.repeat(201)), /--name.*200/],
  [userNameArgs('x', '--email', 'x'.repeat(255)), /--email.*254/],
  [userNameArgs('x', '--organisation', 'x'.repeat(201)), /--organisation.*200/],
  [userNameArgs('x', '--tab', 'account2'), /--tab account2.*Account2/],
  [userNameArgs('x', '--permission', 'Bank.Delete'), /--permission Bank\.Delete.*Bank\.Read/],
  [userNameArgs('x', '--grant', 'everything'), /--grant everything/],
  [userNameArgs('x', '--grant', 'fjord'), /--grant fjord/],
  [userNameArgs('x', '--grant', 'sund-B1001-L1-U1'), /--grant sund-B1001-L1-U1/],
  [userNameArgs('x', '--grant', 'sund-B01001'), /--grant sund-B01001/],
  [userNameArgs('x', '--tabs', 'all'), /unknown option '--tabs'/],
  [userNameArgs('x', '--tab'), /--tab.*argument missing/],
  [userNameArgs('x', 'more'), /too many arguments/],
];

const wrongPasswords: readonly (readonly [input: string, expected: RegExp])[] = [
  ['short\n', /password.*8 to 128/],
  ['🍰🍰🍰🍰🍰🍰🍰\n', /password.*8 to 128/],
  [`${'x'.repeat(129)}\n`, /password.*8 to 128/],
  // Fourteen code points, and seven when composed.
  [`${'a\u030A'.repeat(7)}\n`, /password.*8 to 128/],
  ['', /password.*8 to 128/],
  ['demo-Password-1\n', /demo password/],
  ['PassWord1\n', /password.*common password/],
  ['Sund-portal 2026\n', /password.*words of the service/],
];

serviceSuite({ manager: false }, ({ engine, service, storage }) => {
  const login = (userName: string, given?: string) => logIn(service, userName, given);

  test("it prints the new manager's KID, and the manager logs in with the rights given", async () => {
    const tabs = ['--tab', 'Users2', '--tab', 'Account2', '--tab', 'Users2'];
    const grants = ['--grant', 'sund-B1001-L1', '--grant', 'sund-B1001-L1'];
    const rights = [...tabs, ...grants, '--permission', 'Bank.Read'];
    const person = ['--name', 'Åse Bjørn', '--email', 'aase@example.org', '--organisation', 'Vask & Co'];
    const { code, stdout, stderr } = await runCreateManager(
      storage.storageUrl,
      userNameArgs(' Åse ', ...person, ...rights),
    );
    assert.deepEqual(
      [code, stderr],
      [0, 'warning: sund-B1001-L1 does not exist: the grant gives access once it does\n'],
    );
    assert.match(stdout, /^sund-M[1-9]\d{3,}\n$/);
    const { status, json } = await login('ÅSE');
    assert.equal(status, 200);
    const { manager } = json;
    assert.equal(manager.kid, stdout.trim());
    assert.deepEqual(
      [manager.name, manager.email, manager.organisation],
      ['Åse Bjørn', 'aase@example.org', 'Vask & Co'],
    );
    assert.deepEqual(manager.tabs, ['Account2', 'Users2']);
    assert.deepEqual(Object.values(manager.permissions).flat(), ['Read']);
    assert.deepEqual([manager.permissions.Bank, manager.access.tenantWide], [['Read'], false]);
    assert.equal((await login('åse', 'another long password')).status, 401);
  });

  test("all means every Tab and permission, and the tenant's own KID the whole tenant", async () => {
    const { code } = await runCreateManager(
      storage.storageUrl,
      userNameArgs('everything', '--tab', 'all', '--permission', 'all', '--grant', 'sund'),
    );
    assert.equal(code, 0);
    const { manager } = (await login('everything')).json;
    assert.equal(manager.tabs.length, 15);
    assert.deepEqual(Object.values(manager.permissions).flat().length, 21);
    assert.equal(manager.access.tenantWide, true);
    assert.equal(manager.name, 'everything');
  });

  test('a user name that is taken, however it is spelled, is one line and exit 1', async () => {
    assert.equal((await runCreateManager(storage.storageUrl, userNameArgs('taken'))).code, 0);
    const second = await runCreateManager(storage.storageUrl, userNameArgs('Ｔaken'), 'some other password\n');
    assert.deepEqual(second, { code: 1, stdout: '', stderr: 'error: the user name Ｔaken is taken\n' });
    assert.equal((await login('taken')).status, 200, 'and the first manager is as before');
  });

  test('managers created at once all exist, each with its own KID', async () => {
    const all = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => runCreateManager(storage.storageUrl, userNameArgs(`many-${name}`))),
    );
    assert.deepEqual(
      all.map(({ code, stderr }) => [code, stderr]),
      all.map(() => [0, '']),
    );
    assert.equal(new Set(all.map(({ stdout }) => stdout)).size, all.length);
  });

  test('of managers created at once with one name, only one is created', async () => {
    const all = await Promise.all(
      Array.from({ length: 3 }, () => runCreateManager(storage.storageUrl, userNameArgs('only-one'))),
    );
    assert.deepEqual(
      all.map(({ code }) => code).toSorted((a, b) => a - b),
      [0, 1, 1],
    );
    for (const { code, stderr } of all)
      if (code === 1) assert.equal(stderr, 'error: the user name only-one is taken\n');
    assert.equal((await login('only-one')).status, 200);
  });

  test('a database that does not exist yet is one line and exit 1', async () => {
    const empty = await createStorage(engine);
    try {
      const { code, stdout, stderr } = await runCreateManager(empty.storageUrl, userNameArgs('early'));
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^error: [^\n]*migrate[^\n]*\n$/);
    } finally {
      await empty.release();
    }
  });

  if (engine === 'mariadb') {
    test('an id that another process takes meanwhile is not reported as a taken user name', async () => {
      let created: Promise<ProcessResult> | undefined;
      await service.write('sund', async (db) => {
        await takeLocks(db, [managerRightsLock()]);
        await insertTestManager(db, { userName: 'rival' });
        created = runCreateManager(storage.storageUrl, userNameArgs('unlucky'));
        // Until the command waits for this very transaction to end.
        while (!(await isWaiting(service))) await setImmediate();
      });
      const { code, stdout, stderr } = (await created) ?? {};
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout ?? '', /^sund-M/);
    });
  }
});

/** Whether any connection is at this moment waiting to change managers. */
function isWaiting({ dependencies }: TestService): Promise<boolean> {
  return dependencies.databases.forTenant('sund').read({ deadlineMs: 5000 }, async (db) => {
    const query = sql`select 1 from information_schema.processlist where db = database() and info like ${'update `manager_heads`%'}`;
    return (await query.execute(db)).rows.length > 0;
  });
}

describe('what does not depend on the engine', () => {
  let storage: TestStorage;
  let service: TestService;
  before(async () => {
    storage = await createStorage('sqlite');
    service = await startService('sqlite', { storage });
  });
  after(async () => {
    await service.stop();
    await storage.release();
  });

  test('a wrong flag or value is named in one line, exit 2, and nobody is created', async () => {
    for (const [args, expected] of wrongArguments) {
      const { code, stderr } = await runInProcess(storage.storageUrl, args);
      assert.equal(code, 2, `${args.join(' ')}: ${stderr}`);
      assert.match(stderr, /^error: [^\n]+\n$/, args.join(' '));
      assert.match(stderr, expected);
    }
    assert.deepEqual(await userNames(service), []);
  });

  test('an unacceptable password is one line, exit 2, and nobody is created', async () => {
    const all = wrongPasswords.map(([input, expected]) =>
      runCreateManager(storage.storageUrl, userNameArgs('x'), input).then((ended) => ({ ...ended, expected })),
    );
    for (const { code, stdout, stderr, expected } of await Promise.all(all)) {
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, expected);
      assert.match(stderr, /^error: [^\n]+\n$/);
    }
    assert.deepEqual(await userNames(service), []);
  });

  test('the password is the first line, of any length', async () => {
    const all = [
      ['crlf', ' spaces count \r\nanother line\r\n', ' spaces count '],
      ['cakes', '🍰'.repeat(8), '🍰'.repeat(8)],
      ['long', `${'ø'.repeat(128)}\n`, 'ø'.repeat(128)],
      ['composed', `${'a\u030A'.repeat(128)}\n`, 'å'.repeat(128)],
    ] as const;
    const ended = await Promise.all(
      all.map(([userName, input]) => runCreateManager(storage.storageUrl, userNameArgs(userName), input)),
    );
    for (const [at, [userName, , expected]] of all.entries()) {
      assert.deepEqual([ended[at]?.code, ended[at]?.stderr], [0, ''], userName);
      assert.equal((await logIn(service, userName, expected)).status, 200, userName);
    }
  });
});
