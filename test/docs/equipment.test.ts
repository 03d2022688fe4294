// The client in Python of docs/equipment.md, run against a service as a reader of the page would run it: it enrols, sends a
// use that appears in the account, and confirms a changed setting. Without an answer, it sends again and nothing is doubled.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { createComputer } from '../support/computers.ts';
import { insertTestBank, insertTestResident, setTenantSetting } from '../support/factories.ts';
import { findProgram, reasonWithout } from '../support/programs.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { settingPath } from '../support/unit-settings.ts';

const docs = join(import.meta.dirname, '../../docs');
const client = readFileSync(join(docs, 'equipment-client.py'), 'utf8');

test('the page shows the client as it is tested', () => {
  const page = readFileSync(join(docs, 'equipment.md'), 'utf8');
  const [, shown] = /```python\n("""A computer.*?)```/s.exec(page) ?? [];
  assert.equal(shown, client);
});

serviceSuite({}, ({ service, manager }) => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-python-'));
  const unit = 'sund-B1001-L1-U1';
  before(async () => {
    copyFileSync(join(docs, 'equipment-client.py'), join(folder, 'computer.py'));
    await service.write('sund', async (db) => {
      await insertTestBank(db);
      await setTenantSetting(db, 'accountingRetentionDays', '400');
      await insertTestResident(db, 1042);
      const key = { key_number: '04A21B33', kind: 'Tag', added_at: 0, held_number: '04A21B33' };
      await db
        .insertInto('resident_keys')
        .values({ bank_id: 1001, resident_id: 1042, ...key })
        .execute();
    });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs lines of Python that know `computer`, and returns what they print. */
  async function runPython(...lines: string[]): Promise<string> {
    const address = `http://127.0.0.1:${service.port}`;
    const program = [
      'from computer import Computer',
      `computer = Computer("${address}", "computer.sqlite", host="api.sund.localhost")`,
      ...lines,
    ].join('\n');
    const { stdout } = await promisify(execFile)(findProgram('python3') ?? '', ['-c', program], { cwd: folder });
    return stdout;
  }

  const skip = reasonWithout('python3');

  test('it enrols, and a use of a machine is in the account once, however often it was sent', { skip }, async () => {
    const created = await createComputer(service, { name: 'Cellar', units: ['1-1'], ...manager });
    assert.equal(created.status, 201, created.text);
    const use = `t="use", unit="${unit}", key="04A21B33", amountMinor="-1500", currency="DKK", text="60°", ref="A-1"`;
    const printed = await runPython(
      `computer.enrol("${created.json.enrolmentCode}", serial="GW-1")`,
      `computer.record("money", ${use})`,
      'lines = computer.db.execute("select * from lines").fetchall()',
      'print(computer.send("money"))',
      // As if the answer had been lost.
      'computer.db.executemany("insert into lines values (?, ?, ?)", lines)',
      'print(computer.send("money"))',
    );
    assert.equal(printed, 'True\nTrue\n');
    const account = await service.call('GET', '/api/v1/banks/sund-B1001/account?Period=0', manager);
    assert.equal(account.json.items.length, 1, account.text);
    assert.partialDeepStrictEqual(account.json.items[0], { userKid: 'sund-B1001-R1042', amountMinor: -1500 });
  });

  test('a changed setting is acknowledged after the device has applied it', { skip }, async () => {
    const kid = { bankId: 1001, locationId: 1, unitId: 1 };
    await runPython('computer.follow(lambda change: None, wait=0)', 'computer.send("samples")');
    const body = { value: 40, expectedRevision: '0' };
    const written = await service.call('PUT', settingPath(kid, 'MaxTemperature'), { ...manager, body });
    assert.equal(written.status, 200, written.text);
    const read = async (): Promise<unknown> => {
      const { json } = await service.call('GET', `/api/v1/units/${unit}/groups/Operation`, manager);
      return json.values.find(({ name }: { name: string }) => name === 'MaxTemperature');
    };
    const applied = await runPython(
      'computer.follow(lambda change: print(change["kind"], change["name"], change["value"]), wait=0)',
      'print(computer.send("samples"))',
    );
    assert.equal(applied, 'setting MaxTemperature 40\nTrue\n');
    assert.partialDeepStrictEqual(await read(), { value: 40, synced: true });
  });
});
