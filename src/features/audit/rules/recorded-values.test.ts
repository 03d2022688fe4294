// Tests which values the audit log records, and that it records no personal value and no secret.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatRecordedValues, withoutValues, type RecordedValues } from './recorded-values.ts';

const recorded = (object: string, values: RecordedValues): unknown =>
  JSON.parse(formatRecordedValues(object, values) ?? 'null');

test('values are recorded as JSON, and missing values as null', () => {
  assert.equal(formatRecordedValues('sund-B1', null), null);
  assert.deepEqual(recorded('sund-B1-L2-U3', { setting: 'Program', value: '40 °C', rows: 3, done: true, none: null }), {
    setting: 'Program',
    value: '40 °C',
    rows: 3,
    done: true,
    none: null,
  });
});

test('only values of a resident that are not personal are recorded', () => {
  const values = {
    command: 'SetName',
    name: 'Ada Lund',
    email: 'ada@example.org',
    phone: '+4511223344',
    apartment: '2 tv',
    address: 'Street 1',
    zip: '1000',
    latitude: 55,
    somethingNew: 'x',
    enabled: true,
    locationKid: 'sund-B1-L2',
  };
  const { command, enabled, locationKid, ...personal } = values;
  assert.deepEqual(recorded('sund-B1-R1001', values), {
    command,
    enabled,
    locationKid,
    ...withoutValues(Object.keys(personal)),
  });
});

test('a personal field that was or becomes empty is recorded as empty', () => {
  assert.deepEqual(recorded('sund-B1-R1001', { email: null }), { email: null });
});

for (const object of ['sund-M1001', 'sund-I2001'])
  test(`only rights and choices of ${object} are recorded`, () => {
    const open = {
      tabs: ['Account2'],
      permissions: ['Bank.Read'],
      grants: ['sund-B1001'],
      scopes: ['sund'],
      active: false,
      icon: 'person',
      personIcon: 'person_star',
      theme: 2,
      retentionDays: 30,
      emailVerified: 1,
    };
    const personal = {
      name: 'Ada Lund',
      organisation: 'Demo Laundries',
      email: 'ada@example.org',
      phone: '1',
      somethingNew: 'x',
    };
    assert.deepEqual(recorded(object, { ...open, ...personal }), {
      ...open,
      ...withoutValues(Object.keys(personal)),
    });
  });

for (const object of ['sund-B1', 'sund-B1-R1001', 'sund-M1001', 'sund-B0-M3', 'sund'])
  test(`a secret of ${object} is never recorded`, () => {
    const fields = ['password', 'pin', 'token', 'activationCode', 'verificationCode', 'key', 'ApiKeyHash', 'PIN'];
    const values = Object.fromEntries(fields.map((field) => [field, '1234']));
    assert.deepEqual(recorded(object, values), withoutValues(fields));
  });

test('the address of a location is recorded', () => {
  const values = { name: 'Harbour House', address: 'Harbour 1', zip: '1000' };
  assert.deepEqual(recorded('sund-B1-L1', values), values);
});
