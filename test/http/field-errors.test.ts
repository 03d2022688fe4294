// A refused request learns of every wrong field at once, with the limit that holds, under the name that was sent.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { HttpReply } from '../support/call.ts';
import { insertTestBank } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { servicePath } from '../support/services.ts';

const users = '/api/v1/banks/sund-B1001/users';

const errorsOf = ({ status, json }: HttpReply): Record<string, string> => {
  assert.equal(status, 400);
  const errors = json.errors as { path: string; message: string }[];
  assert.ok(errors.some(({ path, message }) => json.detail === `${path} ${message}`));
  return Object.fromEntries(errors.map(({ path, message }) => [path, message]));
};

serviceSuite({}, ({ service, manager }) => {
  before(() => service.write('sund', (db) => insertTestBank(db)));

  const send = (method: string, path: string, body?: unknown) => service.call(method, path, { ...manager, body });

  test('[general.35] every wrong field of a body is named in one answer', async () => {
    const resident = {
      name: ' ',
      email: 'x',
      phone: 'abc',
      language: 'xx',
      apartment: 'x'.repeat(65),
      locationKid: 'sund-B1001',
      other: 1,
    };
    const created = await send('POST', users, resident);
    assert.equal(created.json.code, 'invalid-user');
    assert.deepEqual(
      new Set(Object.keys(errorsOf(created))),
      new Set(Object.keys(resident).map((name) => `body.${name}`)),
    );
    const address = await send('PUT', '/api/v1/addresses/sund-B1001', {
      address: `x\u0000`,
      zip: 'x'.repeat(65),
      expectedRevision: 1,
    });
    assert.deepEqual(errorsOf(address), {
      'body.expectedRevision': 'must be a text',
      'body.address': 'must have no control characters',
      'body.zip': 'must have at most 64 characters',
    });
    const passwords = { currentPassword: 'x', newPassword: 'short', repeatPassword: 'other' };
    const password = errorsOf(await send('POST', '/api/v1/session/me/password', passwords));
    assert.deepEqual(Object.keys(password), ['body.repeatPassword', 'body.newPassword']);
    const grant = { operations: ['Nope', 'GetServices', 'None'], expectedRevision: '1' };
    const access = errorsOf(await send('PUT', servicePath('Backup', '/read-access'), grant));
    assert.deepEqual(Object.keys(access), ['body.operations.0', 'body.operations.2']);
  });

  test('[general.35] a text that is too long is told the limit of its field', async () => {
    for (const length of [201, 1001, 20_000]) {
      const name = 'x'.repeat(length);
      const message = 'must have at most 200 characters';
      assert.deepEqual(errorsOf(await send('POST', users, { name })), { 'body.name': message });
      const value = { value: name, expectedRevision: '1' };
      for (const path of [
        `${users}/sund-B1001-R1001/commands/SetName`,
        '/api/v1/session/me/profile/Name',
        servicePath('Backup', '/profile/Name'),
      ])
        if (length < 4000 || !path.includes('/services/'))
          assert.deepEqual(errorsOf(await send('POST', path, value)), { 'body.value': message }, path);
    }
  });

  test('[errors.01] a field error has a stable code, and the limit that the value breaks', async () => {
    const faultsOf = async (path: string, body: unknown): Promise<unknown> => {
      const { json } = await send('POST', path, body);
      return (json.errors as { path: string; code?: string; limit?: string }[]).map((error) => [
        error.path,
        error.code,
        error.limit,
      ]);
    };
    assert.deepEqual(await faultsOf(users, { email: 'x', phone: 'abc', other: 1, apartment: 'x'.repeat(65) }), [
      ['body.name', 'required', undefined],
      ['body.other', 'unknown-field', undefined],
      ['body.email', 'not-an-email', undefined],
      ['body.phone', 'not-a-phone', undefined],
      ['body.apartment', 'too-long', '64'],
    ]);
    const days = { value: 3651, expectedRevision: '1' };
    assert.deepEqual(await faultsOf('/api/v1/session/me/profile/RetentionDays', days), [
      ['body.value', 'too-large', '3650'],
    ]);
    assert.deepEqual(await faultsOf('/api/v1/session/me/profile/RetentionDays', { ...days, value: 'many' }), [
      ['body.value', 'not-a-number', undefined],
    ]);
  });

  test('[general.35] an interval is refused by the name of the parameter that was sent', async () => {
    const [past, future] = ['2001-01-01', '2099-01-01'];
    const bookings = '/api/v1/banks/sund-B1001/bookings';
    const account = '/api/v1/banks/sund-B1001/account';
    const documents = '/api/v1/banks/sund-B1001/documents';
    for (const [target, path] of [
      [`${bookings}?from=${future}`, 'query.from'],
      [`${bookings}?from=${past}`, 'query.from'],
      [`${bookings}?through=${past}`, 'query.through'],
      [`${account}?From=${future}`, 'query.From'],
      [`${account}?Through=${past}`, 'query.Through'],
      [`${documents}?from=${past}T00:00:00Z`, 'query.from'],
    ] as const)
      assert.deepEqual(Object.keys(errorsOf(await send('GET', target))), [path], target);
  });

  test('[general.35] both wrong ends of an interval are named in one answer', async () => {
    const bank = '/api/v1/banks/sund-B1001';
    for (const [path, from, through] of [
      [`${bank}/bookings`, 'from', 'through'],
      [`${bank}/account`, 'From', 'Through'],
      [`${bank}/documents`, 'from', 'through'],
      ['/api/v1/audit', 'from', 'through'],
    ] as const) {
      const errors = errorsOf(await send('GET', `${path}?${from}=yesterday&${through}=2026-02-30`));
      assert.deepEqual(Object.keys(errors), [`query.${from}`, `query.${through}`], path);
    }
  });
});
