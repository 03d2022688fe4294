// All records for devices go through one outbox of their bank: concurrent writers wait for their turn and are not
// refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertBooking, bookingCharge, parseEventId, executeCommand, createBookableBank } from '../support/bookings.ts';
import { testNow } from '../support/times.ts';
import { createToken } from '../support/factories.ts';
import { countOutcomes } from '../support/replicas.ts';
import type { HttpReply } from '../support/call.ts';
import { readDeviceSync } from '../support/reversal.ts';
import { unitIds, callSetUnitSetting } from '../support/unit-settings.ts';
import type { TestService } from '../support/service.ts';
import { serviceSuite } from '../support/service-suite.ts';

serviceSuite({ now: testNow, replicas: 2, manager: false }, ({ engine, service, replicaFor }) => {
  // Several processes on one file wait for each other in no order.
  const of = (turn: number): TestService => (engine === 'sqlite' ? service : replicaFor(turn));

  test('settings of several units and a booking of another are written at once, and none is refused', async () => {
    const units = [1, 2, 3, 4, 5, 6, 7, 8];
    await createBookableBank(service, { places: { 1: [1], 2: units } });
    const booked = await insertBooking(service, { priceMinor: 500n, charge: bookingCharge });
    const { token } = await createToken(service);
    const turned = new AbortController();
    const most = 2000;
    const writeSettings = async (unitId: number): Promise<HttpReply[]> => {
      const replies: HttpReply[] = [];
      let expectedRevision = '0';
      for (let turn = 0; !turned.signal.aborted && turn < most; turn += 1) {
        const reply = await callSetUnitSetting(of(unitId), unitIds(1001, 2, unitId), 'Note', `note ${turn}`, {
          token,
          expectedRevision,
        });
        replies.push(reply);
        expectedRevision = reply.json.revision;
      }
      return replies;
    };
    const commands = 20;
    const turnBooking = async (): Promise<HttpReply[]> => {
      const replies: HttpReply[] = [];
      let event = booked;
      for (let turn = 0; turn < commands; turn += 1) {
        const reply = await executeCommand(of(turn), event, turn % 2 === 0 ? 'Cancel' : 'Restore', { token });
        replies.push(reply);
        if (reply.status !== 200) break;
        event = parseEventId(reply);
      }
      turned.abort();
      return replies;
    };
    const replies = (await Promise.all([turnBooking(), ...units.map(writeSettings)])).flat();
    assert.deepEqual(countOutcomes(replies), { '200': replies.length });
    const ids = (await readDeviceSync(service)).map(({ sync_id }) => sync_id);
    assert.deepEqual(
      ids,
      ids.map((_, index) => index + 1),
    );
    assert.equal(ids.length, replies.length);
  });
});
