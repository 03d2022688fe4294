// Email addresses and keys that another resident has, and managers who change a resident at the same time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countOutcomes, runInParallel } from '../support/replicas.ts';
import { executeUserCommand, getWorkspace, type UserCommand } from '../support/resident-calls.ts';
import { createBankOfResidents, readHistory, residentTables, type ResidentDraft } from '../support/resident-rows.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { readTableRows } from '../support/table-rows.ts';
import { testNow } from '../support/times.ts';

serviceSuite({ now: testNow, replicas: 2, manager: { retentionDays: 30 } }, (suite) => {
  const { service, manager, nextBankId, replicaFor, issueToken } = suite;

  async function createBank(residents: readonly ResidentDraft[]): Promise<number> {
    const bankId = nextBankId();
    await createBankOfResidents(service, bankId, residents);
    return bankId;
  }
  const readRows = (bankId: number) => service.read('sund', (db) => readTableRows(db, residentTables, bankId));

  /** With the resident's present revision. */
  async function execute(bankId: number, residentId: number, command: UserCommand) {
    const { json } = await getWorkspace(service, residentId, { bankId, token: manager.token });
    return executeUserCommand(
      service,
      residentId,
      { expectedRevision: json.revision, ...command },
      { bankId, token: manager.token },
    );
  }
  async function assertRefused(bankId: number, residentId: number, command: UserCommand, code: string): Promise<void> {
    const rows = await readRows(bankId);
    const { status, json } = await execute(bankId, residentId, command);
    assert.deepEqual([status, json.code], [409, code], command.command);
    assert.deepEqual(await readRows(bankId), rows);
  }
  async function assertDone(bankId: number, residentId: number, command: UserCommand): Promise<void> {
    const { status, text } = await execute(bankId, residentId, command);
    assert.equal(status, 200, text);
  }

  test('[residents.18] SetEmail to the address of another resident, in whatever case, is 409 user-exists', async () => {
    const bankId = await createBank([{ email: 'ada@example.org' }, { email: 'Bo@example.org', enabled: 0 }]);
    for (const value of ['bo@example.org', 'BO@EXAMPLE.ORG'])
      await assertRefused(bankId, 1001, { command: 'SetEmail', value }, 'user-exists');
    await assertDone(bankId, 1002, { command: 'SetEmail', value: '' });
    await assertDone(bankId, 1001, { command: 'SetEmail', value: 'bo@example.org' });
    const other = await createBank([{ email: 'x@example.org' }]);
    await assertDone(other, 1001, { command: 'SetEmail', value: 'bo@example.org' });
  });

  test('[residents.16, residents.18] a tag and a card of the same number are two keys, of which a tenant has one, however the number was typed', async () => {
    const bankId = await createBank([{}, {}]);
    const keysOf = async () => (await getWorkspace(service, 1001, { bankId, token: manager.token })).json.keys;
    const number = `04A21B${bankId}`;
    for (const [held, other] of [
      ['Tag', 'Card'],
      ['Card', 'Tag'],
    ] as const) {
      await assertDone(bankId, 1001, { command: 'AddKey', value: `${held}:0X${number}` });
      const keys = await keysOf();
      assert.deepEqual([keys.length, keys[0]?.key, keys[0]?.kind], [1, number, held]);
      await assertRefused(bankId, 1001, { command: 'AddKey', value: `${other}:${number}` }, 'key-exists');
      const notRemoved = await execute(bankId, 1001, { command: 'RemoveKey', value: `${other}:${number}` });
      assert.deepEqual([notRemoved.status, notRemoved.json.code], [400, 'invalid-user']);
      await assertRefused(bankId, 1002, { command: 'AddKey', value: `0x${number}` }, 'key-exists');
      assert.deepEqual(await keysOf(), keys);
      await assertDone(bankId, 1001, { command: 'AddKey', value: `${held}:${number}` });
      assert.deepEqual(await keysOf(), keys);
      await assertDone(bankId, 1001, { command: 'RemoveKey', value: `${held}:0x${number}` });
      assert.deepEqual(await keysOf(), []);
    }
  });

  test('[residents.14, residents.18] SetEmail and Restore take the address of a resident whose identity has expired', async () => {
    const bankId = await createBank([
      { email: 'ada@example.org', expired_at: testNow },
      {},
      { email: 'bo@example.org', expired_at: testNow },
      { email: 'Bo@example.org', deleted_at: testNow },
      { email: 'cid@example.org' },
      { email: 'cid@example.org', deleted_at: testNow },
    ]);
    await assertDone(bankId, 1002, { command: 'SetEmail', value: 'Ada@example.org' });
    await assertDone(bankId, 1004, { command: 'Restore' });
    await assertRefused(bankId, 1006, { command: 'Restore' }, 'user-exists');
  });

  test('[residents.18] a key that another resident of any bank of the tenant has is 409 key-exists, as tag and as card', async () => {
    const [bankId, other] = [await createBank([{}, {}]), await createBank([{}])];
    const number = `04A2${bankId}`;
    await assertDone(bankId, 1001, { command: 'AddKey', value: number });
    for (const value of [number, `Card:${number}`, number.toLowerCase()]) {
      await assertRefused(bankId, 1002, { command: 'AddKey', value }, 'key-exists');
      await assertRefused(other, 1001, { command: 'AddKey', value }, 'key-exists');
    }
    await assertDone(bankId, 1001, { command: 'RemoveKey', value: number });
    await assertDone(other, 1001, { command: 'AddKey', value: number });
  });

  test('[residents.18, residents.20] Delete releases the email address and the keys, and Restore takes them back unless another resident has one', async () => {
    const [bankId, other] = [await createBank([{ email: 'ada@example.org' }, {}]), await createBank([{}])];
    const number = `04A2${bankId}`;
    await assertDone(bankId, 1001, { command: 'AddKey', value: number });
    await assertDone(bankId, 1001, { command: 'Delete' });
    await assertDone(bankId, 1002, { command: 'SetEmail', value: 'ADA@example.org' });
    await assertDone(other, 1001, { command: 'AddKey', value: number });
    await assertRefused(bankId, 1001, { command: 'Restore' }, 'key-exists');
    await assertDone(other, 1001, { command: 'RemoveKey', value: number });
    await assertRefused(bankId, 1001, { command: 'Restore' }, 'user-exists');
    await assertDone(bankId, 1002, { command: 'SetEmail', value: 'bo@example.org' });
    await assertDone(bankId, 1001, { command: 'Restore' });
    const { json } = await getWorkspace(service, 1001, { bankId, token: manager.token });
    assert.deepEqual(
      [json.user.state, json.user.email, json.keys.map(({ key }: { key: string }) => key)],
      ['disabled', 'ada@example.org', [number]],
    );
    await assertRefused(bankId, 1002, { command: 'SetEmail', value: 'ada@example.org' }, 'user-exists');
    await assertRefused(other, 1001, { command: 'AddKey', value: number }, 'key-exists');
  });

  test('[residents.03] of ten managers who change a resident from the same revision, over two replicas, exactly one wins', async () => {
    const bankId = await createBank([{ enabled: 1 }]);
    const tokens = [await issueToken(), await issueToken()];
    const commands: UserCommand[] = [
      { command: 'SetName', value: 'Winner' },
      { command: 'Disable' },
      { command: 'SetPin', value: '4711' },
      { command: 'AddKey', value: `04A2${bankId}` },
      { command: 'RenewActivation' },
    ];
    const replies = await runInParallel(10, (at) =>
      executeUserCommand(replicaFor(at), 1001, commands[at % 5]!, { bankId, token: tokens[at % 2] }),
    );
    assert.deepEqual(countOutcomes(replies), { '200': 1, '409 user-conflict': 9 });
    const history = await readHistory(service, bankId);
    const winner = replies.findIndex(({ status }) => status === 200);
    assert.deepEqual(
      history.map(({ command, revision }) => [command, revision]),
      [[commands[winner % 5]?.command, 2]],
    );
  });

  test('[residents.18] if residents of several banks get one key at once, exactly one has it', async () => {
    const banks = [await createBank([{}, {}]), await createBank([{}, {}])];
    const value = `04B7${banks[0]}`;
    const replies = await runInParallel(8, (at) => {
      const options = { bankId: banks[at % 2]!, token: manager.token };
      return executeUserCommand(replicaFor(at >> 1), 1001 + ((at >> 1) % 2), { command: 'AddKey', value }, options);
    });
    const outcomes = countOutcomes(replies);
    const rows = await service.read('sund', (db) =>
      db.selectFrom('resident_keys').select('bank_id').where('key_number', '=', value).execute(),
    );
    assert.equal(rows.length, 1);
    // The holder’s own second request finds the resident changed.
    assert.deepEqual([outcomes['200'], replies.filter(({ status }) => status === 409).length], [1, 7]);
  });
});
