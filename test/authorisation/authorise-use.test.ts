// AuthoriseUse: whether the holder of a key may use a unit of the computer that asks, and why not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unitTypeCode } from '../../src/features/places/rules/unit-types.ts';
import { insertBooking } from '../support/bookings.ts';
import { insertEnrolledComputer } from '../support/enrolled-computers.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createEquipment, tagOf, type TestEquipment } from '../support/streams.ts';
import { hourMs, testNow } from '../support/times.ts';
import { insertSetting, unitIds, updateUnit } from '../support/unit-settings.ts';

serviceSuite({ now: testNow }, (suite) => {
  const { service } = suite;
  const ask = async (equipment: TestEquipment, change: Record<string, unknown> = {}, token = equipment.key) => {
    const body = { unit: equipment.unit('1-1'), key: tagOf(equipment.bankId), ...change };
    const { status, json, text } = await service.call('POST', '/equipment/v1/authorise', { token, body });
    assert.equal(status, 200, text);
    return json;
  };
  const residentKid = ({ bankId }: TestEquipment, residentId = 1001) => `sund-B${bankId}-R${residentId}`;
  const allowed = (equipment: TestEquipment, residentId = 1001) => ({
    allowed: true,
    reason: null,
    residentKid: residentKid(equipment, residentId),
  });
  const refused = (reason: string, kid: string | null = null) => ({ allowed: false, reason, residentKid: kid });
  const store = ({ bankId }: TestEquipment, name: string, value: string) =>
    service.write('sund', (db) => insertSetting(db, unitIds(bankId), { name, value }));
  const updateResident = ({ bankId }: TestEquipment, change: Record<string, number | null>) =>
    service.write('sund', async (db) => {
      await db
        .updateTable('residents')
        .set(change)
        .where('bank_id', '=', bankId)
        .where('resident_id', '=', 1001)
        .execute();
    });

  test('a resident with a tag or a card may use a unit, however the number is written', async () => {
    const equipment = await createEquipment(suite);
    assert.deepEqual(await ask(equipment), allowed(equipment));
    assert.deepEqual(await ask(equipment, { key: `04:a2:${equipment.bankId}` }), allowed(equipment));
    const card = `${equipment.bankId}12345`;
    assert.deepEqual(await ask(equipment, { key: `Card:${card}` }), allowed(equipment, 1002));
    assert.deepEqual(await ask(equipment, { key: card }), refused('unknown-key'));
  });

  test('unknown, malformed and foreign keys get one and the same answer', async () => {
    const [equipment, other] = [await createEquipment(suite), await createEquipment(suite)];
    for (const key of ['04FFFFFF', '?', tagOf(other.bankId), 'Card:04A2', "' or 1=1 --"])
      assert.deepEqual(await ask(equipment, { key }), refused('unknown-key'), key);
  });

  test('a unit that is missing, malformed, or of another computer, bank or tenant gets one and the same answer', async () => {
    const [equipment, other] = [await createEquipment(suite), await createEquipment(suite)];
    const { bankId } = equipment;
    await service.write('sund', (db) => insertEnrolledComputer(db, { bankId, computerId: 2, units: [[2, 1]] }));
    const units = [equipment.unit('2-1'), equipment.unit('9-9'), other.unit('1-1'), `fjord-B${bankId}-L1-U1`, 'U1'];
    for (const unit of units)
      for (const key of [tagOf(bankId), '04FFFFFF'])
        assert.deepEqual(await ask(equipment, { unit, key }), refused('unknown-unit'), unit);
  });

  test('a resident who is disabled, expired or deleted may use nothing, and is not named', async () => {
    const changes = [
      [{ enabled: 0 }, 'resident-disabled'],
      [{ expired_at: testNow }, 'resident-expired'],
      [{ deleted_at: testNow - hourMs }, 'unknown-key'],
    ] as const;
    for (const [change, reason] of changes) {
      const equipment = await createEquipment(suite);
      await updateResident(equipment, change);
      assert.deepEqual(await ask(equipment), refused(reason));
      assert.deepEqual(await ask(equipment, { key: `Card:${equipment.bankId}12345` }), allowed(equipment, 1002));
    }
  });

  test('a unit that is disabled or out of order cannot be used', async () => {
    const disabled = await createEquipment(suite);
    await service.write('sund', (db) => updateUnit(db, unitIds(disabled.bankId), { enabled: 0 }));
    assert.deepEqual(await ask(disabled), refused('unit-disabled', residentKid(disabled)));
    for (const [name, value] of [
      ['OutOfOrder', 'true'],
      ['AutoOutOfOrder', '17'],
    ] as const) {
      const equipment = await createEquipment(suite);
      await store(equipment, name, value);
      assert.deepEqual(await ask(equipment), refused('out-of-order', residentKid(equipment)), name);
      assert.deepEqual(await ask(equipment, { unit: equipment.unit('1-2') }), allowed(equipment));
    }
  });

  test('a closed unit cannot be used, one with unknown hours can, and a door that is free in its hours opens by key outside of them', async () => {
    const equipment = await createEquipment(suite);
    const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
    for (const weekday of weekdays) await store(equipment, `Opening${weekday}`, 'closed');
    assert.deepEqual(await ask(equipment), refused('closed', residentKid(equipment)));
    assert.deepEqual(await ask(equipment, { unit: equipment.unit('1-2') }), allowed(equipment));
    await service.write('sund', (db) => updateUnit(db, unitIds(equipment.bankId), { unit_type: unitTypeCode('door') }));
    assert.deepEqual(await ask(equipment), refused('closed', residentKid(equipment)));
    await store(equipment, 'FreeInOpeningHours', 'true');
    assert.deepEqual(await ask(equipment), allowed(equipment));
    await store(equipment, 'AccessMode', 'Blocked');
    assert.deepEqual(await ask(equipment), refused('blocked', residentKid(equipment)));
  });

  test('a booked unit is for the resident who booked it, from the start of the booking until its end', async () => {
    const equipment = await createEquipment(suite);
    const { bankId } = equipment;
    await insertBooking(service, { residentId: 1002, startAt: testNow + hourMs, createdAt: testNow - hourMs }, bankId);
    const card = `Card:${bankId}12345`;
    assert.deepEqual(await ask(equipment), allowed(equipment));
    suite.clock.now = testNow + hourMs;
    assert.deepEqual(await ask(equipment), refused('booked-by-other', residentKid(equipment)));
    assert.deepEqual(await ask(equipment, { key: card }), allowed(equipment, 1002));
    suite.clock.now = testNow + 2 * hourMs;
    assert.deepEqual(await ask(equipment), allowed(equipment));
  });

  test('a body that is incomplete or has more is refused', async () => {
    const equipment = await createEquipment(suite);
    const unit = equipment.unit('1-1');
    for (const body of [{}, { unit }, { unit, key: '' }, { unit, key: 1 }, { unit, key: '04A2', name: 'x' }]) {
      const { status } = await service.call('POST', '/equipment/v1/authorise', { token: equipment.key, body });
      assert.equal(status, 400, JSON.stringify(body));
    }
  });
});
