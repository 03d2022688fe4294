// GetUnitSettingHistory: all that a setting was given, newest first, in pages.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { formatUtc } from '../../src/lib/time/ms2000.ts';
import { comparableRefusal } from '../support/account-reads.ts';
import { insertTestBank, createToken } from '../support/factories.ts';
import { unitIds, insertSetting, callSetUnitSetting, settingPath, unitPath } from '../support/unit-settings.ts';
import { serviceSuite } from '../support/service-suite.ts';

serviceSuite({ manager: false }, ({ service }) => {
  let token: string;
  let managerId: number;
  before(async () => {
    await service.write('sund', (db) => insertTestBank(db, { places: { 1: [1, 2] } }));
    ({ token, managerId } = await createToken(service, { name: 'Some Manager' }));
    await service.write('sund', async (db) => {
      for (let version = 1; version <= 120; version += 1)
        await insertSetting(db, unitIds(), {
          name: 'Note',
          value: version % 10 === 0 ? null : `note ${version}`,
          version,
          // Times may stand still or go back; versions tell the order.
          changed_at: 100_000 - version,
          editor_id: version % 2 === 0 ? managerId : null,
        });
      await insertSetting(db, unitIds(), { name: 'ChildLock', value: 'true', version: 121 });
    });
  });

  const history = (name: string, query = '', unit = unitIds()) =>
    service.call('GET', settingPath(unit, name, `/history${query}`), { token });

  test('[settings.02, settings.09] it is listed newest first, with value, time, editor and whether the equipment has it', async () => {
    const { status, json } = await history('Note', '?limit=2');
    assert.equal(status, 200);
    const { nextCursor: _nextCursor, ...page } = json;
    assert.deepEqual(page, {
      items: [
        {
          value: null,
          atUtc: formatUtc(99_880),
          editorKid: `sund-M${managerId}`,
          editorName: 'Some Manager',
          synced: true,
        },
        { value: 'note 119', atUtc: formatUtc(99_881), editorKid: null, editorName: null, synced: true },
      ],
      offset: 0,
      limit: 2,
      hasMore: true,
    });
  });

  test('[settings.02, settings.09] pages of any size together are the whole history, each row once', async () => {
    const whole = (await history('Note', '?limit=200')).json;
    assert.deepEqual([whole.items.length, whole.hasMore, whole.limit], [120, false, 200]);
    for (const limit of [1, 7, 40, 50, 120, 199]) {
      const items = [];
      let page;
      do {
        page = (await history('Note', `?offset=${items.length}&limit=${limit}`)).json;
        assert.deepEqual([page.offset, page.limit], [items.length, limit]);
        items.push(...page.items);
      } while (page.hasMore);
      assert.deepEqual(items, whole.items, `pages of ${limit}`);
    }
    const standard = (await history('Note')).json;
    assert.deepEqual([standard.items.length, standard.offset, standard.limit, standard.hasMore], [50, 0, 50, true]);
    const beyond = (await history('Note', '?offset=120')).json;
    assert.deepEqual([beyond.items, beyond.hasMore], [[], false]);
  });

  test('[settings.02] it covers one setting of one unit, and the group does not show it', async () => {
    assert.deepEqual(
      (await history('ChildLock')).json.items.map(({ value }: { value: unknown }) => value),
      [true],
    );
    assert.deepEqual((await history('Note', '', unitIds(1001, 1, 2))).json.items, []);
    const { text } = await service.call('GET', unitPath(unitIds(), '/groups/General'), { token });
    assert.doesNotMatch(text, /note \d|history/);
  });

  test('[settings.09] a write is on top at once, not yet synced', async () => {
    const unit = unitIds(1001, 1, 2);
    await callSetUnitSetting(service, unit, 'Note', 'first', { token });
    await callSetUnitSetting(service, unit, 'Note', 'second', { token, expectedRevision: '2' });
    const { items } = (await history('Note', '', unit)).json;
    assert.deepEqual(
      items.map(({ value, synced, editorKid }: Record<string, unknown>) => [value, synced, editorKid]),
      [
        ['second', false, `sund-M${managerId}`],
        ['first', false, `sund-M${managerId}`],
      ],
    );
  });

  test('[settings.09] offset and limit are bounded, and nothing else is taken', async () => {
    for (const query of [
      'offset=-1',
      'offset=100001',
      'offset=x',
      'limit=0',
      'limit=201',
      'limit=1&Limit=2',
      'filter=a',
    ]) {
      const { status, json } = await history('Note', `?${query}`);
      assert.deepEqual([status, json.code], [400, 'invalid-request'], query);
    }
    assert.equal((await history('Note', '?OFFSET=100000&LIMIT=200')).status, 200);
  });

  test('[settings.09] a state, an unknown setting and one that the type does not have are 404, like a unit that is not there', async () => {
    const names = [
      'Temperature',
      'note',
      'NOTE',
      'Nothing',
      'TemperatureSetpoint',
      'EquipmentKey',
      '__proto__',
      ' ',
      "' or 1=1",
    ];
    const replies = await Promise.all([
      ...names.map((name) => history(name)),
      history('Note', '', unitIds(1001, 1, 77)),
      history('x'.repeat(500)),
    ]);
    for (const { status, json } of replies) assert.deepEqual([status, json.code], [404, 'not-found']);
    assert.equal(new Set(replies.map(comparableRefusal)).size, 1);
  });
});
