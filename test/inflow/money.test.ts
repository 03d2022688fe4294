// Lines of the stream of money: booked once, in the totals when they are answered, and held where they cannot be booked.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTenantSetting } from '../support/factories.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { reverseEntry } from '../support/reversal.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createEquipment } from '../support/streams.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager } = suite;
  const countsOf = ({
    through,
    booked,
    held,
    other,
  }: {
    through: number;
    booked: number;
    held: number;
    other: number;
  }) => ({
    through,
    booked,
    held,
    other,
  });

  test('a use is booked on the resident of the key, with its own time, and is in the totals', async () => {
    const equipment = await createEquipment(suite);
    const { status, json } = await equipment.send('money', [equipment.use({ ref: 'A-1' })]);
    assert.equal(status, 200);
    const { serverTime: _time, ...answer } = json;
    assert.deepEqual(answer, {
      epoch: 'e1',
      through: 1,
      repeated: 0,
      held: [],
      desired: { version: 0, pending: false },
    });
    const [posting, ...others] = await equipment.postings();
    assert.equal(others.length, 0);
    assert.equal(posting?.user_id, 1001);
    assert.equal(posting?.recorded_at, testNow - 60_000);
    assert.equal(Number(posting?.amount_minor), -1500);
    assert.equal(posting?.document_id, 5551);
    assert.notEqual(posting?.internal_tag, null);
    const account = await service.call('GET', `/api/v1/banks/sund-B${equipment.bankId}/account`, {
      token: manager.token,
    });
    assert.equal(account.json.items.length, 1);
    await verifyBankLedger(service, equipment.bankId);
  });

  test('a repeat of the whole request or of a part of it answers the same and books nothing', async () => {
    const equipment = await createEquipment(suite);
    const lines = [equipment.use({ ref: 'A-1' }), equipment.use({ key: 'FFFF0000' }), equipment.use({ ref: 'A-2' })];
    const first = await equipment.send('money', lines);
    assert.deepEqual([first.json.through, first.json.repeated, first.json.held.length], [3, 0, 1]);
    const again = await equipment.send('money', lines);
    assert.deepEqual([again.json.through, again.json.repeated], [3, 3]);
    assert.deepEqual(again.json.held, first.json.held);
    const part = await equipment.send('money', [...lines.slice(1), equipment.use()], { first: 2 });
    assert.deepEqual([part.json.through, part.json.repeated, part.json.held], [4, 2, first.json.held]);
    assert.equal((await equipment.postings()).length, 3);
    assert.deepEqual(countsOf(await equipment.stream()), { through: 4, booked: 3, held: 1, other: 0 });
  });

  test('lines after a gap are refused with the number that is expected', async () => {
    const equipment = await createEquipment(suite);
    await equipment.send('money', [equipment.use()]);
    const { status, json } = await equipment.send('money', [equipment.use()], { first: 3 });
    assert.deepEqual([status, json.code, json.epoch, json.expected], [409, 'stream-gap', 'e1', 2]);
    assert.equal((await equipment.postings()).length, 1);
  });

  test('another epoch is refused until it was begun, and no epoch is used twice', async () => {
    const equipment = await createEquipment(suite);
    await equipment.send('money', [equipment.use({ ref: 'A-1' })]);
    const unknown = await equipment.send('money', [equipment.use()], { epoch: 'e2' });
    assert.deepEqual([unknown.status, unknown.json.code, unknown.json.expected], [409, 'unknown-epoch', 2]);
    const begin = (epoch: string) =>
      service.call('POST', '/equipment/v1/streams/money/epoch', {
        token: equipment.key,
        body: { epoch, reason: 'lost its memory' },
      });
    assert.deepEqual((await begin('e1')).json.code, 'epoch-used');
    assert.deepEqual((await begin('e2')).json, { stream: 'money', epoch: 'e2', through: 0 });
    assert.equal((await begin('e2')).status, 200);
    const { json } = await equipment.send('money', [equipment.use({ ref: 'A-1' }), equipment.use({ ref: 'A-9' })], {
      epoch: 'e2',
    });
    assert.deepEqual([json.through, json.held], [2, []]);
    assert.deepEqual(countsOf(await equipment.stream()), { through: 2, booked: 1, held: 0, other: 1 });
    assert.equal((await equipment.postings()).length, 2);
    assert.equal((await begin('e1')).json.code, 'epoch-used');
    assert.equal((await begin('e2')).json.code, 'epoch-used');
    const { json: streams } = await service.call('GET', '/equipment/v1/streams', { token: equipment.key });
    assert.deepEqual(streams.streams, [
      { stream: 'money', epoch: 'e2', through: 2 },
      { stream: 'samples', epoch: null, through: 0 },
    ]);
  });

  test('the same reference with other content is held, in one request and over a new epoch', async () => {
    const equipment = await createEquipment(suite);
    const { json } = await equipment.send('money', [
      equipment.use({ ref: 'A-1' }),
      equipment.use({ ref: 'A-1' }),
      equipment.use({ ref: 'A-1', amountMinor: '-1' }),
    ]);
    assert.deepEqual(
      json.held.map(({ n, code }: { n: number; code: string }) => [n, code]),
      [[3, 'ref-conflict']],
    );
    assert.deepEqual(countsOf(await equipment.stream()), { through: 3, booked: 1, held: 1, other: 1 });
  });

  test('what cannot be booked is held with its code, and nothing of it is booked', async () => {
    const equipment = await createEquipment(suite);
    const other = await createEquipment(suite, { bankId: equipment.bankId, computerId: 2, isNewBank: false });
    const inAnHour = new Date(Date.UTC(2000, 0, 1) + testNow + hourMs).toISOString();
    const cases: readonly (readonly [string, Record<string, unknown>])[] = [
      ['malformed', { t: 'uses' }],
      ['malformed', { amountMinor: -1500 }],
      ['unknown-unit', { unit: other.unit('2-1') }],
      ['unknown-unit', { unit: 'sund-B1001-L1-U99' }],
      ['unknown-key', { key: 'DEADBEEF' }],
      ['unknown-key', { key: undefined }],
      ['foreign-currency', { currency: 'SEK' }],
      ['time-ahead', { at: inAnHour }],
      ['invalid-amount', { amountMinor: '1500' }],
      ['unknown-ref', { t: 'refund', refund: 'A-404', amountMinor: '1500' }],
      ['unknown-ref', { t: 'cancel', booking: 'A-404', amountMinor: undefined }],
    ];
    const { status, json } = await equipment.send(
      'money',
      cases.map(([, change]) => equipment.use(change)),
    );
    assert.equal(status, 200);
    assert.deepEqual(
      json.held.map(({ code }: { code: string }) => code),
      cases.map(([code]) => code),
    );
    assert.equal((await equipment.postings()).length, 0);
    const held = await equipment.heldLines();
    assert.equal(JSON.parse(held.find(({ n }) => n === 1)?.line ?? '').t, 'uses');
  });

  test('a use may cost nothing, a payment is a credit, and access is a posting of zero', async () => {
    const equipment = await createEquipment(suite);
    const { json } = await equipment.send('money', [
      equipment.use({ amountMinor: '0' }),
      equipment.use({ t: 'pay', amountMinor: '5000', unit: undefined, ref: 'P-1' }),
      equipment.use({ t: 'access', amountMinor: undefined, currency: undefined }),
    ]);
    assert.deepEqual(json.held, []);
    const postings = await equipment.postings();
    assert.deepEqual(
      postings.map(({ kind, amount_minor, unit_id }) => [kind, Number(amount_minor), unit_id]),
      [
        [1, 0, 1],
        [4, 5000, 0],
        [1, 0, 1],
      ],
    );
    await verifyBankLedger(service, equipment.bankId);
  });

  test('refunds compensate a use in parts or as a whole, and never more than it', async () => {
    const equipment = await createEquipment(suite);
    const refund = (ref: string, amountMinor?: string) =>
      equipment.use({ t: 'refund', refund: ref, amountMinor, key: undefined, ref: undefined, document: undefined });
    const { json } = await equipment.send('money', [
      equipment.use({ ref: 'A-1' }),
      refund('A-1', '500'),
      equipment.use({ ref: 'A-2' }),
      refund('A-2'),
      refund('A-2'),
    ]);
    assert.deepEqual(
      json.held.map(({ n, code }: { n: number; code: string }) => [n, code]),
      [[5, 'invalid-amount']],
    );
    const next = await equipment.send('money', [refund('A-1', '1001'), refund('A-1', '1000'), refund('A-1', '1')], {
      first: 6,
    });
    assert.deepEqual(
      next.json.held.map(({ n, code }: { n: number; code: string }) => [n, code]),
      [
        [6, 'invalid-amount'],
        [8, 'invalid-amount'],
      ],
    );
    const sum = (await equipment.postings()).reduce((total, { amount_minor }) => total + Number(amount_minor), 0);
    assert.equal(sum, 0);
    await verifyBankLedger(service, equipment.bankId);
  });

  test('[reversal.18] what the device has refunded, in part or as a whole, no manager can reverse', async () => {
    await service.write('sund', (db) => setTenantSetting(db, 'accountingRetentionDays', '400'));
    const equipment = await createEquipment(suite);
    const refund = (ref: string, change: Record<string, unknown> = {}) =>
      equipment.use({ t: 'refund', refund: ref, key: undefined, ref: undefined, document: undefined, ...change });
    await equipment.send('money', [
      equipment.use({ ref: 'part' }),
      refund('part', { amountMinor: '500' }),
      equipment.use({ ref: 'parts' }),
      refund('parts', { amountMinor: '700' }),
      refund('parts', { amountMinor: '800' }),
      equipment.use({ ref: 'whole' }),
      refund('whole', { amountMinor: undefined }),
      equipment.use({ ref: 'none' }),
    ]);
    const [part, , parts, , , whole, back, none] = (await equipment.postings()).map(({ posting_id }) => posting_id);
    const { json } = await service.call('GET', `/api/v1/banks/sund-B${equipment.bankId}/account?Period=0`, manager);
    const shown = Map.groupBy(json.items as { kid: string; reversible: boolean }[], ({ reversible }) => reversible);
    assert.deepEqual(
      shown.get(true)?.map(({ kid }) => kid),
      [`sund-B${equipment.bankId}-X${none}`],
    );
    const reverse = async (postingId: number | undefined, query = '') => {
      const reply = await reverseEntry(service, postingId ?? 0, { ...manager, bankId: equipment.bankId, query });
      return [reply.status, reply.json.code, reply.json.reason];
    };
    for (const query of ['?dryRun=true', '']) {
      assert.deepEqual(await reverse(part, query), [422, 'not-reversible', 'refunded']);
      assert.deepEqual(await reverse(parts, query), [422, 'not-reversible', 'refunded']);
      assert.deepEqual(await reverse(whole, query), [409, 'already-reversed', undefined]);
      assert.deepEqual(await reverse(back, query), [422, 'not-reversible', 'compensating-entry']);
    }
    assert.deepEqual(await reverse(none), [200, undefined, undefined]);
    const { json: after } = await equipment.send('money', [refund('none', { amountMinor: '1' })], { first: 9 });
    assert.equal(after.held[0].code, 'invalid-amount', 'what a manager has reversed is not refunded');
    const sum = (await equipment.postings()).reduce((total, { amount_minor }) => total + Number(amount_minor), 0);
    assert.equal(sum, -1000);
    await verifyBankLedger(service, equipment.bankId);
  });

  test('the times of a clock that is wrong by two seconds or more are corrected and marked', async () => {
    const equipment = await createEquipment(suite);
    const iso = (ms: number) => new Date(Date.UTC(2000, 0, 1) + testNow + ms).toISOString();
    await equipment.send('money', [equipment.use({ at: iso(hourMs - 5000), ref: 'A' })], { sentAt: iso(hourMs) });
    await equipment.send('money', [equipment.use({ at: iso(-5000), ref: 'B' })], { sentAt: iso(1999), first: 2 });
    await equipment.send('money', [equipment.use({ at: undefined, uptimeMs: 4000, ref: 'C' })], {
      sentAt: undefined,
      uptimeMs: 10_000,
      first: 3,
    });
    const postings = await equipment.postings();
    assert.deepEqual(
      postings.map(({ recorded_at }) => recorded_at - testNow),
      [-5000, -5000, -6000],
    );
    const lines = (await equipment.moneyLines()).toSorted((a, b) => a.n - b.n);
    assert.deepEqual(
      lines.map(({ clock_offset_ms }) => clock_offset_ms),
      [hourMs, null, null],
    );
  });

  test('lines that arrive days later go to the open period with their own time', async () => {
    const equipment = await createEquipment(suite);
    const at = new Date(Date.UTC(2000, 0, 1) + testNow - 30 * dayMs).toISOString();
    await equipment.send('money', [equipment.use({ at })]);
    const [posting] = await equipment.postings();
    assert.equal(posting?.recorded_at, testNow - 30 * dayMs);
    assert.equal(posting?.period, 1);
  });

  test('two identical requests at the same time book once', async () => {
    const equipment = await createEquipment(suite);
    const lines = Array.from({ length: 20 }, (_, index) => equipment.use({ ref: `A-${index}` }));
    const replies = await Promise.all([equipment.send('money', lines), equipment.send('money', lines)]);
    for (const { status, headers } of replies)
      if (status === 429) assert.ok(Number(headers['retry-after']) >= 1);
      else assert.equal(status, 200);
    assert.ok(replies.some(({ status }) => status === 200));
    assert.equal((await equipment.postings()).length, 20);
  });
});
