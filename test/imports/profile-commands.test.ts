// `profile list`, `get`, `set` and `try`, and an import of managers, as an operator runs them.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, mock, test } from 'node:test';
import { run } from '../../src/commands/program.ts';
import { insertTestBank } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';

const document = {
  name: 'own-list',
  kind: 'residents',
  format: 'csv',
  separator: ';',
  header: true,
  columns: [
    { field: 'key', from: 'Id' },
    { field: 'name', from: 'Name' },
    { field: 'phone', from: 'Phone', phoneRegion: 'DK' },
  ],
};

serviceSuite({}, ({ service, storage }) => {
  const directory = mkdtempSync(join(tmpdir(), 'profiles-'));
  after(() => rmSync(directory, { recursive: true }));
  const write = (name: string, content: string): string => {
    const path = join(directory, name);
    writeFileSync(path, content);
    return path;
  };
  /** Runs the command in this process, which is much faster than a separate one. */
  async function command(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const [stdout, stderr] = [[] as string[], [] as string[]];
    // The test runner writes its events to the same stream, as bytes.
    const writeEvent = process.stdout.write.bind(process.stdout);
    const caught = [
      mock.method(process.stdout, 'write', (chunk: string | Uint8Array) =>
        typeof chunk === 'string' ? stdout.push(chunk) > 0 : writeEvent(chunk),
      ),
      mock.method(process.stderr, 'write', (chunk: string) => stderr.push(chunk) > 0),
    ];
    try {
      await run(['node', 'portal', ...args], { PORTAL_STORAGE: storage.storageUrl });
      return { code: Number(process.exitCode ?? 0), stdout: stdout.join(''), stderr: stderr.join('') };
    } finally {
      process.exitCode = undefined;
      for (const { mock: each } of caught) each.restore();
    }
  }
  const tenant = ['--tenant', 'sund'];

  test('[profiles.07] a profile is stored from a file, listed and printed; a wrong one names every error', async () => {
    const path = write('own.json', JSON.stringify(document));
    assert.deepEqual(await command('profile', 'set', path, ...tenant), {
      code: 0,
      stdout: 'own-list version 1\n',
      stderr: '',
    });
    assert.equal((await command('profile', 'set', path, ...tenant)).stdout, 'own-list version 1\n');
    const listed = (await command('profile', 'list', ...tenant)).stdout.split('\n');
    assert.ok(listed.includes('own-list\tresidents\t1'), listed.join());
    assert.ok(listed.includes('danish-residents\tresidents\tbuilt-in'), listed.join());
    assert.deepEqual(JSON.parse((await command('profile', 'get', 'own-list', ...tenant)).stdout), document);
    assert.equal((await command('profile', 'get', 'nothing', ...tenant)).code, 1);
    const wrong = write('wrong.json', JSON.stringify({ ...document, columns: [{ field: 'colour', from: 'A' }] }));
    const refused = await command('profile', 'set', wrong, ...tenant);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /columns\[0\]\.field is no column of residents/);
    assert.match((await command('profile', 'set', join(directory, 'none.json'), ...tenant)).stderr, /cannot read/);
    assert.match((await command('profile', 'set', write('no.json', '{'), ...tenant)).stderr, /is not JSON/);
    const entries = await service.read('sund', (db) =>
      db.selectFrom('audit_entries').select('operation').where('actor_kind', '=', 'operator').execute(),
    );
    assert.deepEqual(
      entries.map(({ operation }) => operation),
      ['profile set'],
    );
  });

  test('[profiles.07] a profile is tried by its name, or by a file that is not stored', async () => {
    const file = write('list.csv', 'Id;Name;Phone\r\n1;Anna;20123456\r\n');
    const trial = write('trial.json', JSON.stringify({ ...document, name: 'trial' }));
    const tried = await command('profile', 'try', trial, file);
    assert.equal(tried.code, 0, tried.stderr);
    assert.equal(tried.stdout, 'csv, utf-8, ";"\nline 2: key="1" name="Anna" phone="+4520123456"\n');
    await command('profile', 'set', write('own.json', JSON.stringify(document)), ...tenant);
    const named = await command('profile', 'try', 'own-list', file, ...tenant, '--json');
    assert.deepEqual(JSON.parse(named.stdout).rows[0].fields[1], { field: 'name', value: 'Anna' });
    const wrong = await command('profile', 'try', trial, write('wrong.csv', 'Id;Name;Phone\r\n1;Anna;x\r\n'));
    assert.deepEqual([wrong.code, /not-a-phone/.test(wrong.stdout)], [1, true]);
    assert.equal((await command('profile', 'try', 'own-list', file)).code, 2);
    assert.equal((await command('profile', 'try', 'unknown', file, ...tenant)).code, 1);
    assert.match((await command('profile', 'try', trial, join(directory, 'none.csv'))).stderr, /cannot read/);
  });

  test('an operator imports managers with any rights, who are disabled until they have a password', async () => {
    const file = write('managers.csv', 'key;userName;permissions\r\nm1;first@example.org;all\r\n');
    const applied = await command('import', 'managers', file, '--apply', ...tenant);
    assert.equal(applied.code, 0, applied.stdout + applied.stderr);
    const listed = await command('manager', 'list', ...tenant);
    assert.match(listed.stdout, /first@example\.org\tinactive/);
  });

  test('how a bank’s charges are written is printed, set and taken back', async () => {
    await service.write('sund', (db) => insertTestBank(db));
    const bank = ['--bank', '1001', ...tenant];
    const none = { code: 0, stdout: 'sund-B1001: charges are not written\n', stderr: '' };
    assert.deepEqual(await command('charges', ...bank), none);
    const text = (keys: string): string =>
      `sund-B1001: charges are written by the profile charges, with the keys of ${keys}\n`;
    assert.equal((await command('charges', ...bank, '--profile', 'charges')).stdout, text('portal'));
    assert.equal((await command('charges', ...bank, '--keys', 'danish-residents')).stdout, text('danish-residents'));
    assert.equal((await command('charges', ...bank)).stdout, text('danish-residents'));
    for (const [options, expected] of [
      [['--profile', 'danish-residents'], /--profile danish-residents: expected the name of a profile of charges/],
      [['--keys', 'nothing'], /--keys nothing: expected portal, or the name of a profile of residents/],
      [['--none', '--keys', 'portal'], /cannot be used with/],
    ] as const) {
      const refused = await command('charges', ...bank, ...options);
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, expected);
    }
    assert.equal((await command('charges', ...bank)).stdout, text('danish-residents'));
    assert.deepEqual(await command('charges', ...bank, '--none'), none);
    assert.equal((await command('charges', ...bank, '--keys', 'portal')).code, 2);
    assert.match((await command('charges', '--bank', '4711', ...tenant)).stderr, /there is no bank sund-B4711/);
  });
});
