// SetUnitSetting: what it writes, what it refuses and in which order, and that a refusal writes nothing.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { formatUtc } from '../../src/lib/time/ms2000.ts';
import { permissions } from '../../src/permissions/matrix.ts';
import { insertTestBank, createToken } from '../support/factories.ts';
import {
  unitIds,
  insertSetting,
  setUnitType,
  fetchUnitValue,
  insertState,
  callSetUnitSetting,
  settingPath,
  readUnitRows,
  readSettingTrace,
  type UnitIds,
} from '../support/unit-settings.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

serviceSuite({ now: testNow, manager: { name: 'Some Manager' } }, ({ service, manager }) => {
  before(async () => {
    await service.write('sund', async (db) => {
      await insertTestBank(db, { places: { 1: [1, 2, 3, 4, 5, 6, 7, 8, 9] } });
      await insertState(db, unitIds(), 'Temperature', '40.0', 1);
    });
  });

  /** Nothing of what is stored changes over it. */
  const unchanged = async <T>(work: () => Promise<T>): Promise<T> => {
    const stored = await readUnitRows(service);
    const result = await work();
    assert.deepEqual(await readUnitRows(service), stored);
    return result;
  };

  const refused = (unit: UnitIds, name: string, value: unknown, status: number, code: string, expectedRevision = '0') =>
    unchanged(async () => {
      const reply = await callSetUnitSetting(service, unit, name, value, { token: manager.token, expectedRevision });
      assert.deepEqual([reply.status, reply.json.code], [status, code], `${name} ${JSON.stringify(value)}`);
      return reply;
    });

  test('[settings.11, general.44] it answers the value’s new row, the same that the group then has', async () => {
    const { status, json, headers } = await callSetUnitSetting(service, unitIds(), 'OutOfOrder', true, manager);
    assert.equal(status, 200);
    assert.deepEqual(
      [
        json.name,
        json.value,
        json.revision,
        json.editedAtUtc,
        json.editorKid,
        json.editorName,
        json.synced,
        json.canEdit,
      ],
      ['OutOfOrder', true, '2', formatUtc(testNow), `sund-M${manager.managerId}`, 'Some Manager', false, true],
    );
    assert.deepEqual(json, await fetchUnitValue(service, unitIds(), 'General', 'OutOfOrder', manager));
    assert.equal(headers['etag'], undefined);
    const danish = { token: manager.token, headers: { 'accept-language': 'da' } };
    const again = await callSetUnitSetting(service, unitIds(), 'OutOfOrder', false, {
      ...danish,
      expectedRevision: '2',
    });
    assert.deepEqual([again.json.label, again.json.revision], ['Sat ud af drift af en administrator', '3']);
    assert.deepEqual(again.json, await fetchUnitValue(service, unitIds(), 'General', 'OutOfOrder', danish));
  });

  test('[settings.11] value, history row and record for the equipment are one write with one version', async () => {
    const unit = unitIds(1001, 1, 2);
    await callSetUnitSetting(service, unit, 'Note', 'first', manager);
    await callSetUnitSetting(service, unit, 'SoapDose', 12.5, manager);
    await callSetUnitSetting(service, unit, 'Note', 'second', { token: manager.token, expectedRevision: '2' });
    const { settings, history, syncs } = await readSettingTrace(service, unit);
    assert.deepEqual(
      settings.map(({ name, value, version }) => [name, value, version]),
      [
        ['SoapDose', '12.5', 3],
        ['Note', 'second', 4],
      ],
    );
    assert.deepEqual(
      history.map(({ name, value, version }) => [name, value, version]),
      [
        ['Note', 'first', 2],
        ['SoapDose', '12.5', 3],
        ['Note', 'second', 4],
      ],
    );
    assert.deepEqual(
      syncs.map((each) => [
        each.subject_kind,
        each.subject_id,
        each.location_id,
        each.unit_id,
        each.state,
        each.created_at,
      ]),
      [2, 3, 4].map((version) => ['setting', version, 1, 2, 'queued', testNow]),
    );
    for (const [index, row] of history.entries()) {
      assert.equal(row.sync_id, syncs[index]?.sync_id);
      assert.deepEqual([row.editor_id, row.changed_at], [manager.managerId, testNow]);
    }
    assert.equal(settings.find(({ name }) => name === 'Note')?.sync_id, syncs[2]?.sync_id);
  });

  test('[settings.15, general.45] writing the current value changes nothing, whether it was written or is the default', async () => {
    const unit = unitIds(1001, 1, 3);
    const first = await callSetUnitSetting(service, unit, 'SoapDose', 20.5, manager);
    assert.equal(first.json.revision, '2');
    const stored = await readSettingTrace(service, unit);
    const same = await callSetUnitSetting(service, unit, 'SoapDose', 20.5, {
      token: manager.token,
      expectedRevision: '2',
    });
    assert.deepEqual([same.status, same.json], [200, first.json]);
    const standard = await callSetUnitSetting(service, unit, 'ChildLock', false, manager);
    assert.deepEqual([standard.status, standard.json.revision, standard.json.editedAtUtc], [200, '0', null]);
    const none = await callSetUnitSetting(service, unit, 'Note', null, manager);
    assert.deepEqual([none.status, none.json.value, none.json.revision], [200, null, '0']);
    assert.deepEqual(await readSettingTrace(service, unit), stored);
    const other = await callSetUnitSetting(service, unit, 'SoapDose', 21, {
      token: manager.token,
      expectedRevision: '2',
    });
    assert.equal(other.status, 200, 'and what was known of it is still good');
  });

  test('a value without a default can be removed and written again', async () => {
    const unit = unitIds(1001, 1, 4);
    const values = ['a note', null, 'a note'];
    let expectedRevision = '0';
    for (const value of values) {
      const { status, json } = await callSetUnitSetting(service, unit, 'Note', value, {
        token: manager.token,
        expectedRevision,
      });
      assert.deepEqual([status, json.value], [200, value]);
      expectedRevision = json.revision;
    }
    assert.deepEqual(
      (await readSettingTrace(service, unit)).history.map(({ value }) => value),
      values,
    );
    await refused(unit, 'ChildLock', null, 400, 'invalid-setting');
  });

  test('[settings.04, settings.12, general.44] an outdated revision is 409 setting-conflict, and the stored value stays', async () => {
    const unit = unitIds(1001, 1, 5);
    await callSetUnitSetting(service, unit, 'Note', 'kept', manager);
    for (const stale of ['0', '1', '3', '02', '2 ', '+2', 'x', '', '2.0', '9'.repeat(64)])
      await refused(unit, 'Note', 'lost', 409, 'setting-conflict', stale);
    // What holds already is no exception.
    await refused(unit, 'Note', 'kept', 409, 'setting-conflict', '0');
    assert.equal((await fetchUnitValue(service, unit, 'General', 'Note', manager)).value, 'kept');
    // The revision is the value’s own: another one's write does not turn it.
    await callSetUnitSetting(service, unit, 'OutOfOrderText', 'why', manager);
    assert.equal(
      (await callSetUnitSetting(service, unit, 'Note', 'new', { token: manager.token, expectedRevision: '2' })).status,
      200,
    );
  });

  test('[settings.12, general.44] without a revision, without a value, or with anything else it is 400 invalid-setting', async () => {
    const bodies: unknown[] = [
      {},
      { value: true },
      { expectedRevision: '0' },
      { value: true, expectedRevision: 0 },
      { value: true, expectedRevision: null },
      { value: true, expectedRevision: 'x'.repeat(65) },
      { value: true, expectedRevision: '0', force: true },
      [],
      [{ value: true, expectedRevision: '0' }],
      'true',
      true,
      null,
    ];
    await unchanged(async () => {
      for (const body of bodies) {
        const reply = await service.call('PUT', settingPath(unitIds(), 'ChildLock'), { token: manager.token, body });
        assert.deepEqual([reply.status, reply.json.code], [400, 'invalid-setting'], JSON.stringify(body));
        assert.ok(reply.json.errors.length > 0);
      }
      const none = await service.call('PUT', settingPath(unitIds(), 'ChildLock'), manager);
      assert.deepEqual([none.status, none.json.code], [400, 'invalid-setting']);
      const broken = await service.call('PUT', settingPath(unitIds(), 'ChildLock'), {
        token: manager.token,
        rawBody: '{"value":',
      });
      assert.deepEqual([broken.status, broken.json.code], [400, 'malformed-body']);
      const query = await service.call('PUT', settingPath(unitIds(), 'ChildLock', '?force=true'), {
        token: manager.token,
        body: { value: true, expectedRevision: '0' },
      });
      assert.equal(query.status, 400);
    });
  });

  test('[settings.13] a value that its type or its constraints forbid is 400 invalid-setting, and says why', async () => {
    const table: [name: string, value: unknown, why: string][] = [
      ['ChildLock', 'true', 'must be true or false'],
      ['ChildLock', 1, 'must be true or false'],
      ['MaxSpinSpeed', 1250, 'must be 400 plus a multiple of 100'],
      ['MaxSpinSpeed', 300, 'must be at least 400'],
      ['MaxSpinSpeed', 1700, 'must be at most 1600'],
      ...['007', '1e3', ' 1200', '1200.0', '+1200', ''].map((text): [string, string, string] => [
        'MaxSpinSpeed',
        text,
        'must be a 64-bit integer',
      ]),
      ['MaxSpinSpeed', '1250', 'must be 400 plus a multiple of 100'],
      ['SoapDose', '40.0', 'must be a number'],
      ['SoapDose', 0.1, 'must be a multiple of 0.5'],
      ['SoapDose', 0.25, 'must have at most 1 decimal'],
      ['ProgramSet', 'standard', 'must be one of Standard, Economy, Allergy, Heavy'],
      ['ReducedFrom', '24:00', 'must be from 00:00 to 23:59'],
      ['PriceWash60', -1, 'must be at least 0'],
      ['PriceWash60', 100_000_001, 'must be at most 100000000'],
      ['Note', 'x'.repeat(501), 'must have at most 500 characters'],
      ['Note', 'a\u0007', 'must have no control characters'],
      ['Note', '\ud800', 'must be well-formed Unicode'],
      ['Note', { text: 'x' }, 'must be a string'],
      ['Note', ['x'], 'must be a string'],
      ['OpeningMonday', '7-22', 'must match the pattern'],
      ['InstalledOn', '2026-13-01', 'must match the pattern'],
    ];
    for (const [name, value, why] of table) {
      const { json } = await refused(unitIds(), name, value, 400, 'invalid-setting');
      assert.ok(json.detail.startsWith(`body.value ${why}`), `${name}: ${json.detail}`);
      assert.equal(json.errors[0].path, 'body.value');
    }
  });

  test('[settings.05, settings.14, general.29] a state and a read-only setting are 422 read-only-setting with the reason, whatever value comes', async () => {
    for (const [name, reason] of [
      ['Temperature', 'state'],
      ['ProgramRunning', 'state'],
      ['IpAddress', 'state'],
      ['AutoOutOfOrder', 'not-editable'],
      ['Cycle', 'not-editable'],
    ] as const)
      for (const value of [40, null, 'x', { a: 1 }]) {
        const { json } = await refused(unitIds(), name, value, 422, 'read-only-setting', 'any');
        assert.equal(json.reason, reason);
      }
  });

  test('[settings.14, settings.13, settings.12] of several faults the first is reported: unknown, read-only, value, revision', async () => {
    await refused(unitIds(), 'Nothing', {}, 404, 'not-found', 'stale');
    await refused(unitIds(), 'Cycle', {}, 422, 'read-only-setting', 'stale');
    await refused(unitIds(), 'MaxSpinSpeed', {}, 400, 'invalid-setting', 'stale');
    await refused(unitIds(), 'MaxSpinSpeed', 800, 409, 'setting-conflict', 'stale');
    await refused(unitIds(1001, 1, 77), 'Cycle', {}, 404, 'not-found', 'stale');
  });

  test('a setting of another type, a group, or a name in other spelling is 404', async () => {
    for (const name of [
      'TemperatureSetpoint',
      'Operation',
      'childlock',
      'CHILDLOCK',
      'ChildLock ',
      '__proto__',
      'toString',
    ])
      await refused(unitIds(), name, true, 404, 'not-found');
  });

  test('[settings.03] without Unit Write it is 403, and nothing changes', async () => {
    const rights = { permissions: permissions.filter((each) => each !== 'Unit.Write') };
    const { token: reader } = await createToken(service, rights);
    await unchanged(async () => {
      for (const name of ['ChildLock', 'Cycle', 'Nothing']) {
        const { status, json } = await callSetUnitSetting(service, unitIds(), name, true, { token: reader });
        assert.deepEqual([status, json.code], [403, 'forbidden']);
        assert.match(json.detail, /Unit\.Write/);
      }
    });
    assert.equal(
      (await fetchUnitValue(service, unitIds(), 'Operation', 'ChildLock', { token: reader })).canEdit,
      false,
    );
  });

  test('every value type is written and read back exactly, money over its whole width', async () => {
    const unit = unitIds(1001, 1, 6);
    await service.write('sund', (db) => setUnitType(db, unit, 'ev_charger'));
    const table: [group: string, name: string, json: string, stored: string][] = [
      ['Operation', 'MaxCurrent', '32', '32'],
      ['Operation', 'SessionLimit', '0.3', '0.3'],
      ['Operation', 'LoadBalancing', 'false', 'false'],
      ['Operation', 'PhaseCount', '"OnePhase"', 'OnePhase'],
      ['General', 'Note', '"Æblegrød — 🔌"', 'Æblegrød — 🔌'],
      ['Booking', 'BookingThrough', '"24:00"', '24:00'],
      ['Network', 'ReportInterval', '86400', '86400'],
      ['Booking', 'BookingPrice', '9007199254740993', '9007199254740993'],
      ['Booking', 'BookingCancelFee', '9223372036854775807', '9223372036854775807'],
    ];
    for (const [group, name, json, stored] of table) {
      const rawBody = `{"value": ${json}, "expectedRevision": "0"}`;
      const { status, text } = await service.call('PUT', settingPath(unit, name), { token: manager.token, rawBody });
      assert.equal(status, 200, text);
      assert.ok(text.includes(`"value":${json},`), text);
      const read = await service.call('GET', `/api/v1/units/sund-B1001-L1-U6/groups/${group}`, manager);
      assert.ok(read.text.includes(`"value":${json},`), name);
      const { settings } = await readSettingTrace(service, unit);
      assert.equal(settings.find((row) => row.name === name)?.value, stored);
    }
    // An integer may come as a string of its digits, and is answered as a number.
    for (const [revision, digits] of ['9223372036854775806', '9007199254740992', '12'].entries()) {
      const current = (await service.call('GET', '/api/v1/units/sund-B1001-L1-U6/groups/Booking', manager)).json;
      const { revision: expectedRevision } = current.values.find(
        ({ name }: { name: string }) => name === 'BookingPrice',
      );
      const options = { token: manager.token, expectedRevision };
      const { status, text } = await callSetUnitSetting(service, unit, 'BookingPrice', digits, options);
      assert.deepEqual([status, text.includes(`"value":${digits},`)], [200, true], `${revision}: ${text}`);
    }
    const beyond = '{"value": 9223372036854775808, "expectedRevision": "0"}';
    const { status, json } = await service.call('PUT', settingPath(unit, 'BookingNoShowFee'), {
      token: manager.token,
      rawBody: beyond,
    });
    assert.deepEqual([status, json.code], [400, 'invalid-setting']);
  });

  test('a body of the maximal length and nesting is refused, and breaks nothing', async () => {
    const depth = 30_000;
    const value = `${'['.repeat(depth)}9007199254740993${']'.repeat(depth)}`;
    const rawBody = `{"value": ${value}, "expectedRevision": "0"}`;
    const { status } = await service.call('PUT', settingPath(unitIds(), 'ChildLock'), {
      token: manager.token,
      rawBody,
    });
    assert.equal(status, 400);
  });

  test('the same Idempotency-Key writes once and replays the first answer', async () => {
    const unit = unitIds(1001, 1, 7);
    const options = { token: manager.token, headers: { 'idempotency-key': 'once' } };
    const first = await callSetUnitSetting(service, unit, 'Note', 'x', options);
    const second = await callSetUnitSetting(service, unit, 'Note', 'x', options);
    assert.deepEqual([second.status, second.text], [200, first.text]);
    assert.equal(second.headers['idempotency-replayed'], 'true');
    assert.equal((await readSettingTrace(service, unit)).history.length, 1);
    const other = await callSetUnitSetting(service, unit, 'Note', 'y', options);
    assert.deepEqual([other.status, other.json.code], [422, 'idempotency-mismatch']);
    // A number beyond 2^53 is told from its neighbour.
    const key = { token: manager.token, headers: { 'idempotency-key': 'wide' } };
    const put = (fee: string) =>
      service.call('PUT', settingPath(unit, 'BookingPrice'), {
        ...key,
        rawBody: `{"value": ${fee}, "expectedRevision": "0"}`,
      });
    assert.equal((await put('9007199254740993')).status, 200);
    assert.deepEqual([(await put('9007199254740992')).status, (await put('9007199254740993')).status], [422, 200]);
  });

  test('a unit of an unknown type has the settings common to all types', async () => {
    const unit = unitIds(1001, 1, 8);
    await service.write('sund', async (db) => {
      await db.updateTable('units').set({ unit_type: 250 }).where('unit_id', '=', 8).execute();
      await insertSetting(db, unit, { name: 'MaxSpinSpeed', value: '800' });
    });
    assert.equal((await callSetUnitSetting(service, unit, 'OutOfOrder', true, manager)).status, 200);
    await refused(unit, 'MaxSpinSpeed', 1000, 404, 'not-found', '1');
  });

  test('a manager whose right was taken away meanwhile writes nothing', async () => {
    const { token: losing, managerId: id } = await createToken(service);
    assert.equal((await callSetUnitSetting(service, unitIds(1001, 1, 9), 'Note', 'x', { token: losing })).status, 200);
    await service.write('sund', (db) =>
      db
        .deleteFrom('manager_permissions')
        .where('manager_id', '=', id)
        .where('permission', '=', 'Unit.Write')
        .execute(),
    );
    await unchanged(async () => {
      const reply = await callSetUnitSetting(service, unitIds(1001, 1, 9), 'Note', 'y', {
        token: losing,
        expectedRevision: '2',
      });
      assert.deepEqual([reply.status, reply.json.code], [403, 'forbidden']);
    });
  });
});
