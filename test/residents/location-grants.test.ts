// Managers whose grants cover some of a bank's locations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsvTable } from '../support/csv.ts';
import { postingDraft, recordInBoth } from '../support/account-reads.ts';
import { createUser, executeUserCommand, getActivation, getWorkspace, usersPath } from '../support/resident-calls.ts';
import { createBankOfResidents, residentTables } from '../support/resident-rows.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { readTableRows } from '../support/table-rows.ts';
import { testNow } from '../support/times.ts';
import { newBank } from '../support/with-bank.ts';

type Item = { readonly kid: string };

serviceSuite({ now: testNow, manager: false }, ({ service, nextBankId, issueToken }) => {
  /** Residents of locations 1, 2 and of none; a manager of location 1 and of all of another bank. */
  async function createNarrowManager() {
    const [bankId, other] = [nextBankId(), nextBankId()];
    await createBankOfResidents(service, bankId, [{}, { location_id: 2 }, { location_id: null }]);
    await createBankOfResidents(service, other);
    const inner = await issueToken({ grants: [{ bankId, locationId: 1 }] });
    const grants = [
      { bankId, locationId: 1 },
      { bankId: other, locationId: 0 },
    ];
    return { bankId, tokens: [inner, await issueToken({ grants })] };
  }

  test('[residents.09] list and export show only the residents of granted locations, with any filter', async () => {
    const { bankId, tokens } = await createNarrowManager();
    for (const token of tokens)
      for (const [query, count] of [
        ['', 1],
        ['state=active', 1],
        ['filter=resident', 1],
        ['filter=1002', 0],
        [`locationKid=sund-B${bankId}-L1`, 1],
        [`locationKid=sund-B${bankId}-L2`, 0],
      ] as const) {
        const kids = Array.from({ length: count }, () => `sund-B${bankId}-R1001`);
        const { json } = await service.call('GET', `${usersPath(bankId)}?${query}`, { token });
        const exported = await service.call('GET', `${usersPath(bankId)}/export.csv?${query}`, { token });
        assert.deepEqual(
          json.items.map(({ kid }: Item) => kid),
          kids,
          query,
        );
        assert.deepEqual(
          readCsvTable(exported.bytes).map(({ kid }) => kid),
          kids,
          query,
        );
      }
  });

  test('[residents.09] a workspace of another location is the 404 of a resident who does not exist', async () => {
    const { bankId, tokens } = await createNarrowManager();
    for (const token of tokens) {
      assert.equal((await getWorkspace(service, 1001, { bankId, token })).status, 200);
      const missing = await getWorkspace(service, 1099, { bankId, token });
      for (const hidden of [1002, 1003]) {
        const { status, json } = await getWorkspace(service, hidden, { bankId, token });
        const { traceId: _, ...problem } = json;
        const { traceId: __, ...expected } = missing.json;
        assert.deepEqual([status, problem], [404, expected]);
      }
    }
  });

  test('[residents.08, residents.09] balances and the last activity are of the whole bank: a manager of a location sees null, as receipts are refused', async () => {
    const bank = await newBank({ service, nextBankId });
    await recordInBoth(service, bank, [
      postingDraft(testNow - 1000, { residentId: 1001, locationId: 1, amountMinor: -500n }),
      postingDraft(testNow - 2000, { residentId: 1001, locationId: 2, amountMinor: 200n }),
    ]);
    const { bankId } = bank;
    const read = async (token: string) => {
      const workspace = await getWorkspace(service, 1001, { bankId, token });
      const list = await service.call('GET', `${usersPath(bankId)}?filter=1001`, { token });
      assert.deepEqual(list.json.items, [workspace.json.user]);
      const receipts = await service.call('GET', `/api/v1/users/sund-B${bankId}-R1001/receipts`, { token });
      const { balances, lastActivityUtc } = workspace.json.user;
      return { balances, hasActivity: lastActivityUtc !== null, receipts: receipts.status };
    };
    const whole = await read(await issueToken({ grants: [{ bankId, locationId: 0 }] }));
    assert.deepEqual(whole, {
      balances: [{ currency: 'DKK', amountMinor: -300 }],
      hasActivity: true,
      receipts: 200,
    });
    for (const grants of [
      [{ bankId, locationId: 1 }],
      [1, 2, 3].map((locationId) => ({ bankId, locationId })),
      [
        { bankId, locationId: 1 },
        { bankId: bankId + 1, locationId: 0 },
      ],
    ])
      assert.deepEqual(await read(await issueToken({ grants })), { balances: null, hasActivity: false, receipts: 403 });
  });

  test('[residents.07, residents.09] a deleted location is no location: residents keep no KID of it, and no filter or grant finds them by it', async () => {
    const bankId = nextBankId();
    await createBankOfResidents(service, bankId, [{}, { location_id: 2 }]);
    const owner = await issueToken();
    const deleted = { bankId, locationId: 2 };
    const narrow = await issueToken({ grants: [{ bankId, locationId: 1 }, deleted] });
    const only = await issueToken({ grants: [deleted] });
    const read = async (token: string, query = '') => {
      const { json } = await service.call('GET', `${usersPath(bankId)}?${query}`, { token });
      const exported = await service.call('GET', `${usersPath(bankId)}/export.csv?${query}`, { token });
      const items = json.items.map(({ kid, locationKid, locationName }: Record<string, string>) => ({
        kid: kid ?? '',
        locationKid: locationKid ?? '',
        locationName,
      }));
      const rows = readCsvTable(exported.bytes).map(({ kid, locationKid, locationName }) => ({
        kid,
        locationKid,
        locationName,
      }));
      assert.deepEqual(rows, items);
      for (const { kid, locationKid } of items) {
        const [, residentId] = kid.split('-R');
        const workspace = await getWorkspace(service, Number(residentId), { bankId, token });
        assert.equal(workspace.json.user.locationKid ?? '', locationKid);
        if (locationKid === '') continue;
        const place = await service.call('GET', `/api/v1/locations/${locationKid}/units`, { token });
        assert.equal(place.status, 200, 'the KID is one that other operations know');
      }
      return items.map(({ kid, ...place }: { kid: string }) => [Number(kid.split('-R')[1]), ...Object.values(place)]);
    };
    const first = [1001, `sund-B${bankId}-L1`, 'Location 1'];
    const second = [1002, `sund-B${bankId}-L2`, 'Location 2'];
    const ofSecond = `locationKid=sund-B${bankId}-L2`;
    assert.deepEqual(await read(owner), [first, second]);
    assert.deepEqual(await read(owner, ofSecond), [second]);
    assert.deepEqual(await read(narrow), [first, second]);
    assert.deepEqual(await read(only), [second]);
    await service.write('sund', (db) =>
      db
        .updateTable('locations')
        .set({ deleted_at: 1 })
        .where('bank_id', '=', bankId)
        .where('location_id', '=', 2)
        .execute(),
    );
    assert.deepEqual(await read(owner), [first, [1002, '', '']]);
    assert.deepEqual(await read(owner, ofSecond), []);
    assert.deepEqual(await read(narrow), [first]);
    assert.deepEqual(await read(only), []);
    for (const token of [narrow, only])
      assert.equal((await getWorkspace(service, 1002, { bankId, token })).status, 404);
  });

  test('[residents.01, residents.23] creating, commands and activation codes need a grant of the whole bank: 403 too-narrow, and nothing changes', async () => {
    const { bankId, tokens } = await createNarrowManager();
    const before = await service.read('sund', (db) => readTableRows(db, residentTables, bankId));
    for (const token of tokens) {
      const refused = [
        await createUser(service, {}, { bankId, token }),
        await executeUserCommand(service, 1001, { command: 'SetName', value: 'Bo' }, { bankId, token }),
        await executeUserCommand(service, 1001, { command: 'RenewActivation' }, { bankId, token }),
        await getActivation(service, 1001, { bankId, token }),
      ];
      for (const { status, json } of refused)
        assert.deepEqual([status, json.code, json.reason], [403, 'forbidden', 'too-narrow']);
    }
    assert.deepEqual(await service.read('sund', (db) => readTableRows(db, residentTables, bankId)), before);
  });

  test('[residents.06] a bank that no grant covers is 404 for list, export, workspace, creating, commands and codes', async () => {
    const bankId = nextBankId();
    await createBankOfResidents(service, bankId);
    const token = await issueToken({ grants: [{ bankId: nextBankId(), locationId: 0 }] });
    const owner = await issueToken();
    const deletedBank = nextBankId();
    await createBankOfResidents(service, deletedBank);
    await service.write('sund', (db) =>
      db.updateTable('banks').set({ deleted_at: 1 }).where('bank_id', '=', deletedBank).execute(),
    );
    for (const options of [
      { bankId, token },
      { bankId: deletedBank, token: owner },
      { bankId: 999_999, token: owner },
    ]) {
      const replies = [
        await service.call('GET', usersPath(options.bankId), options),
        await service.call('GET', `${usersPath(options.bankId)}/export.csv`, options),
        await getWorkspace(service, 1001, options),
        await createUser(service, {}, options),
        await executeUserCommand(service, 1001, { command: 'Disable' }, options),
        await getActivation(service, 1001, options),
      ];
      for (const { status, json } of replies) assert.deepEqual([status, json?.code], [404, 'not-found']);
    }
  });
});
