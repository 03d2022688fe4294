// GetBankUserActivation and RenewActivation: which code is valid, and for how long.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUser, executeUserCommand, getActivation, getWorkspace } from '../support/resident-calls.ts';
import { createBankOfResidents, readHistory, residentTables } from '../support/resident-rows.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { readTableRows } from '../support/table-rows.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';

const settings = { PORTAL_ACTIVATION_URL: 'https://welcome.example/{tenant}/{domain}?code={code}' };

serviceSuite({ now: testNow, settings, manager: { retentionDays: 30 } }, (suite) => {
  const { service, manager, clock, nextBankId, issueToken } = suite;

  /** A bank with a new resident, who has a code, and one who never had one. */
  async function createBank() {
    const bankId = nextBankId();
    const options = { bankId, token: manager.token };
    await createBankOfResidents(service, bankId, [{}]);
    assert.equal((await createUser(service, {}, options)).json.user.kid, `sund-B${bankId}-R1002`);
    return options;
  }
  type Options = Awaited<ReturnType<typeof createBank>>;
  const codeOf = async (options: Options, residentId = 1002): Promise<string> =>
    (await getActivation(service, residentId, options)).json.code;
  const flagsOf = async (options: Options, residentId = 1002): Promise<string[]> =>
    (await getWorkspace(service, residentId, options)).json.flags;
  const renew = (options: Options, expectedRevision: number, residentId = 1002) =>
    executeUserCommand(
      service,
      residentId,
      { command: 'RenewActivation', expectedRevision: String(expectedRevision) },
      options,
    );
  const assertNone = async (options: Options, reason: string, residentId = 1002): Promise<void> => {
    const { status, json } = await getActivation(service, residentId, options);
    assert.deepEqual([status, json.code, json.reason], [404, 'no-activation-code', reason]);
  };

  test('[residents.23] a code is answered with its expiry, and with the link where the resident enters it', async () => {
    const options = await createBank();
    const { status, json, headers } = await getActivation(service, 1002, options);
    assert.equal(status, 200);
    assert.match(json.code, /^[2-9A-HJ-NP-Z]{4}(?:-[2-9A-HJ-NP-Z]{4}){3}$/);
    assert.deepEqual(json, {
      userKid: `sund-B${options.bankId}-R1002`,
      code: json.code,
      expiresAtUtc: '2026-06-22T09:30:00.000Z',
      link: `https://welcome.example/sund/localhost?code=${json.code}`,
    });
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(await codeOf(options), json.code);
  });

  test('[residents.04] the code needs Users2 and User Create, and no other right suffices', async () => {
    const options = await createBank();
    const grants = [{ bankId: options.bankId, locationId: 0 }];
    const open = await issueToken({ tabs: ['Users2'], permissions: ['User.Create'], grants });
    assert.equal((await getActivation(service, 1002, { ...options, token: open })).status, 200);
    const table = [
      [{ tabs: ['Users2'], permissions: ['User.Read', 'User.Write', 'Bank.Read'] }, 'missing-user-create'],
      [{ tabs: ['Account2'], permissions: ['User.Create'] }, 'missing-tab'],
    ] as const;
    for (const [rights, reason] of table) {
      const token = await issueToken({ ...rights, grants });
      const { status, json } = await getActivation(service, 1002, { ...options, token });
      assert.deepEqual([status, json.reason], [403, reason]);
    }
  });

  test('[residents.24] a code is valid for seven days, and is answered until then', async () => {
    const options = await createBank();
    const code = await codeOf(options);
    clock.now = testNow + 7 * dayMs - 1;
    assert.equal(await codeOf(options), code);
    assert.deepEqual(await flagsOf(options), ['ActivationPending']);
    clock.now = testNow + 7 * dayMs;
    await assertNone(options, 'expired');
    assert.deepEqual(await flagsOf(options), ['ActivationExpired']);
    assert.equal((await renew(options, 1)).status, 200);
    assert.notEqual(await codeOf(options), code);
    const { json } = await getActivation(service, 1002, options);
    assert.equal(json.expiresAtUtc, '2026-06-29T09:30:00.000Z');
  });

  test('[residents.24] a code that was used or never created is 404 no-activation-code', async () => {
    const options = await createBank();
    await assertNone(options, 'none', 1001);
    assert.deepEqual(await flagsOf(options, 1001), []);
    await service.write('sund', (db) =>
      db
        .updateTable('resident_activations')
        .set({ used_at: testNow - 1 })
        .where('bank_id', '=', options.bankId)
        .execute(),
    );
    await assertNone(options, 'used');
    assert.deepEqual(await flagsOf(options), ['Activated']);
    assert.equal((await renew(options, 1)).status, 200);
    assert.deepEqual(await flagsOf(options), ['ActivationPending']);
    assert.equal((await renew(options, 1, 1001)).status, 200);
    assert.equal((await getActivation(service, 1001, options)).status, 200);
  });

  test('[residents.23] a disabled or deleted resident has no code, and the state is the reason', async () => {
    const options = await createBank();
    const code = await codeOf(options);
    const execute = async (command: string, revision: number): Promise<void> => {
      const change = { command, expectedRevision: String(revision) };
      assert.equal((await executeUserCommand(service, 1002, change, options)).status, 200, command);
    };
    await execute('Disable', 1);
    await assertNone(options, 'disabled');
    assert.deepEqual(await flagsOf(options), []);
    await execute('Enable', 2);
    assert.equal(await codeOf(options), code);
    assert.deepEqual(await flagsOf(options), ['ActivationPending']);
    await execute('Delete', 3);
    await assertNone(options, 'deleted');
    assert.deepEqual(await flagsOf(options), []);
    await execute('Restore', 4);
    await assertNone(options, 'disabled');
    clock.now = testNow + 7 * dayMs;
    await assertNone(options, 'disabled');
    assert.deepEqual(await flagsOf(options), ['ActivationExpired']);
  });

  test('[residents.24] RenewActivation replaces the code, and the old one is no longer stored anywhere', async () => {
    const options = await createBank();
    const code = await codeOf(options);
    const renewed = await renew(options, 1);
    assert.deepEqual([renewed.status, renewed.json.revision], [200, '2']);
    const next = await codeOf(options);
    assert.notEqual(next, code);
    const rows = await service.read('sund', (db) => readTableRows(db, residentTables, options.bankId));
    assert.ok(!JSON.stringify(rows).includes(code));
    assert.equal(rows['resident_activations']?.length, 1);
    // Neither the workspace nor the history tells it.
    assert.ok(!renewed.text.includes(next));
    assert.ok(!JSON.stringify(await readHistory(service, options.bankId)).includes(next));
  });

  test('[residents.24] each resident’s code can be renewed ten times an hour; then it is 429, and the last code stays valid', async () => {
    const options = await createBank();
    for (let revision = 1; revision <= 10; revision += 1) assert.equal((await renew(options, revision)).status, 200);
    const code = await codeOf(options);
    for (const [after, wait] of [
      [0, '3600'],
      [1000.5 * 1000, '2600'],
    ] as const) {
      clock.now = testNow + after;
      const { status, json, headers } = await renew(options, 11);
      assert.deepEqual([status, json.code, headers['retry-after']], [429, 'too-many-renewals', wait]);
    }
    assert.equal(await codeOf(options), code);
    assert.equal((await renew(options, 1, 1001)).status, 200);
    clock.now = testNow + hourMs - 1;
    assert.equal((await renew(options, 11)).status, 429);
    clock.now = testNow + hourMs;
    assert.equal((await renew(options, 11)).status, 200);
  });
});
