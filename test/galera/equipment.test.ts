// Computers on a Galera cluster, with a service on each of two nodes: lines are stored once whichever node gets them, and
// what one node has acknowledged holds on the other with the next request.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { verifyBankRollups } from '../../src/features/account/verification/verify-bank-rollups.ts';
import { verifyInflow } from '../../src/features/inflow/commands/verify-inflow.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { createBusyComputers, runBusyComputers } from '../support/busy-computers.ts';
import type { HttpReply } from '../support/call.ts';
import { readDesired } from '../support/desired.ts';
import { createToken } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { queueTestSync } from '../support/queued-syncs.ts';
import type { TestService } from '../support/service.ts';
import { createEquipment, formatBody, type StreamLineInput, type TestEquipment } from '../support/streams.ts';
import { callSetUnitSetting } from '../support/unit-settings.ts';
import { noGalera, startCluster, type GaleraCluster } from './support/galera-cluster.ts';
import { startReplicas } from './support/galera-services.ts';

describe('equipment on galera', { skip: noGalera }, () => {
  let cluster: GaleraCluster;
  let services: [TestService, TestService];
  let token: string;
  let lastBankId = 2000;
  before(async () => {
    cluster = await startCluster();
    services = await startReplicas(cluster);
    ({ token } = await createToken(services[0]));
  });
  after(async () => {
    await Promise.all((services ?? []).map((service) => service.stop()));
    await cluster?.stop();
  });

  const now = () => new Date().toISOString();
  const createOnFirst = (): Promise<TestEquipment> =>
    createEquipment({
      service: services[0],
      clock: { now: toMs2000(Date.now()) },
      nextBankId: () => (lastBankId += 1),
    });
  const sendTo = (
    at: 0 | 1,
    { key }: TestEquipment,
    lines: readonly StreamLineInput[],
    { stream = 'money', ...header }: { readonly stream?: string; readonly first?: number } = {},
  ): Promise<HttpReply> =>
    services[at].call('POST', `/equipment/v1/streams/${stream}`, {
      token: key,
      rawBody: formatBody(lines, { sentAt: now(), ...header }),
      headers: { 'content-type': 'application/jsonl' },
    });
  const onBoth = <T>(work: (at: 0 | 1) => Promise<T>): Promise<[T, T]> => Promise.all([work(0), work(1)]);
  const statusesOf = (replies: readonly HttpReply[]): number[] =>
    replies.map(({ status }) => status).toSorted((a, b) => a - b);

  async function assertSound(bankId: number): Promise<void> {
    for (const service of services) {
      const found = await service.read('sund', async (db) => ({
        inflow: await verifyInflow(db, grantBank(bankId)),
        rollups: await verifyBankRollups(db, grantBank(bankId)),
      }));
      assert.deepEqual([found.inflow.differences, found.rollups.differences], [[], []]);
      assert.deepEqual(await verifyBankLedger(service, bankId), []);
    }
  }

  test('the same lines, sent to both nodes at once and again, are booked once', async () => {
    const equipment = await createOnFirst();
    for (let round = 0; round < 10; round += 1) {
      const lines = [equipment.use({ ref: `A-${round}` }), equipment.use({ key: 'DEADBEEF' }), equipment.use()];
      const first = round * 3 + 1;
      const replies = await onBoth((at) => sendTo(at, equipment, lines, { first }));
      assert.deepEqual(statusesOf(replies), [200, 200], replies.map(({ text }) => text).join('\n'));
      const [one, other] = replies.map(({ json }) => json);
      assert.deepEqual([one.through, one.held], [other.through, other.held]);
      assert.equal(one.repeated + other.repeated, 3);
      const again = await sendTo(1, equipment, lines, { first });
      assert.deepEqual([again.json.through, again.json.repeated, again.json.held], [first + 2, 3, one.held]);
    }
    assert.equal((await equipment.postings()).length, 20);
    await assertSound(equipment.bankId);
  });

  test('overlapping parts of a stream at both nodes at once store each line once', async () => {
    const equipment = await createOnFirst();
    const lines = Array.from({ length: 60 }, (_, at) => equipment.use({ ref: `A-${at}` }));
    for (let from = 0; from < 60; from += 10) {
      const replies = await onBoth((at) =>
        sendTo(at, equipment, lines.slice(from, from + (at === 0 ? 6 : 10)), { first: from + 1 }),
      );
      assert.deepEqual(statusesOf(replies), [200, 200]);
    }
    assert.equal((await equipment.postings()).length, 60);
    await assertSound(equipment.bankId);
  });

  test('the two streams of many computers at both nodes, with polls and changes of settings, do not fail', async () => {
    const bankId = (lastBankId += 1);
    const computers = await createBusyComputers(services, { bankId, count: 4 });
    await runBusyComputers(computers, { rounds: 5, managerToken: token });
    await assertSound(bankId);
  });

  test('a held line that is resolved on both nodes at once is booked once', async () => {
    const equipment = await createOnFirst();
    const lines = Array.from({ length: 8 }, () => equipment.use({ key: 'DEADBEEF' }));
    await sendTo(0, equipment, lines);
    for (let id = 1; id <= lines.length; id += 1) {
      const replies = await onBoth((at) =>
        services[at].call('POST', `/api/v1/held-lines/sund-B${equipment.bankId}-H${id}/resolution`, {
          token,
          body: { action: 'assign', userKid: `sund-B${equipment.bankId}-R1001`, expectedRevision: '1' },
        }),
      );
      assert.deepEqual(statusesOf(replies), [200, 409], replies.map(({ text }) => text).join('\n'));
    }
    assert.equal((await equipment.postings()).length, lines.length);
    await assertSound(equipment.bankId);
  });

  test('a setting that one node has changed is told and acknowledged through the other', async () => {
    const equipment = await createOnFirst();
    const unit = equipment.unit('1-1');
    const waiting = readDesired(services[1], equipment.key, 0, { wait: 30 });
    const changed = await callSetUnitSetting(services[0], unit, 'MaxTemperature', 60, { token });
    assert.equal(changed.status, 200, changed.text);
    const { status, json } = await waiting;
    assert.equal(status, 200);
    assert.deepEqual(
      json.changes.map(({ v, name, value }: Record<string, unknown>) => ({ v, name, value })),
      [{ v: 1, name: 'MaxTemperature', value: 60 }],
    );
    const applied = await sendTo(1, equipment, [{ t: 'applied', at: now(), v: 1, ok: true }], { stream: 'samples' });
    assert.equal(applied.status, 200, applied.text);
    const row = await services[0].read('sund', (db) =>
      db.selectFrom('device_sync').select('state').where('bank_id', '=', equipment.bankId).executeTakeFirstOrThrow(),
    );
    assert.equal(row.state, 'acknowledged');
  });

  test('what all computers of a bank confirm at both nodes at once is acknowledged by the last one', async () => {
    for (let round = 0; round < 6; round += 1) {
      const one = await createOnFirst();
      const other = await createEquipment(
        { service: services[0], clock: { now: toMs2000(Date.now()) }, nextBankId: () => one.bankId },
        { bankId: one.bankId, computerId: 2, isNewBank: false },
      );
      await services[0].write('sund', (db) =>
        queueTestSync(db, one.bankId, { subjectKind: 'resident', subjectId: 1001, locationId: 0, unitId: 0 }, 0),
      );
      for (const { key } of [one, other]) assert.equal((await readDesired(services[0], key, 0)).json.version, 1);
      const applied = [{ t: 'applied', at: now(), v: 1, ok: true }];
      const replies = await onBoth((at) => sendTo(at, at === 0 ? one : other, applied, { stream: 'samples' }));
      assert.deepEqual(statusesOf(replies), [200, 200], replies.map(({ text }) => text).join('\n'));
      const { state } = await services[1].read('sund', (db) =>
        db.selectFrom('device_sync').select('state').where('bank_id', '=', one.bankId).executeTakeFirstOrThrow(),
      );
      assert.equal(state, 'acknowledged');
    }
  });

  test('a key that was replaced or revoked on one node is refused on the other with the next request', async () => {
    const equipment = await createOnFirst();
    const get = (at: 0 | 1, key: string) => services[at].call('GET', '/equipment/v1/streams', { token: key });
    const { json: next } = await services[0].call('POST', '/equipment/v1/key', { token: equipment.key });
    assert.deepEqual(statusesOf(await onBoth((at) => get(at, equipment.key))), [200, 200]);
    assert.equal((await get(0, next.key)).status, 200);
    assert.deepEqual(statusesOf([await get(1, equipment.key), await get(1, next.key)]), [200, 401]);
    const path = `/api/v1/computers/sund-B${equipment.bankId}-C1/revocation`;
    const revoked = await services[1].call('POST', path, { token, body: { expectedRevision: '1' } });
    assert.equal(revoked.status, 200, revoked.text);
    assert.deepEqual(statusesOf(await onBoth((at) => get(at, next.key))), [401, 401]);
    assert.equal((await sendTo(0, equipment, [equipment.use()])).status, 401);
  });
});
