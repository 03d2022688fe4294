// ExecuteBankUserCommand: what each command changes, records and tells the devices, and what it refuses.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { residentCommands } from '../../src/features/resident-administration/rules/allowed-commands.ts';
import type { HttpReply } from '../support/call.ts';
import { executeUserCommand, getWorkspace, userPath, type UserCommand } from '../support/resident-calls.ts';
import {
  createBankOfResidents,
  readHistory,
  readQueuedLocations,
  residentTables,
  type ResidentDraft,
} from '../support/resident-rows.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { readTableRows } from '../support/table-rows.ts';
import { hourMs, testNow } from '../support/times.ts';

type Case = {
  /** The resident before. */
  readonly resident?: ResidentDraft;
  readonly key?: string;
  readonly command: string;
  readonly value?: string;
  /** What the workspace has changed to. */
  readonly expected: object;
  /** Old and new value of the history. */
  readonly recorded: readonly [string | null, string | null];
  /** The locations that are told; that of the resident unless it is another. */
  readonly told?: readonly number[];
};

const bo: ResidentDraft = { name: 'Bo', email: 'bo@example.org', phone: '1', apartment: 'A', language: 'en' };

/** `BANK` is the KID of the bank. */
const cases: readonly Case[] = [
  { command: 'SetName', value: ' Åse ', expected: { user: { name: 'Åse' } }, recorded: ['Bo', 'Åse'] },
  {
    command: 'SetEmail',
    value: 'A@b.example',
    expected: { user: { email: 'A@b.example' } },
    recorded: [bo.email!, 'A@b.example'],
  },
  { command: 'SetEmail', value: '', expected: { user: { email: '' } }, recorded: [bo.email!, ''] },
  {
    command: 'SetPhone',
    value: '12 34 56 78',
    expected: { user: { phone: '12 34 56 78' } },
    recorded: ['1', '12 34 56 78'],
  },
  { command: 'SetPhone', value: '', expected: { user: { phone: '' } }, recorded: ['1', ''] },
  {
    command: 'SetLanguage',
    value: 'da',
    expected: { language: 'da', user: { language: 'da' } },
    recorded: ['en', 'da'],
  },
  { command: 'SetApartment', value: 'B 2', expected: { user: { apartment: 'B 2' } }, recorded: ['A', 'B 2'] },
  { command: 'SetApartment', value: '', expected: { user: { apartment: '' } }, recorded: ['A', ''] },
  {
    command: 'SetLocation',
    value: 'BANK-L2',
    expected: { user: { locationKid: 'BANK-L2', locationName: 'Location 2' } },
    recorded: ['BANK-L1', 'BANK-L2'],
    told: [1, 2],
  },
  {
    command: 'SetLocation',
    value: '',
    expected: { user: { locationKid: null, locationName: '' } },
    recorded: ['BANK-L1', null],
    told: [1, 0],
  },
  {
    resident: { location_id: null },
    command: 'SetLocation',
    value: 'BANK-L2',
    expected: { user: { locationKid: 'BANK-L2' } },
    recorded: [null, 'BANK-L2'],
    told: [0, 2],
  },
  { command: 'Disable', expected: { user: { state: 'disabled' } }, recorded: [null, null] },
  { resident: { enabled: 0 }, command: 'Enable', expected: { user: { state: 'active' } }, recorded: [null, null] },
  { command: 'Delete', expected: { user: { state: 'deleted' } }, recorded: [null, null] },
  { resident: { enabled: 0 }, command: 'Delete', expected: { user: { state: 'deleted' } }, recorded: [null, null] },
  {
    resident: { deleted_at: testNow - hourMs },
    command: 'Restore',
    expected: { user: { state: 'disabled' } },
    recorded: [null, null],
  },
  {
    command: 'AddKey',
    value: 'Card:04 a2-BANKKEY',
    expected: { keys: [{ key: '04A2BANKKEY', kind: 'Card', addedAtUtc: '2026-06-15T09:30:00.000Z' }] },
    recorded: [null, '04A2BANKKEY'],
  },
  {
    key: '04A2BANKKEY',
    command: 'RemoveKey',
    value: '04:a2:BANKKEY',
    expected: { keys: [] },
    recorded: ['04A2BANKKEY', null],
  },
  { command: 'SetPin', value: '4711', expected: { flags: ['HasPin'] }, recorded: [null, null] },
  { resident: { pin_hash: 'x' }, command: 'SetPin', value: '', expected: { flags: [] }, recorded: [null, null] },
  { command: 'RenewActivation', expected: { flags: ['ActivationPending'] }, recorded: [null, null] },
];

serviceSuite({ now: testNow, manager: { retentionDays: 30 } }, ({ service, manager, nextBankId }) => {
  const withBank = <T>(value: T, bankId: number): T =>
    JSON.parse(JSON.stringify(value).replaceAll('BANKKEY', `B${bankId}`).replaceAll('BANK', `sund-B${bankId}`)) as T;
  const readRows = (bankId: number) => service.read('sund', (db) => readTableRows(db, residentTables, bankId));

  async function createBank({ resident = {}, key }: Pick<Case, 'resident' | 'key'> = {}) {
    const bankId = nextBankId();
    await createBankOfResidents(service, bankId, [{ ...bo, ...resident, revision: 4 }]);
    if (key !== undefined)
      await service.write('sund', (db) =>
        db
          .insertInto('resident_keys')
          .values({ bank_id: bankId, resident_id: 1001, key_number: key, kind: 'Tag', added_at: 1, held_number: key })
          .execute(),
      );
    return { bankId, token: manager.token };
  }
  const execute = (
    { bankId, token }: { bankId: number; token: string },
    { command, value }: Pick<Case, 'command' | 'value'>,
    expectedRevision = '4',
  ): Promise<HttpReply> => {
    const input: UserCommand = { command, expectedRevision, ...(value === undefined ? {} : { value }) };
    return executeUserCommand(service, 1001, input, { bankId, token });
  };
  /** In a bank of its own. */
  async function prepare(each: Case) {
    const bankId = nextBankId();
    const ready = withBank(each, bankId + 1);
    return { ...(await createBank(ready)), ...ready };
  }

  test('[residents.16] this suite covers every command', () => {
    assert.deepEqual(new Set(cases.map(({ command }) => command)), new Set(residentCommands));
  });

  for (const each of cases)
    test(`[residents.15, residents.16] ${each.command} ${each.value ?? ''} is shown, recorded and queued for the devices, as one more revision`, async () => {
      const ready = await prepare(each);
      const { bankId } = ready;
      const before = await getWorkspace(service, 1001, ready);
      const { status, json, text } = await execute(ready, ready);
      assert.equal(status, 200, text);
      assert.partialDeepStrictEqual(json, ready.expected);
      assert.deepEqual([json.revision, json.user.revision], ['5', '5']);
      const { commands: _, revision: __, ...changed } = json;
      const kept = { ...before.json, ...changed, user: { ...before.json.user, ...pick(json.user, ready.expected) } };
      for (const name of Object.keys(before.json.user).filter(
        (field) => !['state', 'iconKid', 'revision', 'locationName'].includes(field),
      ))
        assert.deepEqual(json.user[name], kept.user[name], name);
      assert.deepEqual((await getWorkspace(service, 1001, ready)).json, json);
      const [record, ...others] = await readHistory(service, bankId);
      assert.deepEqual(
        { ...record },
        {
          bank_id: bankId,
          resident_id: 1001,
          revision: 5,
          changed_at: testNow,
          editor_id: manager.managerId,
          command: each.command,
          old_value: ready.recorded[0],
          new_value: ready.recorded[1],
        },
      );
      assert.equal(others.length, 0);
      const told = ready.told ?? [1];
      assert.deepEqual(
        await readQueuedLocations(service, bankId),
        told.map((locationId) => [1001, locationId]),
      );
    });

  for (const each of cases)
    test(`[residents.03, residents.18] ${each.command} ${each.value ?? ''} with a stale revision is 409 user-conflict, and changes nothing`, async () => {
      const ready = await prepare(each);
      const rows = await readRows(ready.bankId);
      for (const revision of ['3', '5', '0', '', '4 ', '04', 'x']) {
        const { status, json } = await execute(ready, ready, revision);
        assert.deepEqual([status, json.code], [409, 'user-conflict'], revision);
      }
      assert.deepEqual(await readRows(ready.bankId), rows);
    });

  for (const each of cases)
    test(`[residents.03, residents.15] ${each.command} ${each.value ?? ''} without a revision, and a value where there is none or none where there is one, is 400`, async () => {
      const ready = await prepare(each);
      const rows = await readRows(ready.bankId);
      const { value, command } = ready;
      const bodies = [
        value === undefined ? {} : { value },
        { expectedRevision: 4, ...(value === undefined ? {} : { value }) },
        value === undefined ? { expectedRevision: '4', value: '' } : { expectedRevision: '4' },
        { expectedRevision: '4', value: null },
        { expectedRevision: '4', value: 7 },
        { expectedRevision: '4', value: 'x'.repeat(1001) },
        { expectedRevision: '4', ...(value === undefined ? {} : { value }), force: true },
        [],
      ];
      for (const body of bodies) {
        const path = `${userPath(1001, ready.bankId)}/commands/${command}`;
        const { status, json } = await service.call('POST', path, { token: manager.token, body });
        assert.deepEqual([status, json.code], [400, 'invalid-user'], JSON.stringify(body).slice(0, 80));
      }
      assert.deepEqual(await readRows(ready.bankId), rows);
    });

  test('[residents.15] a value that does not fit the command is 400 invalid-user, and changes nothing', async () => {
    const options = await createBank();
    const { bankId } = options;
    const rows = await readRows(bankId);
    const wrong: Record<string, string[]> = {
      SetName: ['', ' ', 'a\tb', 'x'.repeat(201)],
      SetEmail: ['x', 'a@b', 'a b@c.example'],
      SetPhone: ['1', 'x'],
      SetLanguage: ['', 'xx', 'DA'],
      SetApartment: ['x'.repeat(65)],
      SetLocation: ['L1', `sund-B${bankId}-L9`, `sund-B${bankId - 1}-L1`, `fjord-B${bankId}-L1`, `sund-B${bankId}`],
      AddKey: ['', '123', 'x'.repeat(33), 'ä'.repeat(4)],
      SetPin: ['123', '123456789', 'abcd', ' 4711', '0000', '1111', '1234'],
    };
    for (const [command, values] of Object.entries(wrong))
      for (const value of values) {
        const { status, json } = await execute(options, { command, value });
        assert.deepEqual([status, json.code], [400, 'invalid-user'], `${command} ${value}`);
        assert.equal(json.errors[0].path, 'body.value');
      }
    assert.deepEqual(await readRows(bankId), rows);
  });

  test('[residents.16] RemoveKey of a key that the resident does not have is 400, and changes nothing', async () => {
    const options = await createBank({ key: `04A2${nextBankId()}` });
    const rows = await readRows(options.bankId);
    const { status, json } = await execute(options, { command: 'RemoveKey', value: 'FFFF' });
    assert.deepEqual([status, json.code, json.errors[0].path], [400, 'invalid-user', 'body.value']);
    assert.deepEqual(await readRows(options.bankId), rows);
  });

  test('[residents.16] an unknown command is 400, and changes nothing', async () => {
    const options = await createBank();
    const rows = await readRows(options.bankId);
    for (const command of ['SetRevision', 'setname', 'constructor', 'Create', 'Expire', 'SETNAME', 'SetName%20']) {
      const { status, json } = await execute(options, { command, value: 'Ada' });
      assert.deepEqual([status, json.code], [400, 'invalid-request'], command);
    }
    assert.deepEqual(await readRows(options.bankId), rows);
  });

  test('an unchanged value changes neither the revision nor the history nor the outbox', async () => {
    const number = `04A2${nextBankId()}`;
    const options = await createBank({ key: number });
    const { bankId } = options;
    const rows = await readRows(bankId);
    const same = {
      SetName: ' Bo ',
      SetEmail: 'bo@example.org',
      SetLanguage: 'en',
      SetApartment: 'A',
      SetLocation: `sund-B${bankId}-L1`,
      AddKey: number.toLowerCase(),
      SetPin: '',
    };
    for (const [command, value] of Object.entries(same)) {
      const { status, json } = await execute(options, { command, value });
      assert.deepEqual([status, json.revision], [200, '4'], command);
    }
    assert.deepEqual(await readRows(bankId), rows);
  });

  test('another case of the resident’s own email address is a change, and not a conflict', async () => {
    const options = await createBank();
    const { status, json } = await execute(options, { command: 'SetEmail', value: 'BO@example.org' });
    assert.deepEqual([status, json.user.email, json.revision], [200, 'BO@example.org', '5']);
  });
});

const pick = (from: Record<string, unknown>, expected: object): Record<string, unknown> => {
  const { user = {} } = expected as { user?: object };
  return Object.fromEntries(Object.keys(user).map((name) => [name, from[name]]));
};
