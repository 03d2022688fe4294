// Every command that writes appends an entry of an operator; a dry run appends none.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, test } from 'node:test';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { postingDraft } from '../support/account-reads.ts';
import { assertSoundAudit, readAuditEntries, recordAudit } from '../support/audit.ts';
import { insertErasableResident, secretsOf } from '../support/erasable-residents.ts';
import { insertTestBank, setTenantSetting } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { serviceSuite } from '../support/service-suite.ts';

const portal = join(import.meta.dirname, '../../bin/portal.mjs');

serviceSuite({ manager: false }, ({ engine, service, storage, onStop }) => {
  const postalFile = join(tmpdir(), `portal-audit-${process.pid}-${engine}.txt`);
  before(async () => {
    onStop(() => rmSync(postalFile, { force: true }));
    writeFileSync(postalFile, 'DK\t2100\tByen\t\t\t\t\t\t\t55\t12\t4\n');
    await service.write('sund', async (db) => {
      await insertTestBank(db);
      await setTenantSetting(db, 'accountingRetentionDays', '1');
      await setTenantSetting(db, 'surveillanceRetentionDays', '1');
      await insertErasableResident(db, { bankId: 1001, residentId: 1001, deletedAt: 1 });
      await lockAndAppendPostings(db, grantBank(1001), [postingDraft(1000)]);
    });
  });

  /** Runs a command in a process of its own, with this standard input. */
  async function run(args: readonly string[], input = ''): Promise<void> {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [portal, ...args], { env: { PATH, PORTAL_STORAGE: storage.storageUrl } });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close'), text(child.stdout)]);
    assert.equal(code, 0, stderr);
  }

  const createManagerArgs =
    'manager create --tenant sund --user-name kari --name Secret --tab Account2 --permission Bank.Read --grant sund-B1001-L1'.split(
      ' ',
    );

  const commands: readonly (readonly [args: readonly string[], entry: object | undefined, input?: string])[] = [
    [
      ['settle', '--tenant', 'sund', '--bank', '1001', '--period', '1', '--through', '2026-01-01T00:00:00Z'],
      {
        chain: 1001,
        operation: 'settle',
        object: 'sund-B1001',
        old_values: '{"openPeriod":1}',
        new_values: '{"openPeriod":2,"throughUtc":"2026-01-01T00:00:00.000Z"}',
      },
    ],
    [['settle', '--tenant', 'sund', '--bank', '1001', '--period', '1'], undefined],
    [['anonymise', '--tenant', 'sund', '--dry-run'], undefined],
    [
      ['anonymise', '--tenant', 'sund'],
      {
        chain: 1001,
        operation: 'anonymise',
        object: 'sund-B1001',
        old_values: null,
        new_values: '{"erasedKids":["sund-B1001-R1001"]}',
      },
    ],
    [['anonymise', '--tenant', 'sund'], undefined],
    [
      ['import', 'postal-codes', postalFile, '--tenant', 'sund'],
      {
        chain: 0,
        operation: 'import postal-codes',
        object: 'sund',
        old_values: null,
        new_values: '{"country":"DK","postalCodes":1}',
      },
    ],
    [
      'computer create --tenant sund --bank 1001 --name laundry-1 --unit sund-B1001-L1-U1'.split(' '),
      {
        chain: 1001,
        operation: 'computer create',
        object: 'sund-B1001-C1',
        old_values: null,
        new_values: JSON.stringify({
          name: 'laundry-1',
          unitKids: ['sund-B1001-L1-U1'],
          enrolmentCode: 'changed',
          enrolmentEnvironment: 'production',
        }),
      },
    ],
    [
      'computer revoke --tenant sund --bank 1001 --name laundry-1'.split(' '),
      {
        chain: 1001,
        operation: 'computer revoke',
        object: 'sund-B1001-C1',
        old_values: '{"revoked":false}',
        new_values: '{"revoked":true}',
      },
    ],
    ['computer revoke --tenant sund --bank 1001 --name laundry-1'.split(' '), undefined],
    [
      createManagerArgs,
      {
        chain: 0,
        operation: 'manager create',
        object: 'sund-M1001',
        old_values: null,
        new_values: JSON.stringify({
          userName: 'changed',
          name: 'changed',
          email: 'changed',
          organisation: 'changed',
          password: 'changed',
          tabs: ['Account2'],
          permissions: ['Bank.Read'],
          scopes: ['sund-B1001-L1'],
          active: true,
        }),
      },
      'a long passphrase of a test\n',
    ],
  ];

  test('a command appends one entry, in its transaction; one that changes nothing appends none', async () => {
    for (const [args, expected, input] of commands) {
      const { entries } = await recordAudit(service, () => run(args, input));
      const shown = entries.map(({ sequence: _sequence, at: _at, link: _link, ...entry }) => entry);
      const ofOperator = { actor_kind: 'operator', actor_id: null, address: null, request_id: null, environment: null };
      assert.deepEqual(shown, expected === undefined ? [] : [{ ...ofOperator, ...expected }], args.join(' '));
    }
    await assertSoundAudit(service);
    const stored = JSON.stringify(await readAuditEntries(service));
    for (const secret of [...Object.values(secretsOf(1001)), 'Secret', 'passphrase'])
      assert.ok(!stored.includes(secret), secret);
  });
});
