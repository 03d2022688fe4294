// `computer create`, `computer list` and `computer revoke` as an operator runs them.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { enrolmentCodePattern } from '../../src/features/computers/rules/enrolment-code.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { readAuditEntries, recordAudit } from '../support/audit.ts';
import { betaHost, enrol, renewKey, unitKidsOf } from '../support/computers.ts';
import { insertTestBank } from '../support/factories.ts';
import { runPortal } from '../support/portal-process.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, minuteMs } from '../support/times.ts';

serviceSuite({ manager: false }, ({ service, storage, nextBankId }) => {
  let bankId: number;
  before(async () => {
    bankId = nextBankId();
    await service.write('sund', (db) => insertTestBank(db, { bankId }));
  });
  const run = (command: string, ...more: string[]) => {
    const args = ['computer', command, '--tenant', 'sund', '--bank', String(bankId), ...more];
    return runPortal(args, { PORTAL_STORAGE: storage.storageUrl });
  };
  const create = (name: string, units: readonly string[], ...more: string[]) => {
    const kids = unitKidsOf(units, bankId).flatMap((kid) => ['--unit', kid]);
    return run('create', '--name', name, ...kids, ...more);
  };

  test('[computers.15] create prints the KID, the code and until when; the code enrols the computer, and revoke ends its key', async () => {
    const { result: created, entries } = await recordAudit(service, () => create('laundry-1', ['1-1', '1-2']));
    assert.deepEqual([created.code, created.stderr], [0, '']);
    const [kid = '', code = '', expires = ''] = created.stdout.trimEnd().split('\t');
    assert.equal(kid, `sund-B${bankId}-C1`);
    assert.match(code, new RegExp(`^${enrolmentCodePattern}$`));
    const left = Date.parse(expires) - Date.now();
    assert.ok(left > dayMs - 5 * minuteMs && left <= dayMs, expires);
    assert.deepEqual(
      entries.map(({ actor_kind, actor_id, operation, object, new_values }) => [
        [actor_kind, actor_id, operation, object],
        JSON.parse(new_values ?? '') as unknown,
      ]),
      [
        [
          ['operator', null, 'computer create', kid],
          {
            name: 'laundry-1',
            unitKids: unitKidsOf(['1-1', '1-2'], bankId),
            enrolmentCode: 'changed',
            enrolmentEnvironment: 'production',
          },
        ],
      ],
    );
    const enrolled = await enrol(service, code, { software: '2.4.1' });
    assert.equal(enrolled.status, 200, enrolled.text);
    const listed = await run('list');
    assert.deepEqual([listed.code, listed.stderr], [0, '']);
    const [shown, name, state, units, software, contact = '', ...counts] = listed.stdout.trimEnd().split('\t');
    assert.deepEqual(
      [shown, name, state, units, software, counts],
      [kid, 'laundry-1', 'enrolled', '2', '2.4.1', ['0', '0']],
    );
    assert.ok(toMs2000(Date.parse(contact)) > 0);
    const revoked = await recordAudit(service, () => run('revoke', '--name', 'laundry-1'));
    assert.deepEqual([revoked.result.code, revoked.result.stdout], [0, `${kid}: revoked\n`]);
    assert.deepEqual(
      revoked.entries.map(({ actor_kind, operation, object }) => [actor_kind, operation, object]),
      [['operator', 'computer revoke', kid]],
    );
    assert.equal((await renewKey(service, enrolled.json.key)).status, 401);
    const again = await recordAudit(service, () => run('revoke', '--name', 'laundry-1'));
    assert.deepEqual(
      [again.result.code, again.result.stdout, again.entries],
      [0, `${kid}: was revoked already; nothing was changed\n`, []],
    );
    assert.match((await run('list')).stdout, /\trevoked\t/);
    assert.ok(!JSON.stringify(await readAuditEntries(service)).includes(code));
  });

  test('[computers.02] a code of beta enrols there alone', async () => {
    const { stdout, stderr } = await create('beta-1', ['2-1'], '--environment', 'beta');
    const [, code] = stdout.trimEnd().split('\t');
    assert.equal((await enrol(service, code)).status, 403, stderr);
    assert.equal((await enrol(service, code, { host: betaHost })).status, 200);
  });

  test('a wrong option is one line and exit code 2, and a refusal one line and exit code 1', async () => {
    assert.equal((await create('taken', ['1-1'])).code, 0);
    assert.equal((await create('without units', [])).code, 0);
    const bank = ['--bank', String(bankId)];
    const unit = ['--unit', `sund-B${bankId}-L1-U1`];
    const wrong: [args: string[], code: number, expected: RegExp][] = [
      [['create', ...bank, '--name', 'x', ...unit], 2, /--tenant/],
      [['create', '--tenant', 'sund', '--name', 'x', ...unit], 2, /--bank/],
      [['create', '--tenant', 'sund', ...bank, ...unit], 2, /--name/],
      [['create', '--tenant', 'nowhere', ...bank, '--name', 'x', ...unit], 2, /unknown tenant nowhere/],
      [['create', '--tenant', 'sund', '--bank', 'x', '--name', 'x', ...unit], 2, /--bank x/],
      [['create', '--tenant', 'sund', '--bank', '1999', '--name', 'x', ...unit], 2, /there is no bank sund-B1999/],
      [['create', '--tenant', 'sund', ...bank, '--name', ' ', ...unit], 2, /--name must not be empty/],
      [['create', '--tenant', 'sund', ...bank, '--name', 'x'.repeat(65), ...unit], 2, /--name.*64/],
      [['create', '--tenant', 'sund', ...bank, '--name', 'x', '--unit', 'x'], 2, /--unit x/],
      [
        ['create', '--tenant', 'sund', ...bank, '--name', 'x', ...unit, '--unit', 'sund-B1-L1-U1'],
        2,
        /sund-B1-L1-U1: must be/,
      ],
      [['create', '--tenant', 'sund', ...bank, '--name', 'x', ...unit, '--environment', 'test'], 2, /beta/],
      [
        ['create', '--tenant', 'sund', ...bank, '--name', 'taken', '--unit', `sund-B${bankId}-L1-U2`],
        1,
        /--name taken/,
      ],
      [['create', '--tenant', 'sund', ...bank, '--name', 'x', ...unit], 1, /L1-U1 is connected through taken/],
      [['list', '--tenant', 'sund', '--bank', '1999'], 2, /there is no bank sund-B1999/],
      [['revoke', '--tenant', 'sund', ...bank, '--name', 'nobody'], 2, /has no computer of this name/],
    ];
    for (const [args, code, expected] of wrong) {
      const result = await runPortal(['computer', ...args], { PORTAL_STORAGE: storage.storageUrl });
      assert.deepEqual([result.code, result.stdout], [code, ''], args.join(' '));
      assert.match(result.stderr, expected, args.join(' '));
      assert.match(result.stderr, /^error: [^\n]*\n$/, args.join(' '));
    }
    for (const command of ['create', 'list', 'revoke']) {
      const help = await runPortal(['computer', command, '--help']);
      assert.deepEqual([help.code, help.stderr], [0, '']);
      assert.match(help.stdout, /--bank <bank>/);
    }
  });
});
