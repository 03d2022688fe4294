// ReverseBankAccountEntry: what it appends and answers, who can call it, what it refuses, and that a refusal or a dry
// run writes nothing.

import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { before, test } from 'node:test';
import { lockAndClosePeriod, lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import type { AccountEntry } from '../../src/features/account/schemas.ts';
import { reasonsOfCode } from '../../src/lib/problem.ts';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import { missingPermissionReason } from '../../src/permissions/needs.ts';
import { grantBank } from '../support/granted-banks.ts';
import { storageAddressOf, connectDirectly } from '../support/test-database.ts';
import { accountPath, postingDraft, createBankWithModel, comparableRefusal } from '../support/account-reads.ts';
import { createCaller, type HttpReply } from '../support/call.ts';
import { insertTestBank, insertTestResident, createToken, type ManagerOptions } from '../support/factories.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { type BankModel } from '../support/account-oracle.ts';
import { readLedgerRows, reversalPath, reverseEntry, readPostings, readDeviceSync } from '../support/reversal.ts';
import { declareOperations } from '../support/service.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';

const needed = ['Bank.Write', 'User.Write', 'Location.Read', 'Unit.Read'] as const;

/** What can be reversed: a resident's tagged consumption. */
const wash = (change: Partial<PostingDraft> = {}): PostingDraft =>
  postingDraft(testNow - dayMs, { internalTag: 77, documentId: 501, amountMinor: -3050n, vatMinor: -610n, ...change });

const kept = [
  ...(['locationKid', 'locationName', 'unitKid', 'unitName', 'userKid', 'userName'] as const),
  ...(['currency', 'text', 'kind'] as const),
];

const least = -(2n ** 63n);
const ineligible: readonly (readonly [what: string, reason: string, change: Partial<PostingDraft>])[] = [
  ['a payment', 'payment-transfer', { kind: 'Payment' }],
  ['a payment that came in', 'payment-transfer', { kind: 'Payment', amountMinor: 5000n, vatMinor: null }],
  ['a transfer to the rent', 'payment-transfer', { kind: 'TransferToRent' }],
  ['consumption paid by a credit', 'payment-transfer', { paymentKind: 'Credit' }],
  ['consumption paid back from a reserve', 'payment-transfer', { paymentKind: 'ReserveRefund' }],
  ['a payment-managed entry', 'payment-managed', { paymentKind: 'Managed' }],
  ['a payment-managed payment', 'payment-managed', { kind: 'Payment', paymentKind: 'Managed' }],
  ['a guest’s entry', 'guest-entry', { residentId: 1000 }],
  ['an anonymous entry', 'no-resident', { residentId: 0 }],
  ['an entry of no resident’s id', 'no-resident', { residentId: 999 }],
  ['a monthly transfer', 'monthly-transfer', { kind: 'Month' }],
  ['a credit', 'credit', { kind: 'Credit' }],
  ['consumption that gave something', 'credit', { amountMinor: 1n }],
  ['a discount', 'credit', { kind: 'Discount' }],
  ['an entry of an unknown type', 'unknown-type', { kind: 'Unknown' }],
  ['a booking', 'not-consumption', { kind: 'Booking' }],
  ['consumption that cost nothing', 'zero-amount', { amountMinor: 0n, vatMinor: 0n }],
  ['an entry of a resident who expired', 'expired-identity', { residentId: 1003 }],
  ['an entry older than identities are kept', 'expired-identity', { recordedAt: testNow - 401 * dayMs }],
  ['an entry without an internal tag', 'no-internal-tag', { internalTag: null }],
  ['the least amount there is', 'amount-out-of-range', { amountMinor: least }],
  ['the least tax there is', 'amount-out-of-range', { vatMinor: least }],
];

serviceSuite({ now: testNow }, ({ engine, service, storage, manager, issueToken }) => {
  let book: BankModel;
  before(async () => {
    const residents = new Map(
      [1001, 1002, 1003].map((id) => [
        id,
        { name: `Demo Resident ${id}`, expiredAt: id === 1003 ? testNow - 1 : null },
      ]),
    );
    book = await createBankWithModel(service, { residents });
    await service.write('sund', async (db) => {
      await insertTestBank(db, { bankId: 1002 });
      await insertTestBank(db, { bankId: 1003, deletedAt: 1 });
    });
    for (const bankId of [1002, 1003])
      await service.write('sund', async (db) => {
        await insertTestResident(db, 1001, { bankId });
        await lockAndAppendPostings(db, grantBank(bankId), [wash(), wash()]);
      });
  });

  const one = (change?: Partial<PostingDraft>): Promise<number> =>
    service.write('sund', (db) => lockAndAppendPostings(db, grantBank(1001), [wash(change)]));
  /** Asserts that both a dry run and the real call answer so, and write nothing. */
  async function refused(
    id: number,
    as: string | undefined,
    status: number,
    code: string,
    reason?: string,
  ): Promise<void> {
    const known = await readLedgerRows(service);
    for (const query of ['?dryRun=true', '']) {
      const reply = await reverseEntry(service, id, { token: as, query });
      assert.deepEqual([reply.status, reply.json.code, reply.json.reason], [status, code, reason], reply.text);
    }
    assert.deepEqual(await readLedgerRows(service), known);
  }
  const entries = async (ids: readonly number[]): Promise<(AccountEntry | undefined)[]> => {
    const { json } = await service.call('GET', accountPath(book, 'From=2025-07-01&Through=2026-06-15&Limit=200'), {
      token: manager.token,
    });
    return ids.map((id) => json.items.find(({ kid }: { kid: string }) => kid === `${book.bankKid}-X${id}`));
  };

  test('[reversal.01, reversal.06, reversal.07] a posting that cancels the original is appended, linked with it, and answered as the account shows it', async () => {
    const id = await one({ text: 'Wash 60°', unitId: 2, residentId: 1002, currency: 'EUR' });
    const stored = await readPostings(service);
    const original = stored.at(-1);
    const [unreversed] = await entries([id]);
    const { status, json, headers } = await reverseEntry(service, id, manager);
    assert.equal(status, 200);
    assert.equal(headers['cache-control'], 'no-store');
    assert.deepEqual(
      [json.kid, json.reversalOfKid, json.reversedByKid],
      [`sund-B1001-X${id + 1}`, `sund-B1001-X${id}`, null],
    );
    assert.deepEqual([json.amountMinor, json.vatMinor, json.currency], [3050, 610, 'EUR']);
    assert.deepEqual(
      [json.kind, json.paymentKind, json.text, json.documentKey],
      ['Consumption', '', 'Wash 60°', 'D501-R1002-L1-P1-EUR'],
    );
    assert.deepEqual([json.recordedAtMs2000, json.reversible, json.isAnonymized], [testNow, false, false]);
    const [shown, compensating] = await entries([id, id + 1]);
    assert.deepEqual(compensating, json);
    assert.deepEqual(shown, { ...unreversed, reversedByKid: json.kid, reversible: false });
    assert.equal(Number(shown?.amountMinor) + json.amountMinor, 0);

    const rows = await readPostings(service);
    assert.deepEqual(rows.slice(0, -1), stored, 'every row that was there is as it was');
    const row = rows.at(-1);
    assert.equal(BigInt(row?.amount_minor ?? 0) + BigInt(original?.amount_minor ?? 0), 0n);
    assert.equal(row?.reversal_of, id);
    assert.deepEqual(await verifyBankLedger(service, 1001), []);
  });

  test('[reversal.01] the method is POST and takes no body; the entry is in the caller’s language', async () => {
    const id = await one();
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'])
      assert.equal((await service.call(method, reversalPath(id), manager)).status, 405, method);
    for (const options of [{ body: { why: 'x' } }, { body: [1] }, { body: 'x' }, { rawBody: '{ no JSON' }])
      assert.equal(
        (await reverseEntry(service, id, { token: manager.token, ...options })).status,
        400,
        JSON.stringify(options),
      );
    const dry = { token: manager.token, query: '?dryRun=true' };
    assert.equal((await reverseEntry(service, id, { ...dry, body: {} })).status, 200, 'an empty one is none');
    for (const [language, unitName] of [
      ['da', 'Vaskemaskine 1'],
      ['en', 'Washer 1'],
    ] as const) {
      const { json, headers } = await reverseEntry(service, id, { ...dry, headers: { 'accept-language': language } });
      assert.deepEqual([json.unitName, headers['content-language']], [unitName, language]);
      assert.match(String(headers['vary']), /Accept-Language/);
    }
  });

  test('[reversal.02] malformed KIDs and queries are 400, no token 401', async () => {
    const id = await one();
    const wrong = [
      '/api/v1/banks/sund-B01001/account/sund-B1001-X1/reversal',
      '/api/v1/banks/sund-B1001/account/sund-B1001-X01/reversal',
      '/api/v1/banks/sund-B1001/account/sund-B1001-X0/reversal',
      '/api/v1/banks/sund-B1001/account/fjord-B1001-X1/reversal',
      '/api/v1/banks/sund-B1001/account/sund-B1001-L1/reversal',
      '/api/v1/banks/sund-B1001/account/X1/reversal',
    ];
    for (const path of wrong) {
      const { status, json } = await service.call('POST', path, manager);
      assert.deepEqual([status, json.code], [400, 'invalid-kid'], path);
    }
    for (const query of ['?dryRun=maybe', '?dryRun=', '?dryRun=1', '?dryRun=true&DRYRUN=true', '?dry=true']) {
      const { status, json } = await reverseEntry(service, id, { token: manager.token, query });
      assert.deepEqual([status, json.code], [400, 'invalid-request'], query);
    }
    for (const as of [undefined, 'unknown']) assert.equal((await reverseEntry(service, id, { token: as })).status, 401);
    for (const query of ['?DRYRUN=TRUE', '?dryrun=true'])
      assert.equal(
        (await reverseEntry(service, id, { token: manager.token, query })).json.documentKey,
        'D501-R1001-L1-P1-DKK',
      );
    assert.equal(
      (await reverseEntry(service, id, { token: manager.token, query: '?dryRun=false' })).status,
      200,
      'the real one',
    );
    assert.equal((await reverseEntry(service, id, manager)).status, 409);
  });

  test('[reversal.03] each missing right is 403, and no other right is needed', async () => {
    const id = await one();
    const tabless = await issueToken({ tabs: tabs.filter((tab) => tab !== 'Account2') });
    await refused(id, tabless, 403, 'forbidden', 'missing-tab');
    for (const missing of needed) {
      const rights = { permissions: permissions.filter((each) => each !== missing) };
      await refused(id, await issueToken(rights), 403, 'forbidden', missingPermissionReason(missing));
      const { json } = await reverseEntry(service, id, { token: await issueToken(rights) });
      assert.equal(json.detail, `The operation needs the permission ${missing}.`);
    }
    const exactly = await issueToken({
      tabs: ['Account2'],
      permissions: needed,
      grants: [{ bankId: 1001, locationId: 0 }],
    });
    assert.equal((await reverseEntry(service, id, { token: exactly, query: '?dryRun=true' })).status, 200);
  });

  test('[reversal.04, auth.20, auth.41] a grant of locations is too narrow, even of the entry’s own location; a grant of the bank or the tenant suffices', async () => {
    const id = await one();
    const own = { bankId: 1001, locationId: 1 };
    const narrow: Required<ManagerOptions>['grants'][] = [
      [own],
      [1, 2].map((locationId) => ({ bankId: 1001, locationId })),
      [own, { bankId: 1002, locationId: 0 }],
    ];
    for (const grants of narrow) {
      const as = await issueToken({ grants });
      await refused(id, as, 403, 'forbidden', 'too-narrow');
      const { json } = await reverseEntry(service, id, { token: as });
      assert.equal(json.detail, 'The operation needs a bank-wide grant.');
      assert.equal((await reverseEntry(service, 999_999, { token: as })).status, 403, 'whether it exists or not');
    }
    for (const grants of [[{ bankId: 1001, locationId: 0 }], [{ bankId: 0, locationId: 0 }]])
      assert.equal(
        (await reverseEntry(service, id, { token: await issueToken({ grants }), query: '?dryRun=true' })).status,
        200,
      );
  });

  test('[reversal.10, reversal.15] an entry that is missing, of another bank, or of a bank that is not visible is 404, byte for byte the same', async () => {
    await one();
    const bankWide = await issueToken({ grants: [1001, 1003].map((bankId) => ({ bankId, locationId: 0 })) });
    const mixed = await issueToken({
      grants: [
        { bankId: 1001, locationId: 0 },
        { bankId: 1003, locationId: 1 },
      ],
    });
    const at = (bank: number, kid: string): string => `/api/v1/banks/sund-B${bank}/account/${kid}/reversal`;
    const missing: [as: string, path: string][] = [
      [manager.token, at(1001, 'sund-B1001-X999999')],
      [manager.token, at(1001, `sund-B1001-X${2n ** 53n}`)],
      [manager.token, at(1001, `sund-B1001-X${2n ** 63n - 1n}`)],
      [manager.token, at(1001, 'sund-B1002-X1')],
      [manager.token, at(1002, 'sund-B1001-X1')],
      [manager.token, at(1003, 'sund-B1003-X1')],
      [manager.token, at(9999, 'sund-B9999-X1')],
      [manager.token, at(9999, 'sund-B1001-X1')],
      [bankWide, at(1002, 'sund-B1002-X1')],
      [bankWide, at(1003, 'sund-B1003-X1')],
      [mixed, at(1003, 'sund-B1003-X1')],
      [mixed, at(1002, 'sund-B1002-X1')],
    ];
    const known = [
      await readLedgerRows(service),
      await readLedgerRows(service, 1002),
      await readLedgerRows(service, 1003),
    ];
    const replies: HttpReply[] = [];
    for (const [as, path] of missing)
      for (const query of ['', '?dryRun=true']) replies.push(await service.call('POST', path + query, { token: as }));
    for (const { status, json } of replies) assert.deepEqual([status, json.code], [404, 'not-found']);
    assert.equal(new Set(replies.map(comparableRefusal)).size, 1);
    assert.deepEqual(
      [await readLedgerRows(service), await readLedgerRows(service, 1002), await readLedgerRows(service, 1003)],
      known,
    );
  });

  test('[reversal.09, reversal.15] an entry that was reversed is 409 for ever after, and nothing changes', async () => {
    const id = await one();
    assert.equal((await reverseEntry(service, id, manager)).status, 200);
    for (const query of ['?dryRun=true', '']) {
      const { json } = await reverseEntry(service, id, { token: manager.token, query });
      assert.equal(json.reversedByKid, `sund-B1001-X${id + 1}`);
    }
    await refused(id, manager.token, 409, 'already-reversed');
    await refused(id, await issueToken({}), 409, 'already-reversed');
  });

  test('[reversal.05, reversal.11] an entry that compensates another cannot be reversed: 422, and nothing changes', async () => {
    const id = await one();
    assert.equal((await reverseEntry(service, id, manager)).status, 200);
    await refused(id + 1, manager.token, 422, 'not-reversible', 'compensating-entry');
  });

  test('[general.29] the entries that cannot be reversed cover every reason in the catalogue', () => {
    const reasons = ineligible.map(([, reason]) => reason);
    // What a device has refunded is tested with its lines.
    assert.deepEqual(new Set([...reasons, 'compensating-entry', 'refunded']), new Set(reasonsOfCode('not-reversible')));
  });

  for (const [what, reason, change] of ineligible)
    test(`[reversal.05, reversal.11, reversal.12, reversal.15] ${what} is 422 ${reason}, and nothing changes`, async () => {
      const id = await one(change);
      await refused(id, manager.token, 422, 'not-reversible', reason);
      if (reason !== 'expired-identity') {
        const [entry] = await entries([id]);
        assert.equal(entry?.reversible, false);
      }
    });

  test('[reversal.12] this manager’s retention decides whose identity is kept, to the millisecond', async () => {
    const midnight = Math.floor(testNow / dayMs) * dayMs;
    const [named, expired] = [
      await one({ recordedAt: midnight - 400 * dayMs }),
      await one({ recordedAt: midnight - 400 * dayMs - 1 }),
    ];
    await refused(expired, manager.token, 422, 'not-reversible', 'expired-identity');
    const short = await issueToken({ retentionDays: 30 });
    await refused(named, short, 422, 'not-reversible', 'expired-identity');
    const dry = '?dryRun=true';
    assert.equal((await reverseEntry(service, named, { token: manager.token, query: dry })).status, 200);
    const long = await issueToken({ retentionDays: 401 });
    assert.equal((await reverseEntry(service, expired, { token: long, query: dry })).status, 200);
  });

  test('[reversal.16] the reversal of an entry of a closed period lies in the open one, with the original’s place and resident', async () => {
    const ids = [
      await one({ locationId: 2, unitId: 1, residentId: 1002 }),
      await one({ locationId: 1, unitId: 0, documentId: null, vatMinor: null }),
      await one({ locationId: 0, unitId: 0, currency: '' }),
      await one({ locationId: 77, unitId: 9 }),
    ];
    const period = await service.write('sund', (db) => lockAndClosePeriod(db, grantBank(1001), testNow, testNow));
    const originals = await entries(ids);
    for (const [at, id] of ids.entries()) {
      const original = originals[at];
      const { status, json } = await reverseEntry(service, id, manager);
      assert.equal(status, 200);
      assert.deepEqual([original?.period, json.period], [period, 0]);
      assert.equal(json.reversalOfKid, original?.kid);
      for (const field of kept) assert.deepEqual(json[field], original?.[field], field);
      const [again, compensating] = await entries([id, id + ids.length]);
      assert.deepEqual(again, { ...original, reversedByKid: json.kid, reversible: false });
      assert.deepEqual(compensating, json);
    }
    const stored = await readPostings(service);
    assert.ok(stored.slice(-ids.length).every((row) => row.period === period + 1));
    assert.deepEqual(await verifyBankLedger(service, 1001), []);
  });

  test('[reversal.08] a reversal queues a record for the device, in order, and the answer reports no delivery', async () => {
    const known = await readDeviceSync(service);
    const [earlier, two] = [await one({ locationId: 2, unitId: 1 }), await one()];
    const first = await reverseEntry(service, earlier, manager);
    await reverseEntry(service, two, manager);
    assert.ok(!Object.keys(first.json).some((field) => /deliver|sync|device/i.test(field)));
    const last = known.length;
    const queued = {
      bank_id: 1001,
      subject_kind: 'posting',
      state: 'queued',
      attempts: 0,
      detail: null,
      code: null,
      created_at: testNow,
      updated_at: testNow,
    };
    assert.deepEqual((await readDeviceSync(service)).slice(last), [
      { ...queued, sync_id: last + 1, subject_id: two + 1, location_id: 2, unit_id: 1 },
      { ...queued, sync_id: last + 2, subject_id: two + 2, location_id: 1, unit_id: 1 },
    ]);
  });

  test('[reversal.08] a reversal whose record cannot be queued is not made', async () => {
    const id = await one();
    const known = await readDeviceSync(service);
    const [last] = known.slice(-1);
    const inTheWay = { ...(last ?? assert.fail()), sync_id: known.length + 1 };
    await service.write('sund', (db) => db.insertInto('device_sync').values(inTheWay).execute());
    const untouched = await readLedgerRows(service);
    assert.equal((await reverseEntry(service, id, manager)).status, 500);
    assert.deepEqual(await readLedgerRows(service), untouched);
    await service.write('sund', (db) =>
      db.deleteFrom('device_sync').where('bank_id', '=', 1001).where('sync_id', '=', inTheWay.sync_id).execute(),
    );
    assert.equal((await reverseEntry(service, id, manager)).status, 200);
  });

  test('[reversal.14] a reversal contacts only its storage', async () => {
    const ids = [await one(), await one({ paymentReference: 'pay-4571' })];
    const ports: unknown[] = [];
    // Its own connections, so that there are some to be seen.
    const call = createCaller(service.port, declareOperations(service.dependencies));
    const note = (message: unknown): void => {
      const { socket } = message as { socket: Socket };
      socket.once('connect', () => ports.push(socket.remotePort));
    };
    subscribe('net.client.socket', note);
    try {
      for (const id of ids) assert.equal((await reverseEntry({ call }, id, manager)).status, 200);
    } finally {
      unsubscribe('net.client.socket', note);
    }
    const location = storageAddressOf(storage);
    const allowed: unknown[] = [service.port, location.engine === 'mysql' ? location.nodes[0].port : service.port];
    assert.ok(ports.length >= ids.length);
    assert.deepEqual(
      ports.filter((port) => !allowed.includes(port)),
      [],
    );
  });

  test('[reversal.03, reversal.04] rights are checked again inside the write: a grant that was just withdrawn does not count', async () => {
    const id = await one();
    const known = await readLedgerRows(service);
    const grants = [1001, 1002].map((bankId) => ({ bankId, locationId: 0 }));
    const steps: [status: number, code: string, withdraw: 'grant' | 'permission' | 'tab' | 'session'][] = [
      [404, 'not-found', 'grant'],
      [403, 'forbidden', 'permission'],
      [403, 'forbidden', 'tab'],
      [401, 'unauthenticated', 'session'],
    ];
    for (const [status, code, withdraw] of steps) {
      const { token: as, managerId } = await createToken(service, { grants });
      assert.equal((await reverseEntry(service, id, { token: as, query: '?dryRun=true' })).status, 200);
      await service.write('sund', async (db) => {
        if (withdraw === 'grant')
          await db
            .deleteFrom('manager_grants')
            .where('manager_id', '=', managerId)
            .where('bank_id', '=', 1001)
            .execute();
        if (withdraw === 'permission')
          await db
            .deleteFrom('manager_permissions')
            .where('manager_id', '=', managerId)
            .where('permission', '=', 'User.Write')
            .execute();
        if (withdraw === 'tab') await db.deleteFrom('manager_tabs').where('manager_id', '=', managerId).execute();
        if (withdraw === 'session') await db.deleteFrom('sessions').where('manager_id', '=', managerId).execute();
      });
      const reply = await reverseEntry(service, id, { token: as });
      assert.deepEqual([reply.status, reply.json.code], [status, code], withdraw);
    }
    assert.deepEqual(await readLedgerRows(service), known);
  });

  test('[reversal.02] a ledger that is locked for longer than the deadline is 503, and nothing is written', async () => {
    const id = await one();
    const known = await readLedgerRows(service);
    const holder = await connectDirectly(storageAddressOf(storage));
    await holder.run(engine === 'sqlite' ? 'begin immediate' : 'start transaction');
    await holder.run('update ledgers set writes = writes + 1 where bank_id = 1001');
    const { status, json, headers } = await reverseEntry(service, id, manager);
    await holder.run('rollback');
    await holder.close();
    assert.equal(status, 503);
    assert.match(json.code, /^storage-(timeout|unavailable)$/);
    assert.match(headers['retry-after'] ?? '', /^\d+$/);
    assert.deepEqual(await readLedgerRows(service), known);
    assert.equal((await reverseEntry(service, id, manager)).status, 200);
  });
});
