// What managers see of the records for devices, and how they send one again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAuditEntries } from '../support/audit.ts';
import { readDesired } from '../support/desired.ts';
import { moveToReykjavik } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createEquipment, type TestEquipment } from '../support/streams.ts';
import { executeUserCommand } from '../support/resident-calls.ts';
import { testNow } from '../support/times.ts';

type Item = {
  readonly syncId: number;
  readonly state: string;
  readonly revision: string;
  readonly settingLabel: string | null;
};

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager } = suite;
  const at = new Date(Date.UTC(2000, 0, 1) + testNow).toISOString();
  const path = ({ bankId }: TestEquipment, rest = '') => `/api/v1/banks/sund-B${bankId}/device-syncs${rest}`;
  const list = (equipment: TestEquipment, query = '', token = manager.token) =>
    service.call('GET', path(equipment, query), { token });
  const retry = (equipment: TestEquipment, syncId: number, body: object = {}, token = manager.token) =>
    service.call('POST', path(equipment, `/${syncId}/retry`), { token, body });
  const putSetting = async (equipment: TestEquipment, value: number, expectedRevision = '0', place = '1-1') => {
    const { status, text } = await service.call(
      'PUT',
      `/api/v1/units/${equipment.unit(place)}/settings/MaxTemperature`,
      { token: manager.token, body: { value, expectedRevision } },
    );
    assert.equal(status, 200, text);
  };
  /** A setting that the device has refused. */
  const failSetting = async (equipment: TestEquipment) => {
    await putSetting(equipment, 60);
    await readDesired(service, equipment.key, 0);
    await equipment.send('samples', [{ t: 'applied', at, v: 1, ok: false, code: 'E12' }]);
  };
  const statesOf = ({ json }: { json: { items: Item[] } }) => json.items.map(({ syncId, state }) => [syncId, state]);

  test('the records are listed newest first, by state and by unit, a page at a time', async () => {
    const equipment = await createEquipment(suite);
    await moveToReykjavik(service, equipment.bankId);
    await failSetting(equipment);
    await putSetting(equipment, 40, '0', '1-2');
    const { status, json } = await list(equipment);
    assert.equal(status, 200);
    assert.deepEqual(json.items[1], {
      syncId: 1,
      subject: 'setting',
      unitKid: equipment.unit('1-1'),
      setting: 'MaxTemperature',
      settingLabel: 'Maximum temperature',
      state: 'failed',
      code: 'E12',
      attempts: 1,
      queuedUtc: at,
      changedUtc: at,
      timeZone: 'Atlantic/Reykjavik',
      revision: json.items[1].revision,
    });
    assert.deepEqual(statesOf(await list(equipment, '?state=failed')), [[1, 'failed']]);
    assert.deepEqual(statesOf(await list(equipment, `?unitKid=${equipment.unit('1-2')}`)), [[2, 'queued']]);
    assert.deepEqual(statesOf(await list(equipment, '?unitKid=sund-B1-L1-U1')), []);
    const { json: page } = await list(equipment, '?limit=1');
    assert.deepEqual([statesOf({ json: page }), page.hasMore], [[[2, 'queued']], true]);
    assert.deepEqual(statesOf(await list(equipment, `?limit=1&cursor=${page.nextCursor}`)), [[1, 'failed']]);
  });

  test('a setting has its name in the language of the answer', async () => {
    const equipment = await createEquipment(suite);
    await failSetting(equipment);
    const danish = { token: manager.token, headers: { 'accept-language': 'da' } };
    const labels = async () =>
      (await service.call('GET', path(equipment), danish)).json.items.map((item: Item) => item.settingLabel);
    assert.deepEqual(await labels(), ['Højeste temperatur']);
    const { json } = await service.call('POST', path(equipment, '/1/retry'), { ...danish, body: {} });
    assert.equal(json.settingLabel, 'Højeste temperatur');
    assert.deepEqual(await labels(), ['Højeste temperatur', null]);
  });

  test('what a device refused is sent again as a new record, to which its setting belongs', async () => {
    const equipment = await createEquipment(suite);
    await failSetting(equipment);
    const { json: before } = await list(equipment);
    const { status, json } = await retry(equipment, 1, { expectedRevision: before.items[0].revision });
    assert.equal(status, 200, JSON.stringify(json));
    assert.deepEqual([json.syncId, json.state, json.setting, json.attempts], [2, 'queued', 'MaxTemperature', 0]);
    assert.deepEqual(statesOf(await list(equipment)), [
      [2, 'queued'],
      [1, 'superseded'],
    ]);
    const told = await readDesired(service, equipment.key, 1);
    assert.deepEqual(
      told.json.changes.map(({ v, value }: { v: number; value: number }) => [v, value]),
      [[2, 60]],
    );
    await equipment.send('samples', [{ t: 'applied', at, v: 2, ok: true }], { first: 2 });
    const group = await service.call('GET', `/api/v1/units/${equipment.unit('1-1')}/settings/MaxTemperature/history`, {
      token: manager.token,
    });
    assert.equal(group.json.items[0].synced, true, group.text);
    const entries = await readAuditEntries(service);
    assert.ok(entries.some(({ operation }) => operation === 'RetryDeviceSync'));
  });

  test('keys that ended are sent again with the record of their resident', async () => {
    const equipment = await createEquipment(suite);
    const key = `${equipment.bankId}ABCDEF`;
    const command = (name: string, expectedRevision: string) =>
      executeUserCommand(
        service,
        1001,
        { command: name, expectedRevision, value: key },
        { bankId: equipment.bankId, token: manager.token },
      );
    await command('AddKey', '1');
    await command('RemoveKey', '2');
    await readDesired(service, equipment.key, 0);
    await equipment.send('samples', [{ t: 'applied', at, v: 2, ok: false, code: 'FULL' }]);
    assert.equal((await retry(equipment, 2)).status, 200);
    const { json } = await readDesired(service, equipment.key, 2);
    assert.ok(json.changes.some((change: { key: string; removed?: true }) => change.key === key && change.removed));
  });

  test('nothing but what has failed and still holds is sent again', async () => {
    const equipment = await createEquipment(suite);
    await failSetting(equipment);
    const conflictOf = ({ status, json }: { status: number; json: { code: string } }) => [status, json.code];
    assert.deepEqual(conflictOf(await retry(equipment, 1, { expectedRevision: '0-0' })), [409, 'sync-conflict']);
    await putSetting(equipment, 90, '2');
    assert.deepEqual(conflictOf(await retry(equipment, 1)), [409, 'sync-conflict']);
    assert.deepEqual(conflictOf(await retry(equipment, 2)), [409, 'sync-conflict']);
    assert.deepEqual(conflictOf(await retry(equipment, 3)), [404, 'not-found']);
  });

  test('a repeated request with the same key queues one record', async () => {
    const equipment = await createEquipment(suite);
    await failSetting(equipment);
    const send = () =>
      service.call('POST', path(equipment, '/1/retry'), {
        token: manager.token,
        body: {},
        headers: { 'idempotency-key': 'retry-of-a-record-1' },
      });
    const [first, second] = [await send(), await send()];
    assert.deepEqual([first.status, second.status, second.text], [200, 200, first.text]);
    assert.equal((await list(equipment)).json.items.length, 2);
  });

  test('a grant of locations shows and sends again what concerns units there alone', async () => {
    const equipment = await createEquipment(suite);
    await failSetting(equipment);
    await executeUserCommand(service, 1001, { command: 'Disable' }, { bankId: equipment.bankId, token: manager.token });
    const own = await suite.issueToken({ grants: [{ bankId: equipment.bankId, locationId: 1 }] });
    const other = await suite.issueToken({ grants: [{ bankId: equipment.bankId, locationId: 2 }] });
    assert.deepEqual(statesOf(await list(equipment, '', own)), [[1, 'failed']]);
    assert.deepEqual(statesOf(await list(equipment, '', other)), []);
    assert.equal((await retry(equipment, 1, {}, other)).status, 404);
    assert.equal((await retry(equipment, 1, {}, own)).status, 200);
  });
});
