// GetUnitGroup: every member with its value, who wrote it, whether the equipment has it, and what may be written.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { allDefinitions, typeCatalogueOf } from '../../src/features/units/catalogue/type-catalogue.ts';
import { updateSyncState } from '../../src/features/outbox/queries/outbox.ts';
import { unitTypeCode, unitTypes } from '../../src/features/places/rules/unit-types.ts';
import { formatUtc } from '../../src/lib/time/ms2000.ts';
import { permissions } from '../../src/permissions/matrix.ts';
import { comparableRefusal } from '../support/account-reads.ts';
import { insertTestBank, createToken } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import {
  unitIds,
  updateUnit,
  insertSetting,
  setUnitType,
  fetchUnitGroup,
  fetchUnitValue,
  insertState,
  callSetUnitSetting,
  settingPath,
  unitPath,
} from '../support/unit-settings.ts';
import { serviceSuite } from '../support/service-suite.ts';

serviceSuite({ manager: false }, ({ service }) => {
  let token: string;
  let managerId: number;
  before(async () => {
    await service.write('sund', (db) => insertTestBank(db, { places: { 1: [1, 2, 3, 4, 5, 6], 2: [1] } }));
    ({ token, managerId } = await createToken(service, { name: 'Some Manager' }));
  });

  const write = <T>(work: Parameters<typeof service.write<T>>[1]): Promise<T> => service.write('sund', work);

  test('[settings.01, settings.07, settings.08] a setting that was never written has its default, no editor, and revision 0', async () => {
    const { json } = await service.call('GET', unitPath(unitIds(), '/groups/Operation'), { token });
    assert.deepEqual(Object.keys(json), ['unitKid', 'group', 'kind', 'values']);
    assert.deepEqual([json.unitKid, json.group, json.kind], ['sund-B1001-L1-U1', 'Operation', 'Settings']);
    const dose = json.values.find(({ name }: { name: string }) => name === 'SoapDose');
    assert.deepEqual(dose, {
      name: 'SoapDose',
      label: 'Detergent dose',
      valueType: 'decimal',
      value: 40,
      unitOfMeasure: 'mL',
      synced: true,
      editorKid: null,
      editorName: null,
      editedAtUtc: null,
      canEdit: true,
      constraints: { min: 0, max: 250, step: 0.5, maxLength: null, pattern: null, options: null, optionLabels: null },
      revision: '0',
    });
    const price = await fetchUnitValue(service, unitIds(), 'Prices', 'PriceWash60', { token });
    assert.deepEqual([price.value, price.unitOfMeasure, price.valueType], [null, 'DKK', 'money']);
  });

  test('[settings.07] every group of every type has the members that the catalogue gives it, in its order', async () => {
    for (const code of unitTypes.map(unitTypeCode)) {
      await write((db) => updateUnit(db, unitIds(1001, 1, 2), { unit_type: code }));
      for (const [group, members] of typeCatalogueOf(code).visibleByGroup) {
        const rows = await fetchUnitGroup(service, unitIds(1001, 1, 2), group, { token });
        assert.deepEqual(
          rows.map(({ name, valueType }) => [name, valueType]),
          members.map(({ name, valueType }) => [name, valueType]),
        );
        for (const [index, { constraints }] of rows.entries()) {
          const declared = members[index]?.constraints ?? {};
          for (const key of ['min', 'max', 'step', 'maxLength', 'pattern', 'options'] as const)
            assert.deepEqual(constraints[key], declared[key] ?? null);
          assert.equal(constraints.optionLabels?.length, declared.options?.length);
        }
      }
    }
  });

  test('[settings.01, settings.08] a value that was written has its editor, its time, its revision, and is synced once the equipment has it', async () => {
    const unit = unitIds(1001, 1, 3);
    assert.equal((await callSetUnitSetting(service, unit, 'MaxSpinSpeed', 1200, { token })).status, 200);
    const row = async () => fetchUnitValue(service, unit, 'Operation', 'MaxSpinSpeed', { token });
    const { value, editorKid, editorName, editedAtUtc, synced, revision } = await row();
    assert.deepEqual(
      [value, editorKid, editorName, synced, revision],
      [1200, `sund-M${managerId}`, 'Some Manager', false, '2'],
    );
    assert.match(editedAtUtc, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const { sync_id: syncId } = await write((db) =>
      db.selectFrom('unit_settings').select('sync_id').where('unit_id', '=', 3).executeTakeFirstOrThrow(),
    );
    const move = (from: 'queued' | 'sent' | 'failed', to: 'sent' | 'failed' | 'acknowledged'): Promise<boolean> =>
      write((db) => updateSyncState(db, grantBank(1001), { syncId: syncId ?? 0, from, to }, 1));
    for (const [from, to, expected] of [
      ['queued', 'sent', false],
      ['sent', 'failed', false],
      ['failed', 'sent', false],
      ['sent', 'acknowledged', true],
    ] as const) {
      assert.ok(await move(from, to));
      assert.equal((await row()).synced, expected, to);
    }
    await write((db) =>
      db.updateTable('managers').set({ name: 'Renamed' }).where('manager_id', '=', managerId).execute(),
    );
    assert.equal((await row()).editorName, 'Renamed');
    await write((db) => db.updateTable('device_sync').set({ state: 'failed' }).execute());
    assert.equal((await row()).synced, false);
    await write((db) => db.deleteFrom('device_sync').execute());
    assert.equal((await row()).synced, true, 'a record that is no longer kept was done with');
    assert.equal((await row()).revision, '2');
    assert.equal((await row()).editedAtUtc, editedAtUtc);
  });

  test('[settings.08] a value that the equipment wrote has no editor', async () => {
    const unit = unitIds(1001, 1, 3);
    await write((db) =>
      insertSetting(db, unit, { name: 'AutoOutOfOrder', value: '417', version: 9, changed_at: 60_000 }),
    );
    const row = await fetchUnitValue(service, unit, 'General', 'AutoOutOfOrder', { token });
    assert.deepEqual(
      [row.value, row.editorKid, row.editorName, row.editedAtUtc, row.canEdit, row.synced, row.revision],
      [417, null, null, formatUtc(60_000), false, true, '9'],
    );
  });

  test('[settings.05, settings.08] a state has the time of its report and nothing to edit; one that was never reported is null', async () => {
    const unit = unitIds(1001, 1, 4);
    await write(async (db) => {
      await insertState(db, unit, 'Phase', 'Rinsing', 5000);
      await insertState(db, unit, 'Temperature', '41.5', 6000);
      await insertState(db, unit, 'DoorClosed', 'true', 6001);
      await insertState(db, unit, 'FlightAltitude', '9000', 6001);
    });
    const { json } = await service.call('GET', unitPath(unit, '/groups/Program'), { token });
    assert.equal(json.kind, 'States');
    const phase = json.values.find(({ name }: { name: string }) => name === 'Phase');
    assert.deepEqual(
      [phase.value, phase.editedAtUtc, phase.editorKid, phase.synced, phase.canEdit, phase.revision],
      ['Rinsing', formatUtc(5000), null, true, false, '5000'],
    );
    const running = json.values.find(({ name }: { name: string }) => name === 'ProgramRunning');
    assert.deepEqual([running.value, running.editedAtUtc, running.revision], [null, null, '0']);
    assert.equal((await fetchUnitValue(service, unit, 'Measurements', 'Temperature', { token })).value, 41.5);
    assert.equal((await fetchUnitValue(service, unit, 'Status', 'DoorClosed', { token })).value, true);
  });

  test('[settings.08] canEdit says whether the caller may write: the setting is editable, and the caller has Unit Write', async () => {
    const reader = (await createToken(service, { permissions: permissions.filter((each) => each !== 'Unit.Write') }))
      .token;
    for (const group of ['General', 'Operation', 'Status']) {
      const mine = await fetchUnitGroup(service, unitIds(), group, { token });
      const theirs = await fetchUnitGroup(service, unitIds(), group, { token: reader });
      for (const [index, { name, canEdit }] of mine.entries()) {
        const { editable } = allDefinitions.find((each) => each.name === name) ?? {};
        assert.equal(canEdit, editable, name);
        assert.equal(theirs[index].canEdit, false, name);
      }
    }
  });

  test('[settings.08] every value has the form of its type, exact over 64 bits', async () => {
    const unit = unitIds(1001, 1, 5);
    await write(async (db) => {
      await setUnitType(db, unit, 'ev_charger');
      for (const [name, value] of [
        ['MaxCurrent', '32'],
        ['SessionLimit', '7.5'],
        ['LoadBalancing', 'false'],
        ['PhaseCount', 'OnePhase'],
        ['Note', 'Ladestander 🔌'],
        ['ReducedFrom', '22:30'],
        ['ReportInterval', '120'],
        ['PricePerEnergy', '9223372036854775807'],
      ] as const)
        await insertSetting(db, unit, { name, value });
    });
    const { text } = await service.call('GET', unitPath(unit, '/groups/Prices'), { token });
    assert.match(text, /"value":9223372036854775807[,}]/);
    const values = async (group: string) =>
      Object.fromEntries(
        (await fetchUnitGroup(service, unit, group, { token })).map(({ name, value }) => [name, value]),
      );
    const { MaxCurrent, SessionLimit, LoadBalancing, PhaseCount } = await values('Operation');
    assert.deepEqual([MaxCurrent, SessionLimit, LoadBalancing, PhaseCount], [32, 7.5, false, 'OnePhase']);
    assert.equal((await values('General'))['Note'], 'Ladestander 🔌');
    assert.equal((await values('Prices'))['ReducedFrom'], '22:30');
    assert.equal((await values('Network'))['ReportInterval'], 120);
  });

  test('a stored value that no longer matches the catalogue breaks no read', async () => {
    const unit = unitIds(1001, 1, 6);
    await write(async (db) => {
      for (const [name, value] of [
        ['MaxSpinSpeed', 'fast'],
        ['SoapDose', '1e3'],
        ['SoapDosing', 'maybe'],
        ['ProgramSet', 'Steam'],
        ['ReducedFrom', '27:00'],
        ['PriceWash60', '1.50'],
        ['RinseCycles', '900'],
        ['ChildLock', null],
        ['GoneByNow', 'x'],
      ] as const)
        await insertSetting(db, unit, { name, value });
      await insertState(db, unit, 'RemainingTime', 'soon', 1);
    });
    const rows = [
      ...(await fetchUnitGroup(service, unit, 'Operation', { token })),
      ...(await fetchUnitGroup(service, unit, 'Prices', { token })),
    ];
    const value = (name: string): unknown => rows.find((row) => row.name === name).value;
    for (const unreadable of ['MaxSpinSpeed', 'SoapDose', 'SoapDosing', 'PriceWash60'])
      assert.equal(value(unreadable), null, unreadable);
    assert.deepEqual([value('ProgramSet'), value('ReducedFrom'), value('RinseCycles')], ['Steam', '27:00', 900]);
    assert.equal(value('ChildLock'), false, 'taken away, it has its default');
    assert.ok(!rows.some(({ name }) => name === 'GoneByNow'));
    const history = await service.call('GET', settingPath(unit, 'MaxSpinSpeed', '/history'), { token });
    assert.deepEqual([history.status, history.json.items[0].value], [200, null]);
    // And it can be put right.
    const repaired = await callSetUnitSetting(service, unit, 'MaxSpinSpeed', 800, { token, expectedRevision: '1' });
    assert.deepEqual([repaired.status, repaired.json.value], [200, 800]);
  });

  test('labels of values and options are in the caller’s language, names and options are not', async () => {
    const dryer = unitIds(1001, 2, 1);
    await write((db) => setUnitType(db, dryer, 'dryer'));
    for (const [language, label, option] of [
      ['da', 'Tørringsgrad', 'Strygetørt'],
      ['de', 'Trockengrad', 'Bügeltrocken'],
      ['pl', 'Stopień wysuszenia', 'Do prasowania'],
    ] as const) {
      const row = await fetchUnitValue(service, dryer, 'Operation', 'DryLevel', {
        token,
        headers: { 'accept-language': language },
      });
      assert.deepEqual([row.label, row.constraints.optionLabels[1]], [label, option]);
      assert.deepEqual(row.constraints.options, ['Damp', 'Iron', 'Cupboard', 'Extra']);
    }
  });

  test('an option has the label of its setting, in the caller’s language', async () => {
    const unit = unitIds(1001, 2, 1);
    const labels = async (valueName: string, group: string, language: string): Promise<string[]> =>
      (await fetchUnitValue(service, unit, group, valueName, { token, headers: { 'accept-language': language } }))
        .constraints.optionLabels;
    await write((db) => setUnitType(db, unit, 'washer'));
    assert.equal((await labels('Phase', 'Program', 'pl'))[2], 'Nagrzewanie');
    await write((db) => setUnitType(db, unit, 'heat_pump'));
    assert.equal((await labels('OperatingMode', 'Operation', 'pl'))[1], 'Ogrzewanie');
    await write((db) => setUnitType(db, unit, 'door'));
    const lock = ['Verrouillée', 'Déverrouillée', 'Coincée', 'État inconnu'];
    assert.deepEqual(await labels('LockState', 'Status', 'fr'), lock);
  });

  test('[settings.07] a group that does not exist, or that the type does not have, is 404 like a unit that is not there', async () => {
    await write((db) => setUnitType(db, unitIds(1001, 1, 2), 'thermometer'));
    const unknown = [
      'Booking',
      'Prices',
      'operation',
      'OPERATION',
      'Settings',
      'x',
      '__proto__',
      '%20',
      'a'.repeat(300),
    ];
    const replies = await Promise.all([
      ...unknown.map((group) => service.call('GET', unitPath(unitIds(1001, 1, 2), `/groups/${group}`), { token })),
      service.call('GET', unitPath(unitIds(1001, 1, 77), '/groups/Operation'), { token }),
    ]);
    for (const { status, json } of replies) assert.deepEqual([status, json.code], [404, 'not-found']);
    assert.equal(new Set(replies.map(comparableRefusal)).size, 1);
  });

  test('invisible settings are in no answer, for any manager and any stored value', async () => {
    const unit = unitIds(1001, 2, 1);
    await write(async (db) => {
      await setUnitType(db, unit, 'payment_terminal');
      for (const name of ['EquipmentKey', 'TerminalKey'])
        await insertSetting(db, unit, { name, value: 'hidden-from-all' });
    });
    const overview = await service.call('GET', unitPath(unit), { token });
    for (const { name } of overview.json.groups) {
      const { text } = await service.call('GET', unitPath(unit, `/groups/${name}`), { token });
      assert.doesNotMatch(text, /EquipmentKey|TerminalKey|hidden-from-all/);
    }
    for (const name of ['EquipmentKey', 'TerminalKey']) {
      const read = await service.call('GET', settingPath(unit, name, '/history'), { token });
      const written = await callSetUnitSetting(service, unit, name, 'mine', { token, expectedRevision: '1' });
      for (const { status, json } of [read, written]) assert.deepEqual([status, json.code], [404, 'not-found'], name);
    }
  });
});
