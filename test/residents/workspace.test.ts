// GetBankUserWorkspace: keys and bookings of a resident, and an ETag that changes with everything that is shown.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { tabs } from '../../src/permissions/matrix.ts';
import { postingDraft } from '../support/account-reads.ts';
import { createBookableBank, executeCommand, insertBooking } from '../support/bookings.ts';
import { grantBank } from '../support/granted-banks.ts';
import { executeUserCommand, getWorkspace } from '../support/resident-calls.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';

serviceSuite({ now: testNow, manager: { retentionDays: 30 } }, ({ service, manager, nextBankId, issueToken }) => {
  async function createBank() {
    const bankId = nextBankId();
    await createBookableBank(service, { bankId });
    return { bankId, token: manager.token };
  }
  const startsOf = (workspace: { json: { upcomingBookings: { startUtc: string }[] } }): string[] =>
    workspace.json.upcomingBookings.map(({ startUtc }) => startUtc);

  test('[residents.10] the workspace has only the next 20 bookings of the resident, the first one first', async () => {
    const options = await createBank();
    const { bankId } = options;
    const at = (hours: number): number => testNow - (testNow % dayMs) + dayMs + hours * 2 * hourMs;
    for (let hours = 24; hours >= 0; hours -= 1) await insertBooking(service, { startAt: at(hours) }, bankId);
    await insertBooking(service, { residentId: 1002, unitId: 2 }, bankId);
    await insertBooking(service, { startAt: testNow - 3 * dayMs, createdAt: testNow - 4 * dayMs }, bankId);
    const starts = startsOf(await getWorkspace(service, 1001, options));
    const expected = Array.from({ length: 20 }, (_, hours) => new Date(at(hours) + Date.UTC(2000, 0, 1)).toISOString());
    assert.deepEqual(starts, expected);
    assert.deepEqual(startsOf(await getWorkspace(service, 1003, options)), []);
    const permissions = ['Bank.Read', 'User.Read'] as const;
    const token = await issueToken({ tabs, permissions, retentionDays: 30 });
    assert.deepEqual(startsOf(await getWorkspace(service, 1001, { bankId, token })), []);
  });

  test('[residents.10] keys are in the order in which they were added, with their carriers', async () => {
    const options = await createBank();
    const numbers = [`FF${options.bankId}`, `AA${options.bankId}`];
    for (const [at, number] of numbers.entries()) {
      const command = {
        command: 'AddKey',
        value: at === 0 ? number : `Card:${number}`,
        expectedRevision: String(at + 1),
      };
      assert.equal((await executeUserCommand(service, 1001, command, options)).status, 200);
    }
    const { json } = await getWorkspace(service, 1001, options);
    const kinds = json.keys.map(({ key, kind }) => [key, kind] as const);
    assert.deepEqual(
      new Map(kinds),
      new Map([
        [numbers[0], 'Tag'],
        [numbers[1], 'Card'],
      ]),
    );
  });

  test('[general.50] the ETag changes with commands, balances, bookings and rights, even if the resident’s revision does not', async () => {
    const options = await createBank();
    const { bankId } = options;
    const read = async (token = manager.token) => {
      const { headers, json, status } = await getWorkspace(service, 1001, { bankId, token });
      assert.equal(status, 200);
      return { etag: headers.etag ?? '', revision: json.revision };
    };
    const seen = [await read()];
    let booking = 0;
    const changes: (() => Promise<unknown>)[] = [
      () => service.write('sund', (db) => lockAndAppendPostings(db, grantBank(bankId), [postingDraft(testNow)])),
      async () => (booking = await insertBooking(service, {}, bankId)),
      () => executeCommand(service, booking, 'Cancel', options),
      () => executeUserCommand(service, 1001, { command: 'SetName', value: 'Another' }, options),
    ];
    for (const change of changes) {
      await change();
      const { etag } = seen.at(-1)!;
      const next = await read();
      assert.notEqual(next.etag, etag);
      const stale = await getWorkspace(service, 1001, { ...options, headers: { 'if-none-match': etag } });
      assert.equal(stale.status, 200);
      const fresh = await getWorkspace(service, 1001, { ...options, headers: { 'if-none-match': next.etag } });
      assert.equal(fresh.status, 304);
      seen.push(next);
    }
    // Without its bookings the workspace is again what it was before them, save for the name.
    assert.equal(seen[1]?.etag, seen[3]?.etag);
    assert.deepEqual(
      seen.map(({ revision }) => revision),
      ['1', '1', '1', '1', '2'],
    );
    const reader = await issueToken({ permissions: ['Bank.Read', 'User.Read'] });
    assert.notEqual((await read(reader)).etag, seen.at(-1)?.etag);
  });
});
