// A revision is also the ETag: what it answers 304 for must still be what would be shown.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeBank, makeToken } from '../support/factories.ts';
import { onBothEngines, startService, type Service } from '../support/service.ts';

const path = '/api/v1/banks/sund-B1001/account';

onBothEngines((engine) => {
  let service: Service;
  let token: string;
  before(async () => {
    service = await startService(engine);
    await service.write('sund', (db) => makeBank(db));
    ({ token } = await makeToken(service));
  });
  after(() => service.stop());

  test(`a renamed unit is shown at once, and no 304 hides it (${engine})`, async () => {
    const first = await service.call('GET', path, { token });
    const headers = { 'if-none-match': String(first.headers.etag) };
    assert.equal((await service.call('GET', path, { token, headers })).status, 304);
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
    const { status, json } = await service.call('GET', path, { token, headers });
    assert.equal(status, 200);
    assert.ok(json.choices.units.some(({ name }: { name: string }) => name === 'Dryer 9'));
  });
});
