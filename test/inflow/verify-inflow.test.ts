// `verify inflow`: streams that only the service has written are sound, and every kind of damage is found.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WriteDb } from '../../src/database/db.ts';
import { verifyInflow } from '../../src/features/inflow/commands/verify-inflow.ts';
import { grantBank } from '../support/granted-banks.ts';
import { runPortal } from '../support/portal-process.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createEquipment, type TestEquipment } from '../support/streams.ts';
import { testNow } from '../support/times.ts';

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager, storage } = suite;

  /** Two epochs with booked, held, resolved and repeated lines, and one of samples. */
  async function sendEverything(): Promise<TestEquipment> {
    const equipment = await createEquipment(suite);
    await equipment.send('money', [
      equipment.use({ ref: 'A' }),
      equipment.use({ key: 'DEADBEEF' }),
      equipment.use({ key: 'DEADBEEF' }),
      equipment.use(),
    ]);
    await service.call('POST', '/equipment/v1/streams/money/epoch', {
      token: equipment.key,
      body: { epoch: 'e2', reason: 'lost' },
    });
    await equipment.send('money', [equipment.use({ ref: 'A' }), equipment.use()], { epoch: 'e2' });
    await equipment.send('samples', [{ t: 'alive', at: '2026-06-15T09:30:00Z' }, { t: 'nonsense' }]);
    const { status } = await service.call('POST', `/api/v1/held-lines/sund-B${equipment.bankId}-H1/resolution`, {
      token: manager.token,
      body: { action: 'accept', expectedRevision: '1' },
    });
    assert.equal(status, 200);
    return equipment;
  }

  const verify = ({ bankId }: TestEquipment) => service.read('sund', (db) => verifyInflow(db, grantBank(bankId)));

  /** Plants damage, returns the kinds that are found, and takes the damage back. */
  async function findPlanted({ bankId }: TestEquipment, plant: (db: WriteDb) => Promise<unknown>): Promise<string[]> {
    let found: string[] = [];
    const writing = service.write('sund', async (db) => {
      await plant(db);
      found = (await verifyInflow(db, grantBank(bankId))).differences.map(({ kind }) => kind);
      throw new Error('taken back');
    });
    await assert.rejects(writing, /taken back/);
    return found;
  }

  test('what the service has stored is sound', async () => {
    const equipment = await sendEverything();
    assert.deepEqual(await verify(equipment), { epochs: 3, lines: 8, held: 3, differences: [] });
    const { code, stdout } = await runPortal(['verify', 'inflow', '--tenant', 'sund'], {
      PORTAL_STORAGE: storage.storageUrl,
    });
    assert.equal(code, 0, stdout);
    assert.match(stdout, new RegExp(`^sund-B${equipment.bankId}: 3 streams, 8 lines, 3 held: sound$`, 'm'));
  });

  test('every kind of damage is found', async () => {
    const equipment = await sendEverything();
    const { bankId } = equipment;
    const money = (db: WriteDb) => db.updateTable('money_lines').where('bank_id', '=', bankId);
    const cases: readonly (readonly [readonly string[], (db: WriteDb) => Promise<unknown>])[] = [
      [
        ['sum of the counts', 'booked lines'],
        (db) =>
          db
            .updateTable('computer_streams')
            .set({ booked: 7 })
            .where('bank_id', '=', bankId)
            .where('stream', '=', 'money')
            .execute(),
      ],
      [
        ['held lines'],
        (db) => db.deleteFrom('held_lines').where('bank_id', '=', bankId).where('stream', '=', 'samples').execute(),
      ],
      [
        ['booked lines'],
        (db) =>
          db
            .deleteFrom('money_lines')
            .where('bank_id', '=', bankId)
            .where('n', '=', 4)
            .where('epoch_number', '=', 0)
            .execute(),
      ],
      [['line without its posting'], (db) => money(db).set({ unit_id: 2 }).where('n', '=', 4).execute()],
      [
        ['line without its posting', 'resolution'],
        (db) =>
          money(db)
            .set({ posting_id: 99 })
            .where('ref', 'is', null)
            .where('n', '=', 2)
            .where('epoch_number', '=', 0)
            .execute(),
      ],
      [
        ['booked lines', 'line without its epoch'],
        (db) => money(db).set({ epoch_number: 9 }).where('n', '=', 4).execute(),
      ],
      [
        ['resolution'],
        (db) =>
          db
            .updateTable('held_lines')
            .set({ posting_id: 1 })
            .where('bank_id', '=', bankId)
            .where('held_id', '=', 2)
            .execute(),
      ],
      [['line after the last one'], (db) => money(db).set({ n: 50 }).where('n', '=', 4).execute()],
    ];
    for (const [kinds, plant] of cases)
      assert.deepEqual((await findPlanted(equipment, plant)).toSorted(), kinds.toSorted(), plant.toString());
    // The database itself keeps two lines from having one posting.
    const doubled = service.write('sund', (db) => money(db).set({ posting_id: 1 }).where('n', '=', 4).execute());
    await assert.rejects(doubled, { name: 'DuplicateError' });
    assert.deepEqual((await verify(equipment)).differences, []);
  });
});
