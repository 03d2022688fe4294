// A new administrator's first hour with the command line: an empty tenant, files that a Danish spreadsheet wrote, a plan with
// mistakes, and what the portal shows of it afterwards.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { residentFieldNames } from '../../src/features/residents/fields.ts';
import { csvOf } from '../support/imports.ts';
import { runPortal } from '../support/portal-process.ts';
import { serviceSuite } from '../support/service-suite.ts';

const files = {
  banks: csvOf(['key', 'number', 'name', 'type'], ['1', '1001', 'Eksempelgården', 'Rent']),
  locations: csvOf(['key', 'name'], ['A', 'Vaskeri A']),
  units: csvOf(['key', 'location', 'name', 'type'], ['m1', 'A', 'Vaskemaskine 1', 'washer']),
  residents: csvOf(
    ['key', 'name', 'email', 'language', 'location'],
    ['101', 'Åse Prøve', 'aase@example.org', 'da', 'Vaskeri A'],
    ['102', 'Bo Prøve', '', '', 'A'],
  ),
  mistakes: csvOf(
    ['key', 'name', 'email', 'language', 'location'],
    ['101', 'Åse Prøve', 'aase@example.org', 'da', 'Vaskeri A'],
    ['102', '', '', '', ''],
    ['103', 'Carl Prøve', 'adresse', '', ''],
    ['104', 'Dora Prøve', '', 'xx', ''],
    ['105', 'Erik Prøve', '', '', 'Vaskeri B'],
    ['101', 'Finn Prøve', '', '', ''],
  ),
  postings: csvOf(
    ['key', 'at', 'resident', 'unit', 'kind', 'amount', 'text', 'internalTag'],
    ['p1', '2026-05-20 08:15', '101', 'm1', 'Consumption', '-12,50', 'Vask 60', '17'],
    ['p2', '2026-05-21 09:00', '102', 'm1', 'Consumption', '-1.012,25', 'Vask 40', '18'],
  ),
};

serviceSuite({}, ({ service, storage, manager }) => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-import-'));
  after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files))
    // Windows-1252, as spreadsheets save CSV there; every character of these files has the same code in Latin-1.
    writeFileSync(join(folder, `${name}.csv`), text, 'latin1');
  const portal = (...args: string[]) =>
    runPortal([...args, '--tenant', 'sund'], { PORTAL_STORAGE: storage.storageUrl });
  const importFile = (kind: string, file: string, ...more: string[]) =>
    portal('import', kind, join(folder, `${file}.csv`), ...(kind === 'banks' ? [] : ['--bank', '1001']), ...more);

  test('[imports.14] commands build up an empty tenant, name each mistake by line and field, and take back what they did', async () => {
    const retention = await portal('retention', '--accounting', '4000');
    assert.equal(retention.stdout, 'sund: accounting 4000 days, surveillance 0 days\n', retention.stderr);
    const early = await importFile('locations', 'locations');
    assert.deepEqual([early.code, early.stderr], [2, 'error: there is no bank sund-B1001\n']);
    for (const [kind, told] of [
      ['banks', /applied: 1 applied\nline 2: sund-B1001\n$/],
      ['locations', /applied: 1 applied\n$/],
      ['units', /applied: 1 applied\n$/],
    ] as const)
      assert.match((await importFile(kind, kind, '--apply')).stdout, told, kind);
    const wrong = await importFile('residents', 'mistakes', '--apply');
    assert.equal(wrong.code, 1);
    assert.deepEqual(
      wrong.stdout
        .split('\n')
        .flatMap((line) => /^line (\d+): (\w+): .* \((.+)\)$/.exec(line)?.slice(1).join(' ') ?? []),
      ['3 name required', '4 email invalid', '5 language invalid', '6 location unknown-reference', '7 key repeated'],
    );
    assert.equal((await portal('export', 'residents', '--bank', '1001')).stdout.split('\r\n').length, 2);
    assert.match((await importFile('residents', 'residents', '--apply')).stdout, /applied: 2 applied\n$/);
    const applied = await importFile('postings', 'postings', '--apply', '--json');
    const [planned, done] = applied.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kid: string; state: string });
    assert.deepEqual([planned?.state, done?.state, applied.code], ['planned', 'applied', 0]);
    const account = async () =>
      (await service.call('GET', '/api/v1/banks/sund-B1001/account?Period=0', manager)).json.items.length as number;
    assert.equal(await account(), 2);
    const undone = await portal('import', 'undo', String(done?.kid));
    assert.match(undone.stdout, /undone: 2 applied, 2 undone\n$/, undone.stderr);
    assert.equal(await account(), 4);
    assert.match((await importFile('postings', 'postings', '--apply')).stdout, /applied: 2 applied\n$/);
    assert.equal(await account(), 6);
    const missing = await portal('import', 'undo', 'sund-F999');
    assert.deepEqual([missing.code, missing.stderr], [2, 'error: there is no import sund-F999\n']);
    const template = await portal('import', 'template', 'residents');
    assert.match(
      template.stdout,
      new RegExp(`^\uFEFFkey;kid;${residentFieldNames.join(';')};location;tags;state;movedOut\r\n`),
    );
  });
});
