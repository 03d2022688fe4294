// Icon KIDs of calendars that the service creates: they have today's day in Copenhagen, which changes at midnight
// there.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ms2000Of } from '../support/account-oracle.ts';
import { createToken, insertTestBank } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';

const beforeMidnight = ms2000Of('2026-06-14T21:59:59Z');
const twoSecondsMs = 2000;
const the14th = 'calendar~tMTQ';
const the15th = 'calendar~tMTU';

serviceSuite({ now: beforeMidnight, manager: false }, ({ service, clock }) => {
  let token: string;
  let plainToken: string;
  before(async () => {
    await service.write('sund', async (db) => {
      await insertTestBank(db, { bankId: 1001, places: { 1: [1] } });
      await insertTestBank(db, { bankId: 1002, places: { 1: [1] } });
      await db.updateTable('banks').set({ icon: 'calendar' }).where('bank_id', '=', 1001).execute();
      await db.updateTable('locations').set({ icon: 'calendar' }).where('bank_id', '=', 1001).execute();
    });
    const created = await createToken(service);
    ({ token } = created);
    await service.write('sund', (db) =>
      db.updateTable('managers').set({ person_icon: 'calendar' }).where('manager_id', '=', created.managerId).execute(),
    );
    ({ token: plainToken } = await createToken(service, { grants: [{ bankId: 1002, locationId: 0 }] }));
  });

  const get = async (path: string, of = token) => {
    const { status, text, json } = await service.call('GET', `/api/v1/${path}`, { token: of });
    assert.equal(status, 200, text);
    return json;
  };
  /** The KIDs of everything that has a calendar. */
  const calendarKids = async (): Promise<unknown[]> => {
    const manager = await get('session/me');
    const [bank] = (await get('banks/icons')).items;
    const [location] = (await get('banks/sund-B1001/locations')).items;
    const [locationIcons] = (await get('banks/sund-B1001/location-icons')).items;
    const presentation = await get('icon/presentation?iconKid=calendar&text=7');
    return [manager, manager.access.banks[0], bank, location, locationIcons, presentation].map(
      ({ iconKid }: { iconKid: string }) => iconKid,
    );
  };

  test('[icons.19] every calendar KID that the service creates has the day in Copenhagen as its text, and changes with it', async () => {
    assert.deepEqual(new Set(await calendarKids()), new Set([the14th]));
    clock.now += twoSecondsMs;
    assert.deepEqual(new Set(await calendarKids()), new Set([the15th]));
    assert.equal((await service.call('GET', `/api/v1/icon/line/${the15th}.svg`)).status, 200);
  });

  test('a KID without a calendar is the same after midnight', async () => {
    const answers = async (): Promise<unknown[]> => [
      await get('session/me', plainToken),
      await get('banks/sund-B1002/locations'),
      await get('icon/presentation?iconKid=house&text=7'),
    ];
    const earlier = await answers();
    clock.now += twoSecondsMs;
    assert.deepEqual(await answers(), earlier);
  });
});
