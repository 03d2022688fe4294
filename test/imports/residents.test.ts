// Imports of residents through HTTP: the plan of a file with mistakes, what is applied, what is undone, and who may.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { recordAudit } from '../support/audit.ts';
import type { HttpReply } from '../support/call.ts';
import { insertTestBank } from '../support/factories.ts';
import {
  applyPlan,
  csvOf,
  importPath,
  listRows,
  planFile,
  readImport,
  sendFile,
  undoApplied,
} from '../support/imports.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import { callWithoutStorage } from '../support/without-storage.ts';

const header = ['key', 'name', 'email', 'phone', 'language', 'apartment', 'location', 'tags'];
const anna = ['t1', 'Anna Demo', 'anna@example.org', '20304050', 'da', '1 tv', 'Location 1', '1001'];
const bo = ['t2', 'Bo Demo', 'bo@example.org', '', '', '2 th', 'Location 2', ''];

serviceSuite({ now: testNow }, ({ service, manager, issueToken, nextBankId }) => {
  before(() => service.write('sund', (db) => insertTestBank(db)));
  async function createBank(): Promise<number> {
    const bankId = nextBankId();
    await service.write('sund', (db) => insertTestBank(db, { bankId }));
    return bankId;
  }
  let tags = 5000;
  const withTag = (row: readonly string[]): string[] => row.with(7, row[7] === '' ? '' : String((tags += 1)));
  const plan = (bankId: number, rows: readonly (readonly string[])[], query = {}) =>
    planFile(service, csvOf(header, ...rows), { ...manager, kind: 'residents', bankId, query });
  const listUsers = async (bankId: number): Promise<HttpReply['json'][]> =>
    (await service.call('GET', `/api/v1/banks/sund-B${bankId}/users?state=all&sort=kid`, manager)).json.items;
  const readUser = async (bankId: number, userKid: string): Promise<HttpReply['json']> =>
    (await service.call('GET', `/api/v1/banks/sund-B${bankId}/users/${userKid}`, manager)).json;

  test('[imports.01] a plan says row by row what would be done and what is wrong, and changes nothing', async () => {
    const bankId = await createBank();
    const file = csvOf(
      header,
      withTag(anna),
      ['t3', '', 'carl@example.org', '', 'da', '', '', ''],
      ['t4', 'Dora Demo', 'no address', '', 'da', '', '', ''],
      ['t5', 'Erik Demo', 'anna@example.org', '', 'da', '', '', ''],
      ['t6', 'Finn Demo', '', '', 'xx', '', 'Nowhere', ''],
      ['t1', 'Gina Demo', '', '', '', '', '', ''],
    );
    const earlier = await listUsers(bankId);
    const { result: planned, entries } = await recordAudit(service, () =>
      planFile(service, file, { ...manager, kind: 'residents', bankId }),
    );
    assert.deepEqual(planned.counts, { create: 1, update: 0, unchanged: 0, missing: 0, refused: 5 });
    assert.equal(planned.detected.separator, ';');
    assert.equal(planned.fileBytes, Buffer.byteLength(file));
    assert.match(planned.fileHash, /^[0-9a-f]{64}$/);
    const rows = await listRows(service, planned.kid, manager);
    assert.deepEqual(
      rows.map(({ line, key, action, errors }) => [
        line,
        key,
        action,
        errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
      ]),
      [
        [2, 't1', 'create', []],
        [3, 't3', 'refused', ['name required']],
        [4, 't4', 'refused', ['email invalid']],
        [5, 't5', 'refused', ['email repeated']],
        [6, 't6', 'refused', ['language invalid', 'location unknown-reference']],
        [7, 't1', 'refused', ['key repeated']],
      ],
    );
    assert.deepEqual(rows[0].changes[0], { field: 'name', before: null, after: 'Anna Demo' });
    assert.deepEqual(await listUsers(bankId), earlier);
    assert.deepEqual(
      entries.map(({ operation, object, chain }) => [operation, object, chain]),
      [['CreateImport', planned.kid, bankId]],
    );
    assert.deepEqual(JSON.parse(entries[0]?.new_values ?? ''), {
      kind: 'residents',
      bankKid: `sund-B${bankId}`,
      state: 'planned',
      fileHash: planned.fileHash,
      fileBytes: planned.fileBytes,
    });
  });

  test('[imports.02] what is planned is applied; the same file again is unchanged; a changed one changes those fields', async () => {
    const bankId = await createBank();
    const row = withTag(anna);
    const planned = await plan(bankId, [row, bo]);
    const applied = await applyPlan(service, planned, manager);
    assert.equal(applied.state, 'applied', JSON.stringify(applied));
    assert.deepEqual(applied.outcomes, { applied: 2, stale: 0, failed: 0, undone: 0, kept: 0 });
    const users = await listUsers(bankId);
    assert.deepEqual(
      users.map(({ name, email, apartment }) => [name, email, apartment]),
      [
        ['Anna Demo', 'anna@example.org', '1 tv'],
        ['Bo Demo', 'bo@example.org', '2 th'],
      ],
    );
    const workspace = await readUser(bankId, users[0].kid as string);
    assert.deepEqual(
      workspace.keys.map(({ key }: { key: string }) => key),
      [row[7]],
    );
    assert.deepEqual((await plan(bankId, [row, bo])).counts, {
      create: 0,
      update: 0,
      unchanged: 2,
      missing: 0,
      refused: 0,
    });
    const moved = await plan(bankId, [row.with(5, '3 mf').with(1, 'Anna Renamed'), bo]);
    assert.deepEqual(moved.counts, { create: 0, update: 1, unchanged: 1, missing: 0, refused: 0 });
    assert.equal((await applyPlan(service, moved, manager)).state, 'applied');
    const { user } = await readUser(bankId, users[0].kid as string);
    assert.deepEqual([user.name, user.apartment, user.email], ['Anna Renamed', '3 mf', 'anna@example.org']);
  });

  test('[imports.03] a row whose object has changed since the plan is stale, says how, and nothing is applied', async () => {
    const bankId = await createBank();
    await applyPlan(service, await plan(bankId, [withTag(anna), bo]), manager);
    const [first] = await listUsers(bankId);
    const planned = await plan(bankId, [anna.with(1, 'Anna Renamed').with(7, ''), bo.with(1, 'Bo Renamed')]);
    const path = `/api/v1/banks/sund-B${bankId}/users/${first.kid}/commands/SetName`;
    const { revision } = await readUser(bankId, first.kid as string);
    const renamed = await service.call('POST', path, {
      ...manager,
      body: { expectedRevision: revision, value: 'Somebody' },
    });
    assert.equal(renamed.status, 200, renamed.text);
    const ended = await applyPlan(service, planned, manager);
    assert.equal(ended.state, 'failed');
    assert.equal(ended.failure.code, 'rows-refused');
    const [stale] = await listRows(service, planned.kid, manager, 'outcome=stale');
    assert.match(stale.errors[0].text, /name: was "Anna Demo" .* is "Somebody" now/);
    assert.deepEqual(
      (await listUsers(bankId)).map(({ name }) => name),
      ['Somebody', 'Bo Demo'],
    );
    // A part of it is applied if that is allowed.
    const again = await plan(bankId, [anna.with(1, 'Anna Renamed').with(7, ''), bo.with(1, 'Bo Renamed')]);
    const { revision: latest } = await readUser(bankId, first.kid as string);
    await service.call('POST', path, { ...manager, body: { expectedRevision: latest, value: 'Somebody else' } });
    const partly = await applyPlan(service, again, manager, { allowPartial: true });
    assert.deepEqual([partly.state, partly.outcomes.applied, partly.outcomes.stale], ['applied', 1, 1]);
    assert.deepEqual(
      (await listUsers(bankId)).map(({ name }) => name),
      ['Somebody else', 'Bo Renamed'],
    );
  });

  test('[imports.04] undo deletes what nobody touched, restores what was changed, and keeps the rest, saying why', async () => {
    const bankId = await createBank();
    await applyPlan(service, await plan(bankId, [bo]), manager);
    const planned = await plan(bankId, [
      bo.with(1, 'Bo Renamed'),
      withTag(anna),
      ['t9', 'Ida Demo', '', '', '', '', '', ''],
    ]);
    const applied = await applyPlan(service, planned, manager);
    const users = await listUsers(bankId);
    const ida = users.find(({ name }) => name === 'Ida Demo')!;
    const { revision } = await readUser(bankId, ida.kid as string);
    await service.call('POST', `/api/v1/banks/sund-B${bankId}/users/${ida.kid}/commands/SetApartment`, {
      ...manager,
      body: { expectedRevision: revision, value: '9' },
    });
    const undone = await undoApplied(service, applied, manager);
    assert.deepEqual(
      [undone.state, undone.outcomes.undone, undone.outcomes.kept],
      ['undone', 2, 1],
      JSON.stringify(undone),
    );
    const [kept] = await listRows(service, planned.kid, manager, 'outcome=kept');
    assert.deepEqual([kept.key, kept.errors[0].code], ['t9', 'changed-since']);
    const active = (await listUsers(bankId)).filter(({ state }) => state !== 'deleted');
    assert.deepEqual(
      active.map(({ name }) => name),
      ['Bo Demo', 'Ida Demo'],
    );
    // The keys are free again: the same file creates them anew.
    assert.deepEqual((await plan(bankId, [withTag(anna)])).counts.create, 1);
  });

  test('[imports.05] who is missing in a full file is disabled, if the number is small or expected', async () => {
    const bankId = await createBank();
    const rows = Array.from({ length: 30 }, (_, at) => [`m${at}`, `Demo ${at}`, '', '', '', '', '', '']);
    await applyPlan(service, await plan(bankId, rows), manager);
    assert.equal((await plan(bankId, rows.slice(1))).counts.missing, 0);
    const one = await plan(bankId, rows.slice(1), { missing: 'deactivate' });
    assert.deepEqual([one.counts.missing, one.counts.unchanged], [1, 29]);
    assert.equal((await applyPlan(service, one, manager)).state, 'applied');
    const [disabled] = (await listUsers(bankId)).filter(({ state }) => state === 'disabled');
    assert.equal(disabled.name, 'Demo 0');
    const many = await plan(bankId, rows.slice(5), { missing: 'deactivate' });
    assert.equal(many.counts.missing, 4);
    const approve = (body: object) =>
      service.call('POST', `${importPath(many.kid as string)}/apply`, {
        ...manager,
        body: { expectedRevision: many.revision, ...body },
      });
    for (const body of [{}, { expectedMissing: 3 }]) {
      const refused = await approve(body);
      assert.deepEqual([refused.status, refused.json.code], [409, 'import-missing-rows'], refused.text);
    }
    assert.equal((await applyPlan(service, many, manager, { expectedMissing: 4 })).outcomes.applied, 4);
  });

  test('whoever moved out by the day in the file is disabled, and devices are told; a day that is to come changes nothing', async () => {
    const bankId = await createBank();
    const dated = ['key', 'name', 'movedOut'];
    const planDated = (...rows: string[][]) =>
      planFile(service, csvOf(dated, ...rows), { ...manager, kind: 'residents', bankId });
    const applyDated = async (...rows: string[][]) => {
      const planned = await planDated(...rows);
      const { applied } = (await applyPlan(service, planned, manager)).outcomes;
      return { kid: planned.kid as string, applied };
    };
    const statesOf = async (): Promise<string[]> =>
      (await listUsers(bankId)).map(({ name, state }) => `${name} ${state}`);
    const countQueued = async (): Promise<number> =>
      (
        await service.read('sund', (db) =>
          db.selectFrom('device_sync').select('sync_id').where('bank_id', '=', bankId).execute(),
        )
      ).length;
    // Today is 15 June 2026.
    await applyDated(['t1', 'One', ''], ['t2', 'Two', '2026-06-16'], ['t3', 'Three', '2026-06-15'], ['t4', 'Four', '']);
    assert.deepEqual(await statesOf(), ['One active', 'Two active', 'Three disabled', 'Four active']);
    const queued = await countQueued();
    const { kid, applied } = await applyDated(
      ['t1', 'One', '2026-06-14'],
      ['t2', 'Two', '2026-06-16'],
      ['t4', 'Four', ''],
    );
    assert.equal(applied, 1);
    assert.deepEqual(
      (await listRows(service, kid, manager)).map(({ key, action, changes }) => [key, action, changes]),
      [
        ['t1', 'update', [{ field: 'state', before: 'active', after: 'disabled' }]],
        ['t2', 'unchanged', []],
        ['t4', 'unchanged', []],
      ],
    );
    assert.equal((await countQueued()) - queued, 1);
    assert.equal((await planDated(['t1', 'One', '2026-06-14'])).counts.unchanged, 1);
    // A mistake that is put right; but not where somebody has changed the resident since.
    const [, , three, four] = await listUsers(bankId);
    const command = async ({ kid: userKid }: { kid: string }, name: string, value?: string): Promise<void> => {
      const { revision } = await readUser(bankId, userKid);
      const body = { expectedRevision: revision, ...(value === undefined ? {} : { value }) };
      const path = `/api/v1/banks/sund-B${bankId}/users/${userKid}/commands/${name}`;
      assert.equal((await service.call('POST', path, { ...manager, body })).status, 200);
    };
    await command(three, 'SetApartment', 'moved');
    await command(four, 'Disable');
    assert.equal((await applyDated(['t1', 'One', ''], ['t3', 'Three', ''], ['t4', 'Four', ''])).applied, 1);
    assert.deepEqual(await statesOf(), ['One active', 'Two active', 'Three disabled', 'Four disabled']);
    const wrong = await planDated(['t5', 'Five', '15-06-2026'], ['t6', 'Six', '2026-02-30']);
    assert.deepEqual(
      (await listRows(service, wrong.kid, manager)).map(({ errors }) => `${errors[0].field} ${errors[0].code}`),
      ['movedOut invalid', 'movedOut invalid'],
    );
    // The day comes before the state in the file.
    const both = csvOf(['key', 'movedOut', 'state'], ['t2', '2026-01-01', 'active']);
    const planned = await planFile(service, both, { ...manager, kind: 'residents', bankId });
    assert.equal((await applyPlan(service, planned, manager)).outcomes.applied, 1);
    assert.ok((await statesOf()).includes('Two disabled'));
  });

  test('[imports.06] bad input is refused with its code, and a file that cannot be read fails with its line', async () => {
    const bankId = await createBank();
    const send = (file: string, query: Record<string, string> = {}, options: object = {}) =>
      sendFile(service, file, { ...manager, kind: 'residents', bankId, query, ...options });
    assert.equal((await send('key;name\r\n', { kind: 'nothing' })).status, 400);
    assert.equal((await send('key;name\r\n', {}, { bankId: undefined })).json.errors[0].path, 'query.bankKid');
    assert.equal((await send('key;name\r\n', { profile: 'unknown' })).json.errors[0].path, 'query.profile');
    assert.equal((await send('key;name\r\n', { bankKid: 'fjord-B1001' })).json.code, 'invalid-kid');
    assert.equal((await send('key;name\r\n', { bankKid: 'sund-B999999' })).status, 404);
    assert.equal((await send('{}', {}, { contentType: 'application/json' })).status, 415);
    const unreadable = await send('key;name;name\r\nt1;Anna;Bo\r\n');
    assert.deepEqual([unreadable.status, unreadable.json.state], [202, 'failed'], unreadable.text);
    assert.deepEqual([unreadable.json.failure.code, unreadable.json.failure.line], ['repeated-column', 1]);
    const unknown = await send('nothing;known\r\nt1;Anna\r\n');
    assert.deepEqual([unknown.status, unknown.json.state], [202, 'failed'], unknown.text);
    assert.deepEqual([unknown.json.failure.code, unknown.json.failure.line], ['no-known-column', 1]);
    assert.equal((await send('')).json.failure.code, 'empty-file');
    const other = await send('key;name;colour\r\nt1;Anna;red\r\n');
    assert.deepEqual(other.json.detected.ignoredColumns, ['colour']);
  });

  test('[imports.07] a stale revision, a state that does not allow it and a missing import are refused', async () => {
    const bankId = await createBank();
    const planned = await plan(bankId, [bo]);
    const post = (kid: string, action: string, body?: object) =>
      service.call('POST', `${importPath(kid)}/${action}`, { ...manager, ...(body === undefined ? {} : { body }) });
    assert.equal((await post(planned.kid, 'apply', { expectedRevision: '999' })).json.code, 'import-conflict');
    const early = await post(planned.kid, 'undo', { expectedRevision: planned.revision });
    assert.deepEqual([early.json.code, early.json.reason], ['import-not-allowed', 'nothing-applied']);
    assert.equal((await post('sund-F99999', 'apply', { expectedRevision: '1' })).status, 404);
    assert.equal((await post('fjord-F1', 'apply', { expectedRevision: '1' })).json.code, 'invalid-kid');
    const cancelled = await post(planned.kid, 'cancel');
    assert.deepEqual([cancelled.status, cancelled.json.state], [200, 'cancelled'], cancelled.text);
    assert.deepEqual(await listRows(service, planned.kid, manager), []);
    assert.equal((await post(planned.kid, 'cancel')).json.reason, 'ended');
  });

  test('[imports.08] only who may create and change residents of the whole bank imports them, or sees an import', async () => {
    const bankId = await createBank();
    const planned = await plan(bankId, [bo]);
    const narrow = { token: await issueToken({ grants: [{ bankId, locationId: 1 }] }) };
    const other = { token: await issueToken({ grants: [{ bankId: 1001, locationId: 0 }] }) };
    const reader = {
      token: await issueToken({ permissions: ['Bank.Read', 'Location.Read', 'User.Read'] }),
    };
    const file = csvOf(header, bo);
    for (const [options, status] of [
      [narrow, 403],
      [other, 404],
      [reader, 403],
      [{}, 401],
    ] as const) {
      const reply = await sendFile(service, file, { ...options, kind: 'residents', bankId });
      assert.equal(reply.status, status, reply.text);
    }
    for (const [options, status] of [
      [narrow, 403],
      [other, 404],
      [reader, 403],
      [{}, 401],
    ] as const)
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['GET', '/rows', undefined],
        ['POST', '/apply', { expectedRevision: planned.revision }],
        ['POST', '/undo', { expectedRevision: planned.revision }],
        ['POST', '/cancel', undefined],
      ] as const) {
        const reply = await service.call(method, `${importPath(planned.kid as string)}${path}`, { ...options, body });
        assert.equal(reply.status, status, `${method} ${path}: ${reply.text}`);
      }
    assert.equal((await readImport(service, planned.kid, manager)).state, 'planned');
    const seen = await service.call('GET', '/api/v1/imports', other);
    assert.ok(!seen.json.items.some(({ kid }: { kid: string }) => kid === planned.kid));
  });

  test('without storage nothing is planned, and 503 is answered', async () => {
    const bankId = await createBank();
    const reply = await callWithoutStorage(
      service,
      () => sendFile(service, csvOf(header, bo), { ...manager, kind: 'residents', bankId }),
      'import_heads',
    );
    assert.equal(reply.status, 503, reply.text);
  });
});
