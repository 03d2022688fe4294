// Imports of keys through HTTP: they are added, replaced and taken back by the rules of AddKey and RemoveKey.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordAudit } from '../support/audit.ts';
import { insertTestBank, insertTestResident } from '../support/factories.ts';
import { applyPlan, csvOf, listRows, planFile, sendFile, undoApplied } from '../support/imports.ts';
import { executeUserCommand, getWorkspace } from '../support/resident-calls.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { callWithoutStorage } from '../support/without-storage.ts';

const header = ['key', 'resident', 'number', 'kind'];

serviceSuite({ now: testNow }, ({ service, manager, issueToken, nextBankId }) => {
  let number = 40_000;
  const nextNumber = (): string => String((number += 1));
  async function createBank(residents = 2): Promise<{ bankId: number; kidOf: (at: number) => string }> {
    const bankId = nextBankId();
    await service.write('sund', async (db) => {
      await insertTestBank(db, { bankId });
      for (let at = 0; at < residents; at += 1) await insertTestResident(db, 1001 + at, { bankId });
    });
    return { bankId, kidOf: (at) => `sund-B${bankId}-R${1001 + at}` };
  }
  const plan = (bankId: number, rows: readonly (readonly string[])[]) =>
    planFile(service, csvOf(header, ...rows), { ...manager, kind: 'keys', bankId });
  const apply = async (bankId: number, rows: readonly (readonly string[])[]) =>
    applyPlan(service, await plan(bankId, rows), manager);
  async function readKeys(bankId: number, residentId: number): Promise<string[]> {
    const { json } = await getWorkspace(service, residentId, { ...manager, bankId });
    return json.keys.map(({ key, kind }: { key: string; kind: string }) => `${kind} ${key}`);
  }
  const refusalsOf = async (planned: { kid: string }): Promise<string[]> =>
    (await listRows(service, planned.kid, manager)).flatMap(({ key, errors }) =>
      errors.map(({ field, code }: { field: string; code: string }) => `${key} ${field} ${code}`),
    );

  test('[keys.01] new keys are those of AddKey: spelling, history, search, revision, devices and audit log', async () => {
    const { bankId, kidOf } = await createBank();
    const [tag, card] = [nextNumber(), nextNumber()];
    const rows = [
      ['k1', kidOf(0), ` ${tag.slice(0, 2)}:${tag.slice(2)} `, ''],
      ['k2', kidOf(0), `card:${card}`, ''],
      ['k3', kidOf(1), nextNumber(), 'tag'],
    ];
    const { result: applied, entries } = await recordAudit(service, () => apply(bankId, rows));
    assert.deepEqual([applied.state, applied.outcomes.applied], ['applied', 3], JSON.stringify(applied));
    assert.deepEqual(await readKeys(bankId, 1001), [`Tag ${tag}`, `Card ${card}`]);
    const workspace = await getWorkspace(service, 1001, { ...manager, bankId });
    assert.equal(workspace.json.revision, '3');
    const found = await service.call('GET', `/api/v1/banks/sund-B${bankId}/users?filter=${card}`, manager);
    assert.equal(found.json.items[0].kid, kidOf(0));
    const history = await service.read('sund', (db) =>
      db
        .selectFrom('resident_history')
        .select(['resident_id', 'revision', 'command', 'new_value', 'editor_id'])
        .where('bank_id', '=', bankId)
        .orderBy('resident_id')
        .orderBy('revision')
        .execute(),
    );
    assert.deepEqual(
      history.map(({ resident_id, revision, command, new_value }) => [resident_id, revision, command, new_value]),
      [
        [1001, 2, 'AddKey', tag],
        [1001, 3, 'AddKey', card],
        [1002, 2, 'AddKey', rows[2]![2]],
      ],
    );
    assert.ok(history.every(({ editor_id }) => editor_id === manager.managerId));
    const syncs = await service.read('sund', (db) =>
      db.selectFrom('device_sync').select('subject_id').where('bank_id', '=', bankId).execute(),
    );
    assert.equal(syncs.length, 3);
    const recorded = entries.filter(({ object }) => object === kidOf(0));
    assert.equal(recorded.length, 2);
    assert.ok(recorded.every(({ new_values }) => new_values?.includes('AddKey') && !new_values.includes(tag)));
    assert.deepEqual((await plan(bankId, rows)).counts.unchanged, 3);
  });

  test('[keys.02] another number, kind or resident under the same key replaces the key, and undo puts it back', async () => {
    const { bankId, kidOf } = await createBank();
    const [old, moved, fixed] = [nextNumber(), nextNumber(), nextNumber()];
    await apply(bankId, [
      ['k1', kidOf(0), old, 'Tag'],
      ['k2', kidOf(0), moved, 'Tag'],
      ['k3', kidOf(1), fixed, 'Tag'],
    ]);
    const renewed = nextNumber();
    const rows = [
      ['k1', kidOf(0), renewed, 'Tag'],
      ['k2', kidOf(1), moved, 'Tag'],
      ['k3', kidOf(1), fixed, 'Card'],
      ['k4', kidOf(0), nextNumber(), ''],
    ];
    const planned = await plan(bankId, rows);
    assert.deepEqual([planned.counts.update, planned.counts.create], [3, 1]);
    const applied = await applyPlan(service, planned, manager);
    assert.equal(applied.outcomes.applied, 4, JSON.stringify(applied));
    assert.deepEqual((await readKeys(bankId, 1001)).toSorted(), [`Tag ${renewed}`, `Tag ${rows[3]![2]}`].toSorted());
    assert.deepEqual((await readKeys(bankId, 1002)).toSorted(), [`Card ${fixed}`, `Tag ${moved}`].toSorted());
    // The source's keys follow: the same file again finds them.
    assert.equal((await plan(bankId, rows)).counts.unchanged, 4);
    const undone = await undoApplied(service, applied, manager);
    assert.deepEqual([undone.outcomes.undone, undone.outcomes.kept], [4, 0], JSON.stringify(undone));
    assert.deepEqual((await readKeys(bankId, 1001)).toSorted(), [`Tag ${old}`, `Tag ${moved}`].toSorted());
    assert.deepEqual(await readKeys(bankId, 1002), [`Tag ${fixed}`]);
    const again = await plan(bankId, rows);
    assert.deepEqual([again.counts.update, again.counts.create], [3, 1]);
  });

  test('[keys.03] a row is refused for what AddKey refuses, and for a resident of another bank', async () => {
    const { bankId, kidOf } = await createBank(3);
    const other = await createBank(1);
    const held = nextNumber();
    await apply(other.bankId, [['h', other.kidOf(0), held, '']]);
    const full = Array.from({ length: 20 }, (_, at) => [`f${at}`, kidOf(2), nextNumber(), '']);
    await apply(bankId, full.slice(0, 19));
    const deleted = await executeUserCommand(service, 1002, { command: 'Delete' }, { ...manager, bankId });
    assert.equal(deleted.status, 200, deleted.text);
    const twice = nextNumber();
    const planned = await plan(bankId, [
      ['a', kidOf(0), '12', ''],
      ['b', kidOf(0), nextNumber(), 'Ring'],
      ['c', kidOf(0), `Card:${nextNumber()}`, 'Tag'],
      ['d', kidOf(0), held, ''],
      ['e', kidOf(0), twice, ''],
      ['f', kidOf(0), twice, ''],
      ['g', kidOf(1), nextNumber(), ''],
      ['h', other.kidOf(0), nextNumber(), ''],
      ['i', 'nobody', nextNumber(), ''],
      ['j', kidOf(2), nextNumber(), ''],
      ['k', kidOf(2), nextNumber(), ''],
      ['l', '', nextNumber(), ''],
    ]);
    assert.deepEqual(await refusalsOf(planned), [
      'a number invalid',
      'b kind invalid',
      'c kind invalid',
      'd number taken',
      'f number repeated',
      'g resident deleted',
      'h resident unknown-reference',
      'i resident unknown-reference',
      'k resident too-many-keys',
      'l resident required',
    ]);
  });

  test('[keys.04] a key that was changed since is stale, or is kept by an undo', async () => {
    const { bankId, kidOf } = await createBank();
    const [one, two] = [nextNumber(), nextNumber()];
    const applied = await apply(bankId, [
      ['k1', kidOf(0), one, ''],
      ['k2', kidOf(0), two, ''],
    ]);
    const planned = await plan(bankId, [['k1', kidOf(0), nextNumber(), '']]);
    const removed = await executeUserCommand(
      service,
      1001,
      { command: 'RemoveKey', value: one, expectedRevision: '3' },
      { ...manager, bankId },
    );
    assert.equal(removed.status, 200, removed.text);
    const ended = await applyPlan(service, planned, manager);
    assert.deepEqual([ended.state, ended.outcomes.stale], ['failed', 1]);
    const undone = await undoApplied(service, applied, manager);
    assert.deepEqual([undone.outcomes.undone, undone.outcomes.kept], [1, 1]);
    assert.deepEqual(await readKeys(bankId, 1001), []);
  });

  test('an export of keys is read again as it is, and creates them elsewhere', async () => {
    const { bankId, kidOf } = await createBank();
    await apply(bankId, [
      ['k1', kidOf(0), nextNumber(), 'Card'],
      ['k2', kidOf(1), nextNumber(), ''],
    ]);
    const exported = await service.call('GET', `/api/v1/exports/keys?bankKid=sund-B${bankId}&for=programs`, manager);
    assert.equal(exported.status, 200, exported.text);
    const again = await planFile(service, exported.text, { ...manager, kind: 'keys', bankId });
    assert.deepEqual([again.counts.unchanged, again.counts.refused], [2, 0], exported.text);
  });

  test('[keys.05] only who may change residents of the whole bank imports keys', async () => {
    const { bankId, kidOf } = await createBank();
    const file = csvOf(header, ['k', kidOf(0), nextNumber(), '']);
    const narrow = { token: await issueToken({ grants: [{ bankId, locationId: 1 }] }) };
    const reader = { token: await issueToken({ permissions: ['Bank.Read', 'User.Read'] }) };
    const other = { token: await issueToken({ grants: [{ bankId: 1001, locationId: 0 }] }) };
    for (const [options, status] of [
      [narrow, 403],
      [reader, 403],
      [other, 404],
      [{}, 401],
    ] as const)
      assert.equal((await sendFile(service, file, { ...options, kind: 'keys', bankId })).status, status);
    const reply = await callWithoutStorage(
      service,
      () => sendFile(service, file, { ...manager, kind: 'keys', bankId }),
      'import_heads',
    );
    assert.equal(reply.status, 503, reply.text);
  });
});
