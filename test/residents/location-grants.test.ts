// Managers whose grants cover some of a bank's locations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsvTable } from '../support/csv.ts';
import { createUser, executeUserCommand, getActivation, getWorkspace, usersPath } from '../support/resident-calls.ts';
import { createBankOfResidents, residentTables } from '../support/resident-rows.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { readTableRows } from '../support/table-rows.ts';
import { testNow } from '../support/times.ts';

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
        const { traceId: _, instance: __, ...problem } = json;
        const { traceId: ___, instance: ____, ...expected } = missing.json;
        assert.deepEqual([status, problem], [404, expected]);
      }
    }
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
