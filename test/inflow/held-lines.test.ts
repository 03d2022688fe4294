// What managers do with lines that could not be booked: each is booked once, with its own time, or discarded.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAuditEntries } from '../support/audit.ts';
import { insertKey } from '../../src/features/resident-administration/queries/write-resident.ts';
import { grantBank } from '../support/granted-banks.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { moveToReykjavik } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createEquipment, type TestEquipment } from '../support/streams.ts';
import { dayMs, hourMs, minuteMs, testNow } from '../support/times.ts';

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager, clock } = suite;
  const iso = (ms: number) => new Date(Date.UTC(2000, 0, 1) + testNow + ms).toISOString();
  const heldKid = ({ bankId }: TestEquipment, id = 1) => `sund-B${bankId}-H${id}`;
  const userKid = ({ bankId }: TestEquipment, id = 1002) => `sund-B${bankId}-R${id}`;
  const list = ({ bankId }: TestEquipment, query = '', token = manager.token) =>
    service.call('GET', `/api/v1/banks/sund-B${bankId}/held-lines${query}`, { token });
  const resolve = (kid: string, body: Record<string, unknown>, query = '', headers: Record<string, string> = {}) =>
    service.call('POST', `/api/v1/held-lines/${kid}/resolution${query}`, {
      token: manager.token,
      body: { expectedRevision: '1', ...body },
      headers,
    });
  const codesOf = ({ json }: { json: { items: { code: string }[] } }) => json.items.map(({ code }) => code);

  test('managers see the whole line, why and when it was held, and what became of it', async () => {
    const equipment = await createEquipment(suite);
    await moveToReykjavik(service, equipment.bankId);
    await equipment.send('money', [equipment.use({ key: 'DEADBEEF' }), equipment.use({ unit: 'nowhere' })]);
    const { status, json } = await list(equipment);
    assert.equal(status, 200);
    const [unknownUnit, unknownKey] = json.items;
    const { line, ...item } = unknownKey;
    assert.deepEqual(item, {
      kid: heldKid(equipment),
      computerKid: `sund-B${equipment.bankId}-C1`,
      stream: 'money',
      n: 1,
      code: 'unknown-key',
      reason: null,
      receivedUtc: iso(0),
      timeZone: 'Atlantic/Reykjavik',
      unitKid: equipment.unit('1-1'),
      state: 'held',
      postingKid: null,
      revision: '1',
    });
    assert.equal(JSON.parse(line).key, 'DEADBEEF');
    assert.deepEqual([unknownUnit.unitKid, unknownUnit.timeZone], [null, 'Europe/Copenhagen']);
    assert.deepEqual(codesOf(await list(equipment, '?code=unknown-unit')), ['unknown-unit']);
    assert.deepEqual(codesOf(await list(equipment, `?computerKid=sund-B${equipment.bankId}-C2`)), []);
    assert.deepEqual(codesOf(await list(equipment, '?state=resolved')), []);
    const { json: page } = await list(equipment, '?limit=1');
    assert.deepEqual([codesOf({ json: page }), page.hasMore], [['unknown-unit'], true]);
    assert.deepEqual(codesOf(await list(equipment, `?limit=1&cursor=${page.nextCursor}`)), ['unknown-key']);
  });

  test('a grant of locations shows the lines of their units alone', async () => {
    const equipment = await createEquipment(suite);
    const other = await createEquipment(suite, { bankId: equipment.bankId, computerId: 2, isNewBank: false });
    await equipment.send('money', [equipment.use({ key: 'DEADBEEF' }), equipment.use({ unit: 'nowhere' })]);
    await other.send('money', [other.use({ unit: other.unit('2-1'), key: 'DEADBEEF' })]);
    const token = await suite.issueToken({ grants: [{ bankId: equipment.bankId, locationId: 1 }] });
    const { json } = await list(equipment, '', token);
    assert.deepEqual(
      json.items.map(({ kid }: { kid: string }) => kid),
      [heldKid(equipment, 1)],
    );
    const { status } = await service.call('POST', `/api/v1/held-lines/${heldKid(equipment)}/resolution`, {
      token,
      body: { action: 'accept', expectedRevision: '1' },
    });
    assert.equal(status, 403);
  });

  test('assigning books the line on that resident with its own time, once, and in the audit log', async () => {
    const equipment = await createEquipment(suite);
    await equipment.send('money', [equipment.use({ key: 'DEADBEEF', at: iso(-3 * dayMs), ref: 'A-1' })]);
    const preview = await resolve(
      heldKid(equipment),
      { action: 'assign', userKid: userKid(equipment) },
      '?dryRun=true',
    );
    assert.equal(preview.status, 200);
    assert.deepEqual(
      [preview.json.dryRun, preview.json.posting.kid, preview.json.heldLine.state],
      [true, null, 'held'],
    );
    assert.equal((await equipment.postings()).length, 0);
    const { status, json } = await resolve(heldKid(equipment), { action: 'assign', userKid: userKid(equipment) });
    assert.equal(status, 200);
    assert.deepEqual([json.heldLine.state, json.heldLine.revision], ['resolved', '2']);
    assert.equal(json.posting.recordedAtUtc, iso(-3 * dayMs));
    const [posting] = await equipment.postings();
    assert.deepEqual([posting?.user_id, posting?.recorded_at, posting?.period], [1002, testNow - 3 * dayMs, 1]);
    assert.equal(json.heldLine.postingKid, `sund-B${equipment.bankId}-X${posting?.posting_id}`);
    assert.equal((await equipment.moneyLines())[0]?.ref, 'A-1');
    const again = await resolve(heldKid(equipment), { action: 'accept' });
    assert.deepEqual([again.status, again.json.code], [409, 'held-line-ended']);
    const entries = await readAuditEntries(service);
    assert.ok(
      entries.some(({ object, operation }) => object === heldKid(equipment) && operation === 'ResolveHeldLine'),
    );
    await verifyBankLedger(service, equipment.bankId);
  });

  test('accepting books on who has the key by now, or else on the guest', async () => {
    const equipment = await createEquipment(suite);
    await equipment.send('money', [
      equipment.use({ key: `${equipment.bankId}ABCD` }),
      equipment.use({ key: 'DEADBEEF' }),
    ]);
    await service.write('sund', (db) =>
      insertKey(db, grantBank(equipment.bankId), 1002, { kind: 'Tag', number: `${equipment.bankId}ABCD` }, testNow),
    );
    await resolve(heldKid(equipment, 1), { action: 'accept' });
    await resolve(heldKid(equipment, 2), { action: 'accept' });
    assert.deepEqual(
      (await equipment.postings()).map(({ user_id }) => user_id),
      [1002, 1000],
    );
  });

  test('a line whose time was ahead is booked with it once it has come, and before with that of its arrival', async () => {
    const equipment = await createEquipment(suite);
    await equipment.send('money', [equipment.use({ at: iso(hourMs) }), equipment.use({ at: '2099-01-01T00:00:00Z' })]);
    clock.now += 2 * hourMs;
    const first = await resolve(heldKid(equipment, 1), { action: 'accept' });
    const second = await resolve(heldKid(equipment, 2), { action: 'accept' });
    assert.deepEqual([first.json.posting.recordedAtUtc, second.json.posting.recordedAtUtc], [iso(hourMs), iso(0)]);
  });

  test('discarding needs a reason, books nothing and is final', async () => {
    const equipment = await createEquipment(suite);
    await equipment.send('money', [equipment.use({ t: 'nonsense' })]);
    assert.equal((await resolve(heldKid(equipment), { action: 'discard' })).status, 400);
    const { status, json } = await resolve(heldKid(equipment), {
      action: 'discard',
      reason: 'a test of the installer',
    });
    assert.deepEqual([status, json.heldLine.state, json.posting], [200, 'discarded', null]);
    assert.equal(json.heldLine.reason, 'a test of the installer');
    assert.equal((await equipment.postings()).length, 0);
    assert.equal(
      (await resolve(heldKid(equipment), { action: 'discard', reason: 'again' })).json.code,
      'held-line-ended',
    );
  });

  test('what cannot be booked says why, and stays held', async () => {
    const equipment = await createEquipment(suite);
    const taken = { t: 'booking', from: iso(30 * minuteMs), to: iso(90 * minuteMs), document: undefined };
    await equipment.send('money', [
      equipment.use({ t: 'nonsense' }),
      equipment.use({ unit: 'nowhere' }),
      equipment.use({ currency: 'SEK' }),
      equipment.use({ amountMinor: '5' }),
      equipment.use({ t: 'refund', refund: 'R', amountMinor: '5' }),
      equipment.use({ ref: 'A' }),
      equipment.use({ ref: 'A', text: 'other' }),
      equipment.use(taken),
      equipment.use(taken),
    ]);
    await equipment.send('samples', [{ t: 'state', at: iso(0), unit: equipment.unit('1-1'), name: 'No', value: 1 }]);
    const reasons: unknown[] = [];
    for (const id of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const { status, json } = await resolve(heldKid(equipment, id), { action: 'accept' });
      assert.equal(status, 422);
      reasons.push(json.reason);
    }
    assert.deepEqual(reasons, [
      'malformed',
      'unknown-unit',
      'foreign-currency',
      'invalid-amount',
      'unknown-ref',
      'ref-conflict',
      'booking-refused',
      'not-money',
    ]);
    assert.ok((await equipment.heldLines()).every(({ state, revision }) => state === 'held' && revision === 1));
    await verifyBankLedger(service, equipment.bankId);
  });

  test('bookings and refunds that were held are booked when nothing is against them any more', async () => {
    const equipment = await createEquipment(suite);
    const booking = { t: 'booking', from: iso(30 * minuteMs), to: iso(90 * minuteMs), document: undefined };
    await equipment.send('money', [
      equipment.use({ ...booking, key: 'DEADBEEF', ref: 'B' }),
      { t: 'cancel', at: iso(0), unit: equipment.unit('1-1'), booking: 'B' },
      equipment.use({ key: 'DEADBEEF', ref: 'A' }),
      { t: 'refund', at: iso(0), unit: equipment.unit('1-1'), refund: 'A' },
    ]);
    assert.equal((await equipment.heldLines()).length, 4);
    for (const [id, action] of ['assign', 'accept', 'assign', 'accept'].entries()) {
      const chosen = action === 'assign' ? { userKid: userKid(equipment) } : {};
      const { status, text } = await resolve(heldKid(equipment, id + 1), { action, ...chosen });
      assert.equal(status, 200, text);
    }
    assert.deepEqual(
      (await equipment.postings()).map(({ user_id, amount_minor }) => [user_id, Number(amount_minor)]),
      [
        [1002, -1500],
        [1002, 1500],
        [1002, -1500],
        [1002, 1500],
      ],
    );
    await verifyBankLedger(service, equipment.bankId);
  });

  test('a line that another epoch has booked meanwhile is not booked again', async () => {
    const equipment = await createEquipment(suite);
    await equipment.send('money', [equipment.use({ key: `${equipment.bankId}ABCD`, ref: 'A' })]);
    await service.write('sund', (db) =>
      insertKey(db, grantBank(equipment.bankId), 1002, { kind: 'Tag', number: `${equipment.bankId}ABCD` }, 0),
    );
    await service.call('POST', '/equipment/v1/streams/money/epoch', {
      token: equipment.key,
      body: { epoch: 'e2', reason: 'lost' },
    });
    const other = equipment.use({ key: `${equipment.bankId}ABCD`, ref: 'A', text: '40°' });
    await equipment.send('money', [other], { epoch: 'e2' });
    const { status, json } = await resolve(heldKid(equipment), { action: 'accept' });
    assert.deepEqual([status, json.reason], [422, 'ref-conflict']);
    assert.equal((await equipment.postings()).length, 1);
  });

  test('a held line that another epoch brings again is held once, and booked once', async () => {
    const equipment = await createEquipment(suite);
    const lines = [equipment.use({ key: 'DEADBEEF', ref: 'A' }), equipment.use({ amountMinor: 'none', ref: 'B' })];
    await equipment.send('money', lines);
    await service.call('POST', '/equipment/v1/streams/money/epoch', {
      token: equipment.key,
      body: { epoch: 'e2', reason: 'lost' },
    });
    const { json } = await equipment.send('money', lines, { epoch: 'e2' });
    assert.deepEqual([json.through, json.held], [2, []]);
    const resolution = { action: 'assign', userKid: userKid(equipment, 1001) };
    assert.equal((await resolve(heldKid(equipment), resolution)).status, 200);
    assert.deepEqual([(await equipment.postings()).length, (await equipment.heldLines()).length], [1, 2]);
  });

  test('[inflow.01] a held line that is sent again stays held, also when its key has become known', async () => {
    const equipment = await createEquipment(suite);
    const line = equipment.use({ key: `${equipment.bankId}ABCD`, ref: 'A' });
    await equipment.send('money', [line]);
    await service.write('sund', (db) =>
      insertKey(db, grantBank(equipment.bankId), 1002, { kind: 'Tag', number: `${equipment.bankId}ABCD` }, 0),
    );
    const repeated = await equipment.send('money', [line]);
    assert.deepEqual(
      [repeated.json.repeated, repeated.json.held],
      [1, [{ n: 1, code: 'unknown-key', heldKid: heldKid(equipment) }]],
    );
    await service.call('POST', '/equipment/v1/streams/money/epoch', {
      token: equipment.key,
      body: { epoch: 'e2', reason: 'lost' },
    });
    const { json } = await equipment.send('money', [line], { epoch: 'e2' });
    assert.deepEqual([json.through, json.held, (await equipment.postings()).length], [1, [], 0]);
    assert.equal((await list(equipment, '?state=held')).json.items.length, 1);
    const accepted = await resolve(heldKid(equipment), { action: 'accept' });
    assert.equal(accepted.status, 200, accepted.text);
    const again = await equipment.send('money', [line], { epoch: 'e2', first: 2 });
    assert.deepEqual([again.json.through, again.json.held], [2, []]);
    assert.deepEqual(
      (await equipment.postings()).map(({ user_id }) => user_id),
      [1002],
    );
  });

  test('[inflow.01] a line that was discarded is not booked when it is sent again', async () => {
    const equipment = await createEquipment(suite);
    const line = equipment.use({ key: `${equipment.bankId}ABCD`, ref: 'A' });
    await equipment.send('money', [line]);
    assert.equal((await resolve(heldKid(equipment), { action: 'discard', reason: 'a test' })).status, 200);
    await service.write('sund', (db) =>
      insertKey(db, grantBank(equipment.bankId), 1002, { kind: 'Tag', number: `${equipment.bankId}ABCD` }, 0),
    );
    await service.call('POST', '/equipment/v1/streams/money/epoch', {
      token: equipment.key,
      body: { epoch: 'e2', reason: 'lost' },
    });
    const { json } = await equipment.send('money', [line], { epoch: 'e2' });
    assert.deepEqual([json.through, json.held, (await equipment.postings()).length], [1, [], 0]);
  });

  test('[inflow.01] a held line whose event came again under another number is booked once', async () => {
    const equipment = await createEquipment(suite);
    const line = equipment.use({ key: `${equipment.bankId}ABCD`, ref: 'A' });
    await equipment.send('money', [line]);
    await service.write('sund', (db) =>
      insertKey(db, grantBank(equipment.bankId), 1002, { kind: 'Tag', number: `${equipment.bankId}ABCD` }, 0),
    );
    const { json } = await equipment.send('money', [line], { first: 2 });
    assert.deepEqual([json.held, (await equipment.postings()).length], [[], 1]);
    const { status, json: refused } = await resolve(heldKid(equipment), { action: 'accept' });
    assert.deepEqual([status, refused.reason], [422, 'ref-conflict']);
    assert.equal((await equipment.postings()).length, 1);
  });

  test('of several resolutions at the same time only one books', async () => {
    const equipment = await createEquipment(suite);
    await equipment.send('money', [equipment.use({ key: 'DEADBEEF' })]);
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => resolve(heldKid(equipment), { action: 'accept' })),
    );
    assert.deepEqual(
      replies.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409, 409, 409, 409, 409],
    );
    assert.equal((await equipment.postings()).length, 1);
  });

  test('a request with an Idempotency-Key is answered again without booking again', async () => {
    const equipment = await createEquipment(suite);
    await equipment.send('money', [equipment.use({ key: 'DEADBEEF' })]);
    const key = { 'idempotency-key': `held-${equipment.bankId}` };
    const first = await resolve(heldKid(equipment), { action: 'accept' }, '', key);
    const again = await resolve(heldKid(equipment), { action: 'accept' }, '', key);
    assert.deepEqual([again.status, again.text], [200, first.text]);
    assert.equal((await equipment.postings()).length, 1);
  });

  test('a stale revision, a missing line, and a resident of another bank change nothing', async () => {
    const equipment = await createEquipment(suite);
    await equipment.send('money', [equipment.use({ key: 'DEADBEEF' })]);
    const stale = await resolve(heldKid(equipment), { action: 'accept', expectedRevision: '7' });
    assert.deepEqual([stale.status, stale.json.code], [409, 'held-line-conflict']);
    assert.equal((await resolve(heldKid(equipment, 99), { action: 'accept' })).status, 404);
    for (const kid of ['sund-B1-R1001', userKid(equipment, 1999)])
      assert.equal((await resolve(heldKid(equipment), { action: 'assign', userKid: kid })).status, 400);
    assert.equal((await resolve(heldKid(equipment), { action: 'assign' })).status, 400);
    assert.equal((await equipment.postings()).length, 0);
  });
});
