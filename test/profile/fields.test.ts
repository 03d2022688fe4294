// GetMyManagerProfile, SetMyManagerProfileField and SetCurrentManagerTheme: what a manager can change of themselves.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import type { HttpReply } from '../support/call.ts';
import { isReplay } from '../support/idempotent-operations.ts';
import { mockMonotonicClock } from '../support/instances.ts';
import { insertTestBank } from '../support/factories.ts';
import { countOutcomes, runInParallel } from '../support/replicas.ts';
import { createBankOfResidents } from '../support/resident-rows.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';
import { callWithoutStorage } from '../support/without-storage.ts';
import {
  changePassword,
  confirmCode,
  getCurrent,
  getProfile,
  requestCode,
  setField,
  setTheme,
  takeCode,
} from './support/own-profile.ts';

serviceSuite({ now: testNow, replicas: 2 }, (suite) => {
  const { service, replicaFor, issueToken, clock } = suite;
  const create = async (name = 'Demo Person') => ({
    token: await issueToken({ name, organisation: 'Demo Laundries', email: 'person@example.org' }),
  });

  test('[managers.12] the profile shows what the manager is, and the icons of persons', async () => {
    const self = await create();
    const { status, json, headers } = await getProfile(service, self);
    const { kid, availablePersonIcons, ...others } = json;
    assert.equal(status, 200);
    assert.match(kid, /^sund-M\d+$/);
    assert.ok(availablePersonIcons.length >= 12 && availablePersonIcons.includes('person'));
    assert.ok(!availablePersonIcons.includes('house'));
    assert.deepEqual(others, {
      email: 'person@example.org',
      emailVerified: false,
      pendingEmail: null,
      name: 'Demo Person',
      organisation: 'Demo Laundries',
      personIcon: 'person',
      theme: 0,
      retentionDays: 0,
      revision: '1',
    });
    const etag = headers.etag ?? '';
    assert.match(etag, /^"1\./);
    const again = await getProfile(service, { ...self, headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304);
  });

  test('managers with different profiles have different ETags, whatever their revisions are', async () => {
    const [self, other] = [await create(), await create('Demo Other')];
    const [own, others] = [await getProfile(service, self), await getProfile(service, other)];
    assert.deepEqual([own.json.revision, others.json.revision], ['1', '1']);
    assert.notEqual(own.headers.etag, others.headers.etag);
    const asked = await getProfile(service, { ...other, headers: { 'if-none-match': own.headers.etag ?? '' } });
    assert.deepEqual([asked.status, asked.json.name], [200, 'Demo Other']);
  });

  test('a manager can change themselves sixty times an hour, so that nobody fills the audit log', async () => {
    const [self, other] = [await create(), await create()];
    const { kid } = (await getProfile(service, self)).json;
    for (let at = 0; at < 60; at += 1) assert.equal((await setTheme(service, (at + 1) % 2, self)).status, 200, `${at}`);
    const refused = await setTheme(service, 1, self);
    assert.deepEqual([refused.status, refused.json.code], [429, 'too-many-requests']);
    assert.equal((await getProfile(service, self)).json.theme, 0);
    assert.equal((await setTheme(replicaFor(1), 1, self)).status, 429, 'on every replica');
    assert.equal((await setTheme(service, 0, self)).status, 200, 'it changes nothing');
    assert.equal((await setTheme(service, 1, other)).status, 200, 'another manager');
    const entries = await service.read('sund', (db) =>
      db.selectFrom('audit_entries').select('sequence').where('object', '=', kid).execute(),
    );
    assert.equal(entries.length, 60);
    clock.now += hourMs;
    assert.equal((await setTheme(service, 1, self)).status, 200);
  });

  test('[managers.11] every operation on the own profile needs the bearer token, and no Tab, permission or grant', async () => {
    const [currentPassword, newPassword] = ['violet teapots sing', 'amber kettles hum 42'];
    const passwordHash = await service.dependencies.passwordHasher.hash(currentPassword);
    const token = await issueToken({ passwordHash, tabs: [], permissions: [], grants: [] });
    type Send = (self: { readonly token: string }) => Promise<HttpReply>;
    const values = { Name: 'Nobody', Organisation: 'None', PersonIcon: 'person_star', Theme: 2, RetentionDays: 30 };
    const calls: [id: string, status: number, send: Send][] = [
      ['GetCurrentManager', 200, (self) => getCurrent(service, self)],
      ['GetMyManagerProfile', 200, (self) => getProfile(service, self)],
      ...Object.entries(values).map(([field, value], at): [string, number, Send] => [
        'SetMyManagerProfileField',
        200,
        (self) => setField(service, field, { value, expectedRevision: String(at + 1) }, self),
      ]),
      ['SetCurrentManagerTheme', 200, (self) => setTheme(service, 1, self)],
      ['RequestMyManagerEmailVerification', 202, (self) => requestCode(service, 'nobody@example.org', self)],
      ['ConfirmMyManagerEmail', 200, async (self) => confirmCode(service, code, self)],
      ['ChangeMyManagerPassword', 204, (self) => changePassword(service, { currentPassword, newPassword }, self)],
    ];
    const declared = createOperations(service.dependencies).operations.filter(({ path }) =>
      path.startsWith('/api/v1/session/me'),
    );
    assert.deepEqual(new Set(calls.map(([id]) => id)), new Set(declared.map(({ id }) => id)));
    let code = '';
    for (const [id, status, send] of calls) {
      assert.equal((await send({ token: 'unknown' })).status, 401, id);
      const reply = await send({ token });
      assert.equal(reply.status, status, `${id}: ${reply.text}`);
      if (status === 202) code = await takeCode(service);
    }
    assert.partialDeepStrictEqual((await getProfile(service, { token })).json, {
      name: 'Nobody',
      organisation: 'None',
      personIcon: 'person_star',
      theme: 1,
      retentionDays: 30,
      email: 'nobody@example.org',
      emailVerified: true,
    });
  });

  test('[managers.01, managers.13] only name, organisation, icon, theme and RetentionDays can be set, one by one', async () => {
    const self = await create();
    const values = { Name: 'Åse', Organisation: '', PersonIcon: 'person_star', Theme: 2, RetentionDays: 30 };
    let revision = 1;
    for (const [field, value] of Object.entries(values)) {
      const reply = await setField(service, field, { value, expectedRevision: String(revision) }, self);
      assert.deepEqual([reply.status, reply.json.revision], [200, String(++revision)], reply.text);
      const name = field.charAt(0).toLowerCase() + field.slice(1);
      assert.equal(reply.json[name], value);
      assert.deepEqual((await getProfile(service, self)).json, reply.json);
    }
    for (const field of ['Email', 'UserName', 'name', 'Active', 'Password', 'constructor']) {
      const reply = await setField(service, field, { value: 'x', expectedRevision: String(revision) }, self);
      assert.deepEqual([reply.status, reply.json.code], [400, 'invalid-profile'], field);
    }
  });

  test('the log records the change of each field, but not the new name or organisation', async () => {
    const self = await create();
    const { kid } = (await getProfile(service, self)).json;
    const values = { Name: 'Åse', Organisation: 'Åse Ltd', PersonIcon: 'person_star', Theme: 2, RetentionDays: 30 };
    for (const [at, [field, value]] of Object.entries(values).entries())
      assert.equal((await setField(service, field, { value, expectedRevision: String(at + 1) }, self)).status, 200);
    const entries = await service.read('sund', (db) =>
      db
        .selectFrom('audit_entries')
        .select(['old_values', 'new_values'])
        .where('object', '=', kid)
        .orderBy('sequence')
        .execute(),
    );
    assert.deepEqual(
      entries.map(({ old_values, new_values }) => [old_values, new_values]),
      [
        ['{"name":"changed"}', '{"name":"changed"}'],
        ['{"organisation":"changed"}', '{"organisation":"changed"}'],
        ['{"personIcon":"person"}', '{"personIcon":"person_star"}'],
        ['{"theme":0}', '{"theme":2}'],
        ['{"retentionDays":0}', '{"retentionDays":30}'],
      ],
    );
  });

  test('[managers.04, managers.14, managers.15] a bad value is 400 invalid-profile and changes nothing', async () => {
    const self = await create();
    const table: Record<string, unknown[]> = {
      Name: ['', '  ', 'x'.repeat(201), 'a\nb', 'a\u0000b', 5, null, true, ['x'], undefined],
      Organisation: ['x'.repeat(201), 'a\tb', 1],
      PersonIcon: ['house', 'Person', '', 'person~n5', 'no_such_icon', 1],
      Theme: [3, -1, 1.5, 'Dark', '', '0', '01', '2', '3', true, null],
      RetentionDays: [3651, -1, 0.5, '0', '90', '-1', '1e2', ' 1', '3651', 'many', null],
    };
    for (const [field, values] of Object.entries(table))
      for (const value of values) {
        const reply = await setField(service, field, { value }, self);
        assert.deepEqual([reply.status, reply.json.code], [400, 'invalid-profile'], `${field} ${String(value)}`);
        assert.equal(reply.json.errors[0].path, 'body.value');
      }
    for (const theme of [3, -1, 1.5, '1', null, undefined])
      assert.equal((await setTheme(service, theme, self)).json.code, 'invalid-profile', String(theme));
    for (const expectedRevision of [undefined, 1, null, 'x'.repeat(65)])
      assert.equal(
        (await setField(service, 'Name', { value: 'x', expectedRevision }, self)).json.code,
        'invalid-profile',
      );
    assert.equal((await getProfile(service, self)).json.revision, '1');
  });

  test('[managers.13] the current person icon can be kept, even if it can no longer be chosen', async () => {
    const self = await create();
    const managerId = Number((await getProfile(service, self)).json.kid.split('-M')[1]);
    await service.write('sund', (db) =>
      db.updateTable('managers').set({ person_icon: 'house' }).where('manager_id', '=', managerId).execute(),
    );
    const kept = await setField(service, 'PersonIcon', { value: 'house' }, self);
    assert.deepEqual([kept.status, kept.json.personIcon, kept.json.revision], [200, 'house', '1']);
    assert.equal((await setField(service, 'PersonIcon', { value: 'building' }, self)).status, 400);
  });

  test('[managers.15] numbers are accepted over their whole range', async () => {
    const self = await create();
    let revision = '1';
    for (const [field, value, stored] of [
      ['RetentionDays', 3650, 3650],
      ['RetentionDays', 0, 0],
      ['RetentionDays', 90, 90],
      ['Theme', 2, 2],
      ['Theme', 0, 0],
    ] as const) {
      const { json } = await setField(service, field, { value, expectedRevision: revision }, self);
      assert.equal(field === 'Theme' ? json.theme : json.retentionDays, stored);
      revision = json.revision;
    }
  });

  test('texts are trimmed and composed, and an unchanged value changes neither the revision nor the log', async () => {
    const self = await create('\u00C5se');
    for (const [field, value] of [
      ['Name', ' A\u030Ase '],
      ['RetentionDays', 0],
      ['Theme', 0],
      ['PersonIcon', 'person'],
    ] as const) {
      const { status, json } = await setField(service, field, { value }, self);
      assert.deepEqual([status, json.revision, json.name], [200, '1', 'Åse'], field);
    }
    assert.equal((await setTheme(service, 0, self)).status, 200);
    const { kid } = (await getProfile(service, self)).json;
    const entries = await service.read('sund', (db) =>
      db.selectFrom('audit_entries').select('sequence').where('object', '=', kid).execute(),
    );
    assert.deepEqual(entries, []);
  });

  test('[managers.14] a stale revision is 409 profile-conflict, and of many writes that expect one revision one succeeds', async () => {
    const self = await create();
    const replies = await runInParallel(20, (at) => setField(replicaFor(at), 'Name', { value: `Name ${at}` }, self));
    assert.deepEqual(countOutcomes(replies), { '200': 1, '409 profile-conflict': 19 });
    const { json } = await getProfile(service, self);
    assert.deepEqual([json.revision, json.name], ['2', `Name ${replies.findIndex(({ status }) => status === 200)}`]);
  });

  test('[managers.23] the theme is set without a revision, and GetCurrentManager shows it at once, as it does name and icon', async () => {
    const self = await create();
    assert.equal((await getCurrent(service, self)).json.theme, 0);
    const reply = await setTheme(service, 2, self);
    assert.deepEqual([reply.status, reply.json], [200, { theme: 2 }]);
    assert.equal((await getCurrent(service, self)).json.theme, 2);
    assert.equal((await getProfile(service, self)).json.revision, '2');
    const name = { value: 'New Name', expectedRevision: '2' };
    const icon = { value: 'person_chef', expectedRevision: '3' };
    await setField(service, 'Name', name, self);
    await setField(service, 'PersonIcon', icon, self);
    const { json } = await getCurrent(service, self);
    assert.deepEqual([json.name, json.iconKid], ['New Name', 'person_chef']);
  });

  test('a write accepts an Idempotency-Key: it is done once, and a repetition gets the first answer', async () => {
    const self = { ...(await create()), headers: { 'idempotency-key': 'once' } };
    const [first, again] = [
      await setField(service, 'Name', { value: 'Once' }, self),
      await setField(service, 'Name', { value: 'Once' }, self),
    ];
    assert.deepEqual([first.status, again.status, isReplay(again)], [200, 200, true]);
    assert.equal(again.text, first.text);
  });

  test('every change is recorded, that of personal fields without their values', async () => {
    const self = await create();
    await setField(service, 'Name', { value: 'Recorded' }, self);
    await setField(service, 'RetentionDays', { value: 7, expectedRevision: '2' }, self);
    const { kid } = (await getProfile(service, self)).json;
    const entries = await service.read('sund', (db) =>
      db
        .selectFrom('audit_entries')
        .select(['operation', 'old_values', 'new_values'])
        .where('object', '=', kid)
        .orderBy('sequence')
        .execute(),
    );
    const operation = 'SetMyManagerProfileField';
    assert.deepEqual(entries, [
      { operation, old_values: '{"name":"changed"}', new_values: '{"name":"changed"}' },
      { operation, old_values: '{"retentionDays":0}', new_values: '{"retentionDays":7}' },
    ]);
  });

  test('without storage reads and writes are 503', async () => {
    const self = await create();
    await getProfile(service, self);
    const reply = await callWithoutStorage(service, () => getProfile(service, self), 'managers');
    assert.deepEqual([reply.status, reply.json.code], [503, 'storage-unavailable']);
  });
});

serviceSuite({ now: testNow, replicas: 2, manager: false }, ({ service, replicaFor, issueToken }) => {
  test('on another instance a new name is shown within 60 seconds', async () => {
    const self = { token: await issueToken({ name: 'Before' }) };
    const clock = mockMonotonicClock();
    try {
      assert.equal((await getCurrent(replicaFor(1), self)).json.name, 'Before');
      await setField(service, 'Name', { value: 'After' }, self);
      clock.advance(60_001);
      assert.equal((await getCurrent(replicaFor(1), self)).json.name, 'After');
    } finally {
      clock.restore();
    }
  });
});

serviceSuite({ now: testNow, manager: false }, ({ service, issueToken }) => {
  before(async () => {
    await createBankOfResidents(service, 2001, [{ name: 'Gone' }, { name: 'Stays' }]);
    await service.write('sund', async (db) => {
      await insertTestBank(db, { bankId: 2002 });
      await db
        .updateTable('residents')
        .set({ deleted_at: testNow - 10 * dayMs })
        .where('resident_id', '=', 1001)
        .execute();
    });
  });

  test('[managers.02] RetentionDays shows residents deleted in these days, and gives no other right', async () => {
    const self = { token: await issueToken({ grants: [{ bankId: 2001, locationId: 0 }] }) };
    const listUsers = async (bankId: number) => {
      const { status, json } = await service.call('GET', `/api/v1/banks/sund-B${bankId}/users?state=all`, self);
      return { status, names: json.items?.map(({ name }: { name: string }) => name) };
    };
    assert.deepEqual((await listUsers(2001)).names, ['Stays']);
    const { status: closed } = await listUsers(2002);
    assert.equal(closed, 404);
    for (const [days, names, revision] of [
      [9, ['Stays'], '1'],
      [11, ['Gone', 'Stays'], '2'],
      [3650, ['Gone', 'Stays'], '3'],
      [0, ['Stays'], '4'],
    ] as const) {
      assert.equal(
        (await setField(service, 'RetentionDays', { value: days, expectedRevision: revision }, self)).status,
        200,
      );
      assert.deepEqual((await listUsers(2001)).names, names, `${days}`);
      assert.equal((await listUsers(2002)).status, closed);
    }
    const blind = { token: await issueToken({ retentionDays: 3650, permissions: ['Bank.Read'] }) };
    assert.equal((await service.call('GET', '/api/v1/banks/sund-B2001/users', blind)).status, 403);
  });
});
