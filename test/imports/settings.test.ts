// Imports of settings: the rules are those of SetUnitSetting, for thousands of rows at once.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openingPattern } from '../../src/features/units/catalogue/opening-settings.ts';
import { insertTestBank } from '../support/factories.ts';
import { assertSoundAudit, readAuditEntries } from '../support/audit.ts';
import { applyImport, exportRows, importRows, planRows, readRows, undoImport } from '../support/import-calls.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';
import {
  callSetUnitSetting,
  fetchUnitValue,
  readSettingTrace,
  settingPath,
  unitIds,
} from '../support/unit-settings.ts';

const byName = (one: { name: string }, other: { name: string }): number => (one.name < other.name ? -1 : 1);
const bankId = 1001;
const bankKid = `sund-B${bankId}`;
const unitKids = [1, 2, 3, 4, 5, 6].map((unitId) => `${bankKid}-L1-U${unitId}`);

serviceSuite({ now: testNow }, ({ service, manager, issueToken }) => {
  before(() => service.write('sund', (db) => insertTestBank(db, { places: { 1: [1, 2, 3, 4, 5, 6], 2: [1] } })));

  const request = (...rows: string[][]) => ({
    kind: 'settings',
    bankId,
    token: manager.token,
    rows: [['unit', 'setting', 'value'], ...rows],
  });
  const errorsOf = async (kid: string): Promise<string[]> =>
    (await readRows(service, kid, manager.token)).map(
      ({ errors: [error] }: { errors: { field: string; code: string; text: string }[] }) =>
        error === undefined ? 'fine' : `${error.field} ${error.code}: ${error.text}`,
    );

  test('[imports.50] imported settings are written as SetUnitSetting writes them: value, history and record for the device', async () => {
    const [unit = ''] = unitKids;
    const { items } = await importRows(
      service,
      request(
        [unit, 'PriceWash40', '2000'],
        [unit, 'SoapDose', '012.50'],
        [unit, 'ChildLock', 'true'],
        [unit, 'Note', 'Ask first'],
      ),
    );
    assert.deepEqual(
      items.map(({ action, objectKid }) => [action, objectKid]),
      ['PriceWash40', 'SoapDose', 'ChildLock', 'Note'].map((name) => ['update', `${unit}#${name}`]),
    );
    const { settings, history, syncs } = await readSettingTrace(service, unitIds());
    assert.deepEqual(
      settings.map(({ name, value, version, editor_id }) => [name, value, version, editor_id]),
      [
        ['ChildLock', 'true', 2, manager.managerId],
        ['Note', 'Ask first', 2, manager.managerId],
        ['PriceWash40', '2000', 2, manager.managerId],
        ['SoapDose', '12.5', 2, manager.managerId],
      ],
    );
    assert.deepEqual(history, settings);
    assert.deepEqual(
      syncs.map(({ subject_kind, subject_id, state }) => [subject_kind, subject_id, state]),
      Array.from({ length: 4 }, () => ['setting', 2, 'queued']),
    );
    assert.equal(new Set(settings.map(({ sync_id }) => sync_id)).size, 4);
    const value = await fetchUnitValue(service, unitIds(), 'Prices', 'PriceWash40', manager);
    assert.deepEqual([value.value, value.revision, value.synced], [2000, '2', false]);
    const entries = (await readAuditEntries(service)).filter(({ object }) => object === unit);
    assert.equal(entries.length, 4);
    assert.equal(entries[0]?.new_values, '{"setting":"PriceWash40","value":"2000"}');
    await assertSoundAudit(service);
  });

  test('[imports.51] a setting that has the value of its row is not written again', async () => {
    const [, unit = ''] = unitKids;
    const rows = request([unit, 'PriceWash40', '100'], [unit, 'SoapDose', ''], [unit, 'ChildLock', 'false']);
    const first = await importRows(service, rows);
    assert.deepEqual(
      first.items.map(({ changes }) => changes.length),
      [2, 1, 1],
      'a change of the value, and keys',
    );
    const trace = await readSettingTrace(service, unitIds(1001, 1, 2));
    assert.deepEqual(
      trace.settings.map(({ name }) => name),
      ['PriceWash40'],
    );
    const second = await planRows(service, rows);
    assert.deepEqual(second.counts, { create: 0, update: 0, unchanged: 3, missing: 0, refused: 0 });
  });

  test('[imports.52] rows are refused as SetUnitSetting refuses them', async () => {
    const [, , unit = ''] = unitKids;
    const { kid } = await planRows(
      service,
      request(
        [unit, 'SoapDose', '12.3'],
        [unit, 'SoapDose', 'much'],
        [unit, 'PriceWash40', '12.50'],
        [unit, 'ChildLock', 'yes'],
        [unit, 'ProgramSet', 'Turbo'],
        [unit, 'OpeningMonday', '25:00-26:00'],
        [unit, 'Humbug', '1'],
        [unit, 'Temperature', '40.0'],
        [unit, 'DryLevel', 'Damp'],
        [unit, 'Cycle', '1'],
        ['sund-B1001-L9-U9', 'Note', ''],
        ['', 'Note', ''],
        [unit, '', 'x'],
        [unit, 'Note', 'one'],
        [unit, 'Note', 'two'],
      ),
    );
    assert.deepEqual(await errorsOf(kid), [
      'value invalid: value: must be a multiple of 0.5.',
      'value invalid: value: must be a number.',
      'value invalid: value: must be a 64-bit integer.',
      'value invalid: value: must be true or false.',
      'value invalid: value: must be one of Standard, Economy, Allergy, Heavy.',
      `value invalid: value: must match the pattern ${openingPattern}.`,
      'setting unknown-setting: setting: the unit has no such setting.',
      'setting unknown-setting: setting: the unit has no such setting.',
      'setting unknown-setting: setting: the unit has no such setting.',
      'setting read-only-setting: setting: only the equipment writes it.',
      'unit unknown-reference: unit: there is no such unit in the bank.',
      'unit required: unit: must not be empty.',
      'setting required: setting: must not be empty.',
      'fine',
      `key repeated: key: "${unit}#Note" stands in an earlier row of the file as well.`,
    ]);
  });

  test('[imports.53] undoing writes the former values, and leaves settings that somebody has changed since', async () => {
    const ids = unitIds(1001, 1, 4);
    const unit = unitKids[3] ?? '';
    const set = await callSetUnitSetting(service, ids, 'Note', 'before', manager);
    assert.equal(set.status, 200, set.text);
    const { kid } = await importRows(
      service,
      request([unit, 'Note', 'imported'], [unit, 'PriceWash40', '500'], [unit, 'PriceWash60', '600']),
    );
    const { json: imported } = await service.call('GET', settingPath(ids, 'PriceWash60', '/history'), manager);
    assert.equal(imported.items[0].value, 600);
    const { revision } = await fetchUnitValue(service, ids, 'Prices', 'PriceWash60', manager);
    const options = { token: manager.token, expectedRevision: revision };
    const later = await callSetUnitSetting(service, ids, 'PriceWash60', 700, options);
    assert.equal(later.status, 200, later.text);
    await undoImport(service, kid, manager.token);
    assert.deepEqual(
      (await readRows(service, kid, manager.token)).map(({ outcome }) => outcome),
      ['undone', 'undone', 'kept'],
    );
    const { settings, history } = await readSettingTrace(service, ids);
    assert.deepEqual(
      settings.toSorted(byName).map(({ name, value }) => [name, value]),
      [
        ['Note', 'before'],
        ['PriceWash40', null],
        ['PriceWash60', '700'],
      ],
    );
    assert.deepEqual(
      history.filter(({ name }) => name === 'Note').map(({ value }) => value),
      ['before', 'imported', 'before'],
    );
  });

  test('[imports.54] exported settings are those that were written, and are unchanged when they are imported', async () => {
    const unit = unitKids[4] ?? '';
    await importRows(service, request([unit, 'Note', 'a, "b"'], [unit, 'SoapDose', '2']));
    const rows = await exportRows(service, { kind: 'settings', bankId, token: manager.token });
    const own = rows.filter(([, exported]) => exported === unit);
    assert.deepEqual(own, [
      [`${unit}#Note`, unit, 'Note', 'a, "b"'],
      [`${unit}#SoapDose`, unit, 'SoapDose', '2.0'],
    ]);
    const planned = await planRows(service, { kind: 'settings', bankId, token: manager.token, rows });
    assert.deepEqual([planned.counts.refused, planned.counts.create], [0, 0]);
    const changed = (await readRows(service, planned.kid, manager.token)).flatMap(({ changes }) =>
      changes.filter(({ field }: { field: string }) => field !== 'key'),
    );
    assert.deepEqual(changed, []);
  });

  test('[imports.55] a setting that was changed after the plan is not overwritten', async () => {
    const ids = unitIds(1001, 1, 6);
    const unit = unitKids[5] ?? '';
    const { kid } = await planRows(service, request([unit, 'Note', 'planned'], [unit, 'PriceWash40', '1']));
    await callSetUnitSetting(service, ids, 'Note', 'meanwhile', manager);
    const { state } = await applyImport(service, kid, manager.token);
    assert.equal(state, 'failed');
    const { settings } = await readSettingTrace(service, ids);
    assert.deepEqual(
      settings.map(({ value }) => value),
      ['meanwhile'],
    );
    assert.deepEqual(await errorsOf(kid), [
      'value stale: value: was empty when the plan was made, and is "meanwhile" now.',
      'fine',
    ]);
  });

  test('[imports.56] an import of settings needs the right to write units in the whole bank', async () => {
    const attempt = async (options: Parameters<typeof issueToken>[0]) => {
      const token = await issueToken(options);
      const rawBody = 'unit,setting,value\n';
      const headers = { 'content-type': 'application/octet-stream' };
      const path = `/api/v1/imports?kind=settings&bankKid=${bankKid}`;
      const { status, json } = await service.call('POST', path, { token, rawBody, headers });
      return [status, json.reason];
    };
    const readOnly = ['Bank.Read', 'Location.Read', 'Unit.Read'] as const;
    assert.deepEqual(await attempt({ permissions: readOnly }), [403, 'missing-unit-write']);
    assert.deepEqual(await attempt({ grants: [{ bankId: 1001, locationId: 1 }] }), [403, 'too-narrow']);
    assert.deepEqual(await attempt({ grants: [{ bankId: 2001, locationId: 0 }] }), [404, undefined]);
  });
});
