// A revision is also the ETag: after a 304 the known answer must still be current.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { postingDraft } from '../support/account-reads.ts';
import { grantBank } from '../support/granted-banks.ts';
import { insertTestBank } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs } from '../support/times.ts';

const path = '/api/v1/banks/sund-B1001/account';

serviceSuite({}, ({ service, manager }) => {
  before(async () => {
    await service.write('sund', (db) => insertTestBank(db));
  });

  test('a renamed unit is shown at once, and no 304 hides it', async () => {
    const first = await service.call('GET', path, manager);
    const headers = { 'if-none-match': String(first.headers.etag) };
    assert.equal((await service.call('GET', path, { token: manager.token, headers })).status, 304);
    await service.write('sund', async (db) => {
      await db
        .updateTable('units')
        .set({ name: '{dryer} 9' })
        .where('location_id', '=', 1)
        .where('unit_id', '=', 2)
        .execute();
      await db
        .updateTable('banks')
        .set((eb) => ({ places_version: eb('places_version', '+', 1) }))
        .execute();
    });
    const { status, json } = await service.call('GET', path, { token: manager.token, headers });
    assert.equal(status, 200);
    assert.ok(json.choices.units.some(({ name }: { name: string }) => name === 'Dryer 9'));
  });

  test('an entry whose reversal lies outside the selection is shown as reversed at once, and no 304 hides it', async () => {
    const recordedAt = toMs2000(Date.now()) - 3 * dayMs;
    const id = await service.write('sund', (db) =>
      lockAndAppendPostings(db, grantBank(1001), [postingDraft(recordedAt)]),
    );
    const day = new Date(Date.now() - 3 * dayMs).toISOString().slice(0, 10);
    const selected = `${path}?From=${day}&Through=${day}&TimeZone=UTC`;
    const first = await service.call('GET', selected, manager);
    assert.deepEqual([first.json.items.length, first.json.items[0].reversedByKid], [1, null]);
    const headers = { 'if-none-match': String(first.headers.etag) };
    assert.equal((await service.call('GET', selected, { token: manager.token, headers })).status, 304);
    const reversal = postingDraft(toMs2000(Date.now()), { amountMinor: 100n, reversalOf: id });
    await service.write('sund', (db) => lockAndAppendPostings(db, grantBank(1001), [reversal]));
    const { status, json } = await service.call('GET', selected, { token: manager.token, headers });
    assert.equal(status, 200);
    assert.equal(json.items[0].reversedByKid, `sund-B1001-X${id + 1}`);
    assert.notEqual(json.revision, first.json.revision);
    assert.equal(json.totalCount, 1);
  });
});
