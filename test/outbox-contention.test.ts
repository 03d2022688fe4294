// Everything that devices have to learn goes through one outbox of their bank: whoever writes to it waits for a turn, and
// is not turned away because others write all the time.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, charge, eventOf, execute, now, openBookable } from './support/bookings.ts';
import { makeToken } from './support/factories.ts';
import { instantOf } from './support/oracle.ts';
import { outcomesOf, startReplicas, type Replicas } from './support/races.ts';
import type { Reply } from './support/call.ts';
import { storedSyncs } from './support/reversal.ts';
import { onBothEngines } from './support/service.ts';
import { at, setSetting } from './support/settings.ts';

onBothEngines((engine) => {
  let replicas: Replicas;
  let of: Replicas['of'];
  before(async () => {
    replicas = await startReplicas(engine, { clock: () => instantOf(now).epochMilliseconds });
    // Several processes on one file wait for each other in no order.
    of = (turn) => (engine === 'sqlite' ? replicas.service : replicas.of(turn));
  });
  after(() => replicas.stop());

  test(`settings of several units and a booking of another are written at once, and none is refused (${engine})`, async () => {
    const { service } = replicas;
    const unitIds = [1, 2, 3, 4, 5, 6, 7, 8];
    await openBookable(service, { places: { 1: [1], 2: unitIds } });
    const booked = await book(service, { priceMinor: 500n, charge });
    const { token } = await makeToken(service);
    const turned = new AbortController();
    const most = 2000;
    const writeSettings = async (unitId: number): Promise<Reply[]> => {
      const replies: Reply[] = [];
      let expectedRevision = '0';
      for (let turn = 0; !turned.signal.aborted && turn < most; turn += 1) {
        const reply = await setSetting(of(unitId), at(1001, 2, unitId), 'Note', `note ${turn}`, {
          token,
          expectedRevision,
        });
        replies.push(reply);
        expectedRevision = reply.json.revision;
      }
      return replies;
    };
    const commands = 20;
    const turnBooking = async (): Promise<Reply[]> => {
      const replies: Reply[] = [];
      let event = booked;
      for (let turn = 0; turn < commands; turn += 1) {
        const reply = await execute(of(turn), event, turn % 2 === 0 ? 'Cancel' : 'Restore', { token });
        replies.push(reply);
        if (reply.status !== 200) break;
        event = eventOf(reply);
      }
      turned.abort();
      return replies;
    };
    const replies = (await Promise.all([turnBooking(), ...unitIds.map(writeSettings)])).flat();
    assert.deepEqual(outcomesOf(replies), { '200': replies.length });
    const ids = (await storedSyncs(service)).map(({ sync_id }) => sync_id);
    assert.deepEqual(
      ids,
      ids.map((_, index) => index + 1),
    );
    assert.equal(ids.length, replies.length);
  });
});
