// `import postal-codes` as an operator runs it, and the searches that read the imported codes.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Db } from '../../src/database/db.ts';
import type { PostalCodeQuery } from '../../src/providers/geocoding/geocoder.ts';
import {
  beginPostalImport,
  finishPostalImport,
  insertPostalCities,
} from '../../src/providers/geocoding/queries/postal-codes.ts';
import { runPortal } from '../support/portal-process.ts';
import { runRefusedCommand } from '../support/refused-command.ts';
import { onBothEngines, createStorage, startService, type TestService, type TestStorage } from '../support/service.ts';

const line = (country: string, postcode: string, city: string, more: readonly string[] = []): string =>
  [country, postcode, city, 'State', '01', 'County', '002', '', '', '55.7', '12.5', '4', ...more].join('\t');

const denmark = [line('DK', '2100', 'København Ø'), line('DK', '8000', 'Aarhus C'), line('DK', '9000', 'Aalborg')];

onBothEngines((engine) => {
  let storage: TestStorage;
  let service: TestService;
  const directory = mkdtempSync(join(tmpdir(), 'portal-import-'));
  const geocoderFile = join(directory, 'geocoder.json');
  writeFileSync(
    geocoderFile,
    JSON.stringify({
      providers: { table: { type: 'postal-table' } },
      countries: { DK: { postalCity: 'table' }, SE: { postalCity: 'table' } },
    }),
  );
  before(async () => {
    storage = await createStorage(engine);
    service = await startService(engine, {
      storage,
      tenants: ['sund', 'malar'],
      settings: { PORTAL_GEOCODER: geocoderFile },
    });
  });
  after(async () => {
    await service.stop();
    await storage.release();
    rmSync(directory, { recursive: true });
  });

  const importLines = (lines: readonly (string | Buffer)[], ...options: string[]) => {
    const file = writeLines(lines);
    return runPortal(['import', 'postal-codes', file, ...options], { PORTAL_STORAGE: storage.storageUrl });
  };
  const refuseLines = (lines: readonly (string | Buffer)[]) =>
    runRefusedCommand(storage.storageUrl, 'import', 'postal-codes', writeLines(lines));
  const writeLines = (lines: readonly (string | Buffer)[]): string => {
    const file = join(directory, 'codes.txt');
    writeFileSync(file, Buffer.concat(lines.flatMap((each) => [Buffer.from(each), Buffer.from('\n')])));
    return file;
  };
  const cityOf = async (postcode: string, tenant = 'sund', country = 'DK'): Promise<string | null> => {
    const query: PostalCodeQuery = { tenant, country, isResident: false, turnKey: ['sund', '1'], postcode };
    const found = await service.dependencies.geocoder.findPostalCity(query);
    return found.outcome === 'Success' ? found.city : found.outcome;
  };
  const rowsOf = (work: (db: Db) => Promise<unknown[]>, tenant = 'sund') => service.read(tenant, work);
  const countRows = async (): Promise<number> =>
    (await rowsOf((db) => db.selectFrom('postal_codes').select('postcode').execute())).length;

  test('a country’s cities are found after the import, only in its tenant', async () => {
    assert.equal(await cityOf('2100'), 'NoResult');
    const swedish = [line('SE', '114 55', 'Stockholm'), line('SE', '186 00', 'Vallentuna')];
    const { code, stdout, stderr } = await importLines([...denmark, ...swedish, line('FI', '00100', 'Helsinki')]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(
      stdout,
      'sund: 3 postal codes of DK, 0 of several places\n' +
        'malar: 2 postal codes of SE, 0 of several places\n' +
        '1 lines of other countries were left out\n',
    );
    assert.deepEqual(await Promise.all([cityOf('2100'), cityOf('8000'), cityOf('1234')]), [
      'København Ø',
      'Aarhus C',
      'NoResult',
    ]);
    assert.equal(await cityOf('114 55', 'malar', 'SE'), 'Stockholm');
    assert.equal(await cityOf('2100', 'malar', 'DK'), 'NoResult');
    const metrics = await service.dependencies.metrics.text();
    assert.match(metrics, /^geocoder_lookups_total\{provider="table",search="postalCity",outcome="Success"\} 3$/m);
  });

  test('a code with several places has no city; a code that is listed twice with the same place has one', async () => {
    const { code, stdout } = await importLines([
      line('DK', '2100', 'København Ø'),
      line('DK', '2100', 'Østerbro'),
      line('DK', '8000', 'Aarhus C'),
      line('DK', '8000', ' Aarhus C '),
    ]);
    assert.deepEqual([code, stdout], [0, 'sund: 2 postal codes of DK, 1 of several places\n']);
    assert.deepEqual(await Promise.all([cityOf('2100'), cityOf('8000')]), ['NoResult', 'Aarhus C']);
  });

  test('an import replaces the previous one completely', async () => {
    await importLines(denmark);
    assert.equal((await importLines([line('DK', '5000', 'Odense C')])).code, 0);
    assert.deepEqual(await Promise.all([cityOf('5000'), cityOf('2100')]), ['Odense C', 'NoResult']);
    assert.equal(await countRows(), 1);
  });

  test('many codes are written in batches, and are used after the last one is written', async () => {
    const codes = Array.from({ length: 9999 }, (_, at) => String(at).padStart(4, '0'));
    const { code, stdout } = await importLines(codes.map((each) => line('DK', each, `Town ${each}`)));
    assert.deepEqual([code, stdout], [0, 'sund: 9999 postal codes of DK, 0 of several places\n']);
    assert.deepEqual(await Promise.all([cityOf('0000'), cityOf('4999'), cityOf('9998')]), [
      'Town 0000',
      'Town 4999',
      'Town 9998',
    ]);
    assert.equal((await importLines(denmark)).code, 0);
    assert.equal(await countRows(), 3);
  });

  test('codes of an interrupted import are not used, and the next import removes them', async () => {
    await importLines(denmark);
    await service.write('sund', async (db) => {
      const id = await beginPostalImport(db, 'DK');
      await insertPostalCities(
        db,
        'DK',
        id,
        ['2100', '1111'].map((postcode) => ({ postcode, city: 'Half Town' })),
      );
    });
    assert.deepEqual(await Promise.all([cityOf('2100'), cityOf('1111')]), ['København Ø', 'NoResult']);
    assert.equal((await importLines(denmark)).code, 0);
    assert.equal(await countRows(), 3);
  });

  test('an import whose rows another one has removed does not replace it', async () => {
    const isFinished = await service.write('sund', async (db) => {
      const id = await beginPostalImport(db, 'DK');
      await insertPostalCities(db, 'DK', id, [{ postcode: '2100', city: 'Half Town' }]);
      return finishPostalImport(db, 'DK', id, 2);
    });
    assert.equal(isFinished, false);
    await importLines(denmark);
  });

  test('a file with a wrong line is refused completely, in one line that names it', async () => {
    await importLines(denmark);
    const wrong: [bad: string | Buffer, message: RegExp][] = [
      ['DK\t2100', /line 2: it has 2 columns in place of 12/],
      [line('DK', '2100', 'X', ['']), /line 2: it has 13 columns/],
      ['', /line 2: it has 1 columns/],
      [line('dk', '2100', 'X'), /line 2: its country/],
      [line('DK', '210', 'X'), /line 2: its postal code is none of DK/],
      [line('DK', '2100', ' '), /line 2: its place has no name/],
      [line('DK', '2100', 'X').replace('55.7', '95.7'), /line 2: its coordinates/],
      [line('DK', '2100', 'X').replace('12.5', 'east'), /line 2: its coordinates/],
      [Buffer.from([0x44, 0xc3, 0x28]), /line 2: it is not UTF-8/],
      ['x'.repeat(300_000), /line 2: it has more than 4096 bytes/],
    ];
    for (const [bad, message] of wrong) {
      const { code, stderr } = await refuseLines([line('DK', '5000', 'Odense C'), bad]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /^error: [^\n]+Nothing was imported\n$/);
      assert.match(stderr, message);
    }
    assert.deepEqual(await Promise.all([cityOf('2100'), cityOf('5000')]), ['København Ø', 'NoResult']);
  });

  test('files and options that cannot be used are refused in one line', async () => {
    const wrong: [argv: string[], message: RegExp][] = [
      [[], /missing required argument 'file'/],
      [['/nowhere/DK.txt'], /cannot read \/nowhere\/DK\.txt: ENOENT/],
      [[directory], /cannot read .*: EISDIR/],
      [['x', 'y'], /too many arguments/],
      [['x', '--country', 'DK'], /unknown option/],
      [['x', '--tenant', 'oslo'], /unknown tenant oslo/],
    ];
    for (const [argv, message] of wrong) {
      const { code, stderr } = await runRefusedCommand(storage.storageUrl, 'import', 'postal-codes', ...argv);
      assert.deepEqual([code, stderr.split('\n').length], [2, 2], stderr);
      assert.match(stderr, message);
    }
    const foreign = await refuseLines([line('FI', '00100', 'Helsinki')]);
    assert.equal(foreign.code, 2);
    assert.match(foreign.stderr, /has no postal codes of DK, NO, SE, DE, GB/);
  });

  test('only the named tenants get the import', async () => {
    await importLines(denmark);
    const { code, stdout } = await importLines(
      [line('DK', '5000', 'Odense C'), line('SE', '114 55', 'Lund')],
      '--tenant',
      'malar',
    );
    assert.deepEqual([code, stdout.split('\n')[0]], [0, 'malar: 1 postal codes of SE, 0 of several places']);
    assert.deepEqual(await Promise.all([cityOf('2100'), cityOf('114 55', 'malar', 'SE')]), ['København Ø', 'Lund']);
  });
});
