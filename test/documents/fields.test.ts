// Which fields of a unit its document has: all visible ones, those that a request names, or none; in every format.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { unitTypeCode, unitTypes } from '../../src/features/places/rules/unit-types.ts';
import { typeCatalogueOf } from '../../src/features/units/catalogue/type-catalogue.ts';
import { formatValueLabel } from '../../src/features/units/rules/value-labels.ts';
import { clearAudit } from '../support/audit.ts';
import { readCsv } from '../support/csv.ts';
import { insertTestBank } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { readXls } from '../support/spreadsheets.ts';
import { hourMs, testNow } from '../support/times.ts';
import { readHtml, readHtmlHeadings, readPanels, textOf } from './support/read-formats.ts';
import {
  cyclesAt,
  documentKidOf,
  documentPath,
  formatPaths,
  report,
  samplesOf,
  summarize,
  unitAt,
  unitKidOf,
  type FormatPath,
} from './support/reports.ts';

const bankId = 1001;
const [washer, unknown, untyped] = [unitAt(bankId, 1, 1), unitAt(bankId, 1, 2), unitAt(bankId, 1, 3)];
const start = testNow - hourMs;
/** One unit of each type, by its code. */
const unitOfType = (code: number) => unitAt(bankId, 2, code);
const codes = unitTypes.map(unitTypeCode);

serviceSuite({ now: testNow }, ({ service, manager, clock }) => {
  before(async () => {
    await service.write('sund', async (db) => {
      await insertTestBank(db, { bankId, places: { 1: [1, 2, 3, 4], 2: codes } });
      const types = [[unknown, 999], [untyped, 0], ...codes.map((code) => [unitOfType(code), code] as const)] as const;
      for (const [{ locationId, unitId }, code] of types)
        await db
          .updateTable('units')
          .set({ unit_type: code })
          .where('location_id', '=', locationId)
          .where('unit_id', '=', unitId)
          .execute();
    });
    for (const unit of [washer, unknown, untyped, ...codes.map(unitOfType)])
      await report(service, unit, { cycles: cyclesAt(1, [start, testNow]) });
    await report(service, washer, {
      samples: [
        ...samplesOf('SignalStrength', [[start, '71']]),
        ...samplesOf('SoapLevel', [
          [start, '64'],
          [testNow, '58'],
        ]),
        ...samplesOf('ErrorText', [[start, 'Door not closed']]),
        ...samplesOf('Power', [[start, null]]),
        ...samplesOf('Voltage', [[start, '230']]),
      ],
    });
    // A manager writes this setting during the run; the equipment writes the other one, which is never shown.
    await service.write('sund', (db) =>
      db
        .insertInto('unit_setting_history')
        .values(
          [
            { name: 'OutOfOrder', value: 'true', version: 900 },
            { name: 'EquipmentKey', value: 'secret', version: 901 },
          ].map((each) => ({
            ...each,
            bank_id: bankId,
            location_id: 1,
            unit_id: 1,
            changed_at: start + 1000,
            editor_id: null,
            sync_id: null,
          })),
        )
        .execute(),
    );
  });

  const get = (query: string, unit = washer, format: FormatPath = 'table') =>
    service.call('GET', documentPath(documentKidOf(unit, 1), format, query), manager);
  const columnsOf = async (query: string, unit = washer): Promise<string[] | string> => {
    const reply = await get(query, unit);
    return reply.status === 200 ? reply.json.columns.map(({ name }: { name: string }) => name) : summarize(reply);
  };
  /** What the operations on units show of it, in their order. */
  async function visibleNames(unit = washer): Promise<Record<'Settings' | 'States', string[]>> {
    const path = `/api/v1/units/${unitKidOf(unit)}`;
    const { groups } = (await service.call('GET', path, manager)).json;
    const names: Record<'Settings' | 'States', string[]> = { Settings: [], States: [] };
    for (const { name, kind } of groups as { name: string; kind: 'Settings' | 'States' }[]) {
      const { json } = await service.call('GET', `${path}/groups/${name}`, manager);
      names[kind].push(...json.values.map((value: { name: string }) => value.name));
    }
    return names;
  }

  test('[documents.35] without a parameter the document has every visible setting and state of the unit, with an empty one none', async () => {
    for (const code of codes) {
      const unit = unitOfType(code);
      const { Settings: settings, States: states } = await visibleNames(unit);
      assert.ok(settings.length > 10 && states.length > 5, `type ${code}`);
      assert.deepEqual(await columnsOf('', unit), [...settings, ...states], `type ${code}`);
      assert.deepEqual(await columnsOf('states=', unit), settings);
      assert.deepEqual(await columnsOf('settings=', unit), states);
      assert.deepEqual(await columnsOf('states=&settings=', unit), []);
      assert.deepEqual(await columnsOf('settings=&states=IpAddress', unit), ['IpAddress']);
      assert.deepEqual(await columnsOf('states=&settings=SerialNumber', unit), ['SerialNumber']);
    }
    assert.deepEqual(await columnsOf('States=Power&SETTINGS='), ['Power']);
  });

  test('[documents.35] every visible field can be named, by itself and together with all others', async () => {
    const { Settings: settings, States: states } = await visibleNames();
    for (const name of settings) assert.deepEqual(await columnsOf(`states=&settings=${name}`), [name]);
    for (const name of states) assert.deepEqual(await columnsOf(`settings=&states=${name}`), [name]);
    assert.deepEqual(await columnsOf(`states=${states.join()}&settings=${settings.join()}`), [...settings, ...states]);
  });

  test('[documents.35] all formats have the selected fields: the page names those without a value, the graph draws those with numbers', async () => {
    const { Settings: settings, States: states } = await visibleNames();
    const selections: [query: string, selected: readonly string[]][] = [
      ['', [...settings, ...states]],
      ['settings=', states],
      ['states=', settings],
      ['settings=OutOfOrder,Note&states=SoapLevel,IpAddress', ['OutOfOrder', 'Note', 'IpAddress', 'SoapLevel']],
    ];
    for (const [query, selected] of selections) {
      const inOrder = [...settings, ...states].filter((name) => selected.includes(name));
      const [names] = readCsv((await get(query, washer, 'table.csv')).text.slice(1));
      assert.deepEqual(names, ['ms2000', 'utc', ...inOrder]);
      const [head = []] = readXls((await get(query, washer, 'table.xls')).bytes).rows;
      assert.deepEqual(
        head.slice(-inOrder.length).map((cell) => cell?.value),
        inOrder,
      );
      // A stored null is a value of its own.
      const sampled = ['OutOfOrder', 'Cycle', 'SignalStrength', 'SoapLevel', 'ErrorText', 'Power'];
      const labelsOf = (wanted: (name: string) => boolean): string[] =>
        inOrder.filter(wanted).map((name) => formatValueLabel(name, 'en'));
      const html = (await get(query, washer, 'table.html')).text;
      assert.deepEqual(
        readHtmlHeadings(html).slice(1),
        labelsOf((name) => sampled.includes(name)),
      );
      const named = readHtml(html)
        .filter(({ tagName }) => tagName === 'p')
        .map(textOf)
        .filter((text) => text.startsWith('No values: '));
      assert.deepEqual(named, [`No values: ${labelsOf((name) => !sampled.includes(name)).join(', ')}`]);
      const drawn = [...readPanels((await get(query, washer, 'graph.svg')).text).keys()];
      const numeric = ['OutOfOrder', 'Cycle', 'SignalStrength', 'SoapLevel'];
      assert.deepEqual(
        drawn.map((title) => title.replace(/ \(.*$/, '')),
        labelsOf((name) => numeric.includes(name)),
      );
    }
  });

  test('[documents.31, documents.35] a setting that a manager writes during the document is in the row of its time, and only there', async () => {
    const unit = unitAt(bankId, 1, 4);
    await report(service, unit, { cycles: cyclesAt(1, [start, start + 60_000]), syncedThrough: testNow });
    await clearAudit(service);
    let revision = '0';
    for (const [offsetMs, value] of [
      [-1, 'before'],
      [0, 'at the start'],
      [30_000, 'replaced'],
      [30_000, 'within'],
      [60_000, 'at the end'],
      [60_001, 'after'],
    ] as const) {
      clock.now = start + offsetMs;
      const body = { value, expectedRevision: revision };
      const written = await service.call('PUT', `/api/v1/units/${unitKidOf(unit)}/settings/Note`, { ...manager, body });
      assert.equal(written.status, 200, written.text);
      revision = written.json.revision;
    }
    const { columns, rows } = (await get('', unit)).json;
    const note = columns.findIndex(({ name }: { name: string }) => name === 'Note');
    assert.deepEqual(
      rows.map((row: { ms2000: number; cells: unknown[] }) => [row.ms2000 - start, row.cells[note]]),
      [
        [0, { text: 'at the start', value: null }],
        [30_000, { text: 'within', value: null }],
        [60_000, { text: 'at the end', value: null }],
      ],
    );
  });

  test('[documents.35] a value that is never shown is in no format', async () => {
    for (const format of formatPaths) {
      const { status, bytes } = await get('', washer, format);
      assert.equal(status, 200, format);
      assert.ok(!bytes.includes('secret') && !bytes.includes('EquipmentKey'), format);
    }
  });

  test('[documents.34] names are separated by commas, in any order; a name that is given twice is one column', async () => {
    assert.deepEqual(await columnsOf('settings=&states=SpinSpeed,Temperature'), ['Temperature', 'SpinSpeed']);
    assert.deepEqual(await columnsOf('settings=&states=Power,Power'), ['Power']);
    assert.deepEqual(await columnsOf('settings=Cycle,Cycle&states='), ['Cycle']);
  });

  test('[documents.34] another spelling, or another way to separate names, is 400', async () => {
    const wrong = [
      'states=power',
      'states=POWER',
      'states=Power,',
      'states=,Power',
      'states=,',
      'states=%20Power',
      'states=Power%20',
      'states=Power;Temperature',
      'settings=cycle',
      `states=${'x'.repeat(9000)}`,
      'states=Power&states=Power',
      'state=Power',
    ];
    for (const query of wrong) assert.equal(await columnsOf(query), '400 invalid-request', query.slice(0, 80));
  });

  test('[documents.36] a field that is unknown, not visible or not bound to the unit is 400 in every format, which names it', async () => {
    const wrong: [parameter: 'states' | 'settings', names: string, wrong: string][] = [
      ['states', 'Unknown', 'Unknown'],
      ['settings', 'Unknown', 'Unknown'],
      ['states', 'Power,Temperatures,SpinSpeed', 'Temperatures'],
      ['states', '__proto__', '__proto__'],
      // Secrets of equipment.
      ['settings', 'EquipmentKey', 'EquipmentKey'],
      ['settings', 'Cycle,EquipmentKey', 'EquipmentKey'],
      ['states', 'EquipmentKey', 'EquipmentKey'],
      // Of other types of units; the washer even has samples of the first.
      ['states', 'Voltage', 'Voltage'],
      ['states', 'Power,Voltage', 'Voltage'],
      ['settings', 'TerminalId', 'TerminalId'],
      ['settings', 'TerminalKey', 'TerminalKey'],
      // Of the other kind.
      ['states', 'Cycle', 'Cycle'],
      ['settings', 'Power', 'Power'],
    ];
    for (const format of formatPaths)
      for (const [parameter, names, name] of wrong) {
        const reply = await get(`${parameter}=${names}`, washer, format);
        assert.equal(summarize(reply), '400 invalid-request', `${format} ${parameter}=${names}`);
        const [{ path, message }, ...others] = reply.json.errors;
        assert.deepEqual([path, others], [`query.${parameter}`, []]);
        assert.ok(message.includes(`"${name}" is none of them`), message);
        assert.ok(message.includes(`GetUnitDocumentTable without ${parameter} has a column for each`), message);
      }
  });

  test('[documents.36] what is not bound to one unit is bound to another', async () => {
    const terminal = unitOfType(unitTypeCode('payment_terminal'));
    const meter = unitOfType(unitTypeCode('electricity_meter'));
    assert.deepEqual(await columnsOf('settings=TerminalId&states=', terminal), ['TerminalId']);
    assert.deepEqual(await columnsOf('settings=&states=Voltage', meter), ['Voltage']);
    assert.equal(await columnsOf('settings=TerminalKey', terminal), '400 invalid-request');
    assert.equal(await columnsOf('states=SpinSpeed', meter), '400 invalid-request');
    const hidden = codes.flatMap((code) =>
      typeCatalogueOf(code)
        .definitions.filter(({ visible }) => !visible)
        .map(({ name, kind }) => [code, name, kind] as const),
    );
    assert.ok(hidden.length > codes.length);
    for (const [code, name, kind] of hidden)
      assert.equal(
        await columnsOf(`${kind === 'State' ? 'states' : 'settings'}=${name}`, unitOfType(code)),
        '400 invalid-request',
        name,
      );
  });

  test('a message does not repeat all of a long name', async () => {
    const { json } = await get(`states=${'y'.repeat(8000)}`);
    assert.ok(json.detail.length < 300, json.detail);
  });

  test('[documents.37] a unit of an unknown type has documents that no format can show', async () => {
    for (const unit of [unknown, untyped])
      for (const format of formatPaths)
        for (const query of ['', 'states=&settings='])
          assert.equal(summarize(await get(query, unit, format)), '422 unsupported-unit-type', format);
  });

  test('[documents.38] labels are English, and names are those of the catalogue', async () => {
    const { json } = await service.call(
      'GET',
      documentPath(documentKidOf(washer, 1), 'table', 'settings=&states=SpinSpeed'),
      { ...manager, headers: { 'accept-language': 'da' } },
    );
    assert.deepEqual(json.columns, [
      { name: 'SpinSpeed', kind: 'State', label: 'Spin speed', valueType: 'int', unitOfMeasure: '/min' },
    ]);
  });
});
