// The reference computer against the service: what it records is booked once, and what managers change arrives.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test, type TestContext } from 'node:test';
import { createSeededRandom } from '../../demo/random.ts';
import type { Computer } from '../../equipment-client/computer.ts';
import { waitUntil } from '../support/async.ts';
import { createComputer } from '../support/computers.ts';
import { insertTestBank, insertTestResident, setTenantSetting } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { settingPath } from '../support/unit-settings.ts';
import { createFolder, openTestComputer } from './support/test-computer.ts';

serviceSuite({}, ({ service, manager }) => {
  const unit = 'sund-B1001-L1-U1';
  before(async () => {
    await service.write('sund', async (db) => {
      await insertTestBank(db, { places: { 1: [1, 2, 3] } });
      await setTenantSetting(db, 'accountingRetentionDays', '400');
      await insertTestResident(db, 1042);
      const key = { key_number: '04A21B33', kind: 'Tag', added_at: 0, held_number: '04A21B33' };
      await db
        .insertInto('resident_keys')
        .values({ bank_id: 1001, resident_id: 1042, ...key })
        .execute();
    });
  });

  async function enrolComputer(t: TestContext, name: string, units: readonly string[]): Promise<Computer> {
    const created = await createComputer(service, { name, units, ...manager });
    assert.equal(created.status, 201, created.text);
    const computer = openTestComputer({
      file: join(createFolder(t), 'computer.sqlite'),
      service: `http://127.0.0.1:${service.port}`,
      host: 'api.sund.localhost',
      onHeld: (lines) => assert.fail(JSON.stringify(lines)),
      onError: (error) => assert.fail(String(error)),
    });
    t.after(computer.stop);
    assert.equal(await computer.enrol(created.json.enrolmentCode), created.json.computer.kid);
    return computer;
  }

  const allSent = (computer: Computer): Promise<void> =>
    waitUntil('all lines are sent', () => computer.status().buffered === 0);

  test('uses are booked once and in order, also after the key was changed', async (t) => {
    const computer = await enrolComputer(t, 'first', ['1-1']);
    const random = createSeededRandom('uses');
    computer.start();
    let recorded = 0;
    for (let round = 0; round < 10; round += 1) {
      for (let count = random.int(1, 8); count > 0; count -= 1) {
        recorded += 1;
        const amountMinor = String(-recorded);
        const ref = `A-${recorded}`;
        computer.record({ t: 'use', unit, key: '04A21B33', amountMinor, currency: 'DKK', text: '60°', ref });
      }
      if (round === 5) assert.equal(await computer.rotateKey(), true);
      await allSent(computer);
    }
    const { json } = await service.call('GET', '/api/v1/banks/sund-B1001/account?Period=0&limit=200', manager);
    const amounts = json.items.map(({ amountMinor }: { amountMinor: number }) => amountMinor);
    assert.deepEqual(
      amounts.toSorted((a: number, b: number) => b - a),
      Array.from({ length: recorded }, (_, at) => -1 - at),
    );
  });

  test('a changed setting is acknowledged, and the digests are those of the service', async (t) => {
    const computer = await enrolComputer(t, 'second', ['1-2']);
    computer.start();
    await waitUntil('the snapshot is applied', () => (computer.status().version ?? '') !== '');
    const kid = { bankId: 1001, locationId: 1, unitId: 2 };
    const body = { value: 40, expectedRevision: '0' };
    const written = await service.call('PUT', settingPath(kid, 'MaxTemperature'), { ...manager, body });
    assert.equal(written.status, 200, written.text);
    const isSynced = async (): Promise<boolean> => {
      const { json } = await service.call('GET', '/api/v1/units/sund-B1001-L1-U2/groups/Operation', manager);
      return json.values.find(({ name }: { name: string }) => name === 'MaxTemperature').synced === true;
    };
    await waitUntil('the setting is acknowledged', isSynced);
    assert.partialDeepStrictEqual(computer.entries('setting'), [{ name: 'MaxTemperature', value: 40 }]);
    assert.deepEqual(
      computer.entries('key').map(({ key }) => key),
      ['04A21B33'],
    );
    await waitUntil('the digests are equal', async () => {
      computer.record({ t: 'alive' });
      await allSent(computer);
      const { json } = await service.call('GET', '/api/v1/banks/sund-B1001/computers', manager);
      return json.items.find(({ name }: { name: string }) => name === 'second').digestsEqual === true;
    });
  });
});
