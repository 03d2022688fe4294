// Only graphs of finished documents are cached; a cached graph is never shown to a manager without access, and never
// after a change.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import type { WriteDb } from '../../src/database/db.ts';
import type { Tables } from '../../src/database/tables.ts';
import { managerTopic } from '../../src/features/managers/rules/manager-topic.ts';
import { unitTypeCode, type UnitType } from '../../src/features/places/rules/unit-types.ts';
import { createToken, insertTestBank } from '../support/factories.ts';
import { startInstance } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { waitUntil } from '../support/async.ts';
import { dayMs, hourMs, minuteMs, testNow } from '../support/times.ts';
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
  type TestUnit,
} from './support/reports.ts';

const start = testNow - 5 * hourMs;
const end = start + hourMs;

const toPacked = (type: UnitType) => unitTypeCode(type) << 1;

serviceSuite({ now: testNow }, ({ engine, service, manager, issueToken, nextBankId, onStop, clock }) => {
  let unit: TestUnit;
  beforeEach(async () => {
    const bankId = nextBankId();
    await service.write('sund', (db) => insertTestBank(db, { bankId, places: { 1: [1], 2: [1] } }));
    unit = unitAt(bankId, 1, 1);
    await report(service, unit, {
      cycles: cyclesAt(1, [start, end]),
      samples: samplesOf('Power', [
        [start, '1.0'],
        [start + minuteMs, '2.0'],
      ]),
      syncedThrough: end + 2 * minuteMs,
    });
  });

  const graph = (query = '', token = manager.token) =>
    service.call('GET', documentPath(documentKidOf(unit, 1), 'graph.svg', query), { token });
  const drawn = async (query = ''): Promise<string> => {
    const { status, text } = await graph(query);
    assert.equal(status, 200, text);
    return text;
  };
  /** Changes a sample directly in the database, which a cached graph does not notice. */
  const changeSecretly = (value: string): Promise<unknown> =>
    service.write('sund', (db) =>
      db
        .updateTable('state_samples')
        .set({ value })
        .where('at', '=', start + minuteMs)
        .where('series_id', 'in', (eb) =>
          eb.selectFrom('state_series').select('series_id').where('bank_id', '=', unit.bankId),
        )
        .execute(),
    );
  const directory = (): string => join(service.dependencies.config.cache, 'documents');
  /** A file that is being written has another name. */
  const listFiles = (): string[] => {
    try {
      return readdirSync(directory()).filter((name) => !name.endsWith('.tmp'));
    } catch {
      return [];
    }
  };

  test('[documents.53] the graph of a finished document is cached, by fields and width', async () => {
    const first = await drawn();
    const wide = await drawn('width=2000');
    await changeSecretly('9.0');
    assert.equal(await drawn(), first);
    assert.equal(await drawn('width=2000'), wide);
    assert.notEqual(await drawn('width=1999'), wide);
    assert.notEqual(await drawn('states=Power&settings='), first);
  });

  test('[documents.53] cached graphs that are requested at the same time are each of their own document', async () => {
    const earlier = start - dayMs;
    await report(service, unit, {
      cycles: cyclesAt(2, [earlier, earlier + hourMs]),
      samples: samplesOf('Power', [[earlier + minuteMs, '7.0']]),
    });
    const draw = async (documentId: number): Promise<string> => {
      const path = documentPath(documentKidOf(unit, documentId), 'graph.svg');
      return (await service.call('GET', path, manager)).text;
    };
    const alone = [await draw(1), await draw(2)];
    assert.notEqual(alone[0], alone[1]);
    // Neither is drawn again, although all but the first of each document wait for a reading of its state that they share.
    await changeSecretly('9.0');
    const requested = Array.from({ length: 12 }, (_, at) => at % 2);
    const together = await Promise.all(requested.map((at) => draw(at + 1)));
    assert.deepEqual(
      together,
      requested.map((at) => alone[at]),
    );
  });

  test('[documents.53] a graph of a running document, a table and a download show new samples at once', async () => {
    await report(service, unit, { cycles: cyclesAt(2, [end + hourMs], { ends: false }) });
    const read = async (format: (typeof formatPaths)[number]) => {
      const { status, bytes } = await service.call(
        'GET',
        documentPath(documentKidOf(unit, 2), format, 'states=Power'),
        manager,
      );
      assert.equal(status, 200);
      return bytes.toString('base64');
    };
    const finished = async (format: (typeof formatPaths)[number]) =>
      (await service.call('GET', documentPath(documentKidOf(unit, 1), format), manager)).bytes.toString('base64');
    await report(service, unit, {
      samples: samplesOf('Power', [[end + hourMs + minuteMs, '1.5']]),
      syncedThrough: end + hourMs + minuteMs,
    });
    for (const format of formatPaths) {
      const before = await read(format);
      await report(service, unit, {
        samples: samplesOf('Power', [[end + hourMs + 30_000, String(Math.random())]]),
      });
      assert.notEqual(await read(format), before, format);
    }
    for (const format of formatPaths.filter((each) => each !== 'graph.svg')) {
      const before = await finished(format);
      await changeSecretly(String(Math.random()));
      assert.notEqual(await finished(format), before, format);
    }
  });

  test('[documents.53] the graph of a running document is not written to disk', async () => {
    const running = unitAt(unit.bankId, 2, 1);
    for (const [locationId, name] of [
      [1, 'Finished one'],
      [2, 'Running one'],
    ] as const)
      await service.write('sund', (db) =>
        db
          .updateTable('units')
          .set({ name: `${name} ${unit.bankId}` })
          .where('bank_id', '=', unit.bankId)
          .where('location_id', '=', locationId)
          .execute(),
      );
    await report(service, running, {
      cycles: cyclesAt(1, [start], { ends: false }),
      samples: samplesOf('Power', [[start, '1']]),
      syncedThrough: end,
    });
    const isWritten = (name: string): boolean =>
      listFiles().some((file) => readFileSync(join(directory(), file), 'utf8').includes(`${name} ${unit.bankId}`));
    const path = documentPath(documentKidOf(running, 1), 'graph.svg');
    const { headers, text } = await service.call('GET', path, manager);
    assert.equal(headers['x-document-complete'], 'false');
    assert.ok(text.includes(`Running one ${unit.bankId}`));
    await drawn();
    // Graphs are written in the order of their requests.
    await waitUntil('the other graph is written', () => isWritten('Finished one'));
    assert.ok(!isWritten('Running one'));
  });

  test('[documents.53] late samples and Cycles, and new names, cause a new graph', async () => {
    const changes: [what: string, change: () => Promise<unknown>][] = [
      ['a late sample', () => report(service, unit, { samples: samplesOf('Power', [[start + 2 * minuteMs, '3.0']]) })],
      ['a corrected sample', () => report(service, unit, { samples: samplesOf('Power', [[start + minuteMs, '4.0']]) })],
      [
        'a late Cycle',
        () => report(service, unit, { cycles: [{ documentId: 1, at: start + 3 * minuteMs, value: 'Spin' }] }),
      ],
      [
        'a unit’s name',
        () =>
          service.write('sund', (db) =>
            db
              .updateTable('units')
              .set({ name: `Unit ${unit.bankId}` })
              .execute(),
          ),
      ],
      [
        'a location’s name',
        () => service.write('sund', (db) => db.updateTable('locations').set({ name: 'New house' }).execute()),
      ],
      [
        'a time zone',
        () =>
          service.write('sund', (db) => db.updateTable('locations').set({ time_zone: 'Atlantic/Reykjavik' }).execute()),
      ],
      ['a unit’s type', () => changeUnits({ unit_type: unitTypeCode('dryer') })],
      ['a packed type', () => changeUnits({ unit_type: 0, packed_type: toPacked('washer') })],
      ['another packed type', () => changeUnits({ packed_type: toPacked('dryer') })],
    ];
    const changeUnits = (columns: Partial<Tables['units']>): Promise<unknown> =>
      service.write('sund', (db) => db.updateTable('units').set(columns).execute());
    let before = await drawn();
    for (const [what, change] of changes) {
      await change();
      const after = await drawn();
      assert.notEqual(after, before, what);
      assert.equal(await drawn(), after);
      before = after;
    }
  });

  test('[documents.53] a setting that is written into a finished document, whose equipment has a fast clock, is in the next graph', async () => {
    const cycles = cyclesAt(3, [testNow - hourMs, testNow + hourMs]);
    await report(service, unit, { cycles, syncedThrough: testNow + 2 * hourMs });
    const query = 'states=&settings=Cycle,OutOfOrder';
    const draw = async (): Promise<string> => {
      const path = documentPath(documentKidOf(unit, 3), 'graph.svg', query);
      const { headers, text } = await service.call('GET', path, manager);
      assert.equal(headers['x-document-complete'], 'true', text);
      return text;
    };
    const before = await draw();
    const path = `/api/v1/units/${unitKidOf(unit)}/settings/OutOfOrder`;
    const written = await service.call('PUT', path, { ...manager, body: { value: true, expectedRevision: '0' } });
    assert.equal(written.status, 200, written.text);
    assert.notEqual(await draw(), before);
  });

  test('samples of later runs do not invalidate the graphs of earlier ones', async () => {
    const first = await drawn();
    await report(service, unit, {
      cycles: cyclesAt(2, [end + 2 * hourMs]),
      samples: samplesOf('Power', [[end + 2 * hourMs, '7.0']]),
      syncedThrough: end + 3 * hourMs,
    });
    await changeSecretly('9.0');
    assert.equal(await drawn(), first);
  });

  test('[documents.05] a cached graph is not shown to a manager who has lost access to it or never had it', async () => {
    await drawn();
    const cases: [options: Parameters<typeof issueToken>[0], expected: string][] = [
      [{ tabs: ['Account2'] }, '403 forbidden'],
      [{ permissions: ['Bank.Read', 'Location.Read'] }, '403 forbidden'],
      [{ grants: [{ bankId: unit.bankId, locationId: 2 }] }, '404 not-found'],
      [{ environment: 'beta' }, '401 unauthenticated'],
    ];
    for (const [options, expected] of cases)
      assert.equal(summarize(await graph('', await issueToken(options))), expected);
    assert.equal((await service.call('GET', documentPath(documentKidOf(unit, 1), 'graph.svg'))).status, 401);
    await service.write('sund', (db) =>
      db.updateTable('units').set({ deleted_at: 1 }).where('bank_id', '=', unit.bankId).execute(),
    );
    assert.equal(summarize(await graph()), '404 not-found');
  });

  type Loss = readonly [what: string, change: (db: WriteDb, managerId: number) => Promise<unknown>, answer: string];
  const setManager =
    (change: object): Loss[1] =>
    (db, managerId) =>
      db.updateTable('managers').set(change).where('manager_id', '=', managerId).execute();
  const removeRows =
    (table: 'sessions' | 'manager_tabs' | 'manager_grants'): Loss[1] =>
    (db, managerId) =>
      db.deleteFrom(table).where('manager_id', '=', managerId).execute();
  const withdraw =
    (permission: string): Loss[1] =>
    (db, managerId) =>
      db
        .deleteFrom('manager_permissions')
        .where('manager_id', '=', managerId)
        .where('permission', '=', permission)
        .execute();
  const losses: readonly Loss[] = [
    ['the account: deactivated', setManager({ active: 0 }), '401 unauthenticated'],
    ['the account: deleted', setManager({ deleted_at: 1 }), '401 unauthenticated'],
    ['the credential stamp', setManager({ credential_stamp: 'turned' }), '401 unauthenticated'],
    ['the session', removeRows('sessions'), '401 unauthenticated'],
    ['the Tabs', removeRows('manager_tabs'), '403 forbidden'],
    ['Bank.Read', withdraw('Bank.Read'), '403 forbidden'],
    ['Location.Read', withdraw('Location.Read'), '403 forbidden'],
    ['Unit.Read', withdraw('Unit.Read'), '403 forbidden'],
    [
      'the grant for the location',
      (db, managerId) =>
        db.updateTable('manager_grants').set({ location_id: 2 }).where('manager_id', '=', managerId).execute(),
      '404 not-found',
    ],
    [
      'the grant for the bank',
      (db, managerId) =>
        db.updateTable('manager_grants').set({ bank_id: 1 }).where('manager_id', '=', managerId).execute(),
      '404 not-found',
    ],
    ['RetentionDays', setManager({ retention_days: 0 }), '404 not-found'],
  ];

  test('[documents.05] who loses account, session, stamp, Tab, a right, the grant or the retention gets no cached graph, neither from memory nor from disk', async () => {
    const name = `Lost ${unit.bankId}`;
    const changeUnit = (change: Partial<Tables['units']>): Promise<unknown> =>
      service.write('sund', (db) =>
        db
          .updateTable('units')
          .set(change)
          .where('bank_id', '=', unit.bankId)
          .where('location_id', '=', unit.locationId)
          .execute(),
      );
    await changeUnit({ name, deleted_at: testNow - hourMs });
    const path = documentPath(documentKidOf(unit, 1), 'graph.svg');
    const rights = { retentionDays: 30, livesMs: dayMs };
    const keeper = await issueToken(rights);
    const first = await graph('', keeper);
    assert.equal(first.status, 200, first.text);
    await waitUntil('the graph is written', () =>
      listFiles().some((file) => readFileSync(join(directory(), file), 'utf8').includes(name)),
    );
    await changeSecretly('9.0');
    // Only managers who have lost something ask this instance for the graph, so that it is not in its memory.
    const cold = await startInstance(service);
    onStop(() => cold.stop());
    // The first graph of an instance makes it list the files.
    assert.equal((await cold.call('GET', `${path}?width=700`, { token: keeper })).status, 200);
    for (const [what, change, answer] of losses) {
      const grants = [{ bankId: unit.bankId, locationId: what.includes('location') ? unit.locationId : 0 }];
      const { token, managerId } = await createToken(service, { ...rights, grants });
      assert.ok((await graph('', token)).text === first.text, what);
      await service.write('sund', async (db) => {
        db.changedTopics.add(managerTopic(managerId));
        await change(db, managerId);
      });
      assert.equal(summarize(await graph('', token)), answer, what);
      assert.equal(summarize(await cold.call('GET', path, { token })), answer, what);
    }
    // The cached graph was there all the time, in memory and on disk.
    assert.ok((await graph('', keeper)).text === first.text);
    assert.ok((await cold.call('GET', path, { token: keeper })).text === first.text);
  });

  test('[documents.54] a graph is cached for 24 hours, on disk as well', async () => {
    const first = await drawn();
    await changeSecretly('9.0');
    clock.now = testNow + dayMs - minuteMs;
    assert.equal(await drawn(), first);
    clock.now = testNow + dayMs;
    const second = await drawn();
    assert.notEqual(second, first);
  });

  // The database engine makes no difference.
  if (engine === 'sqlite')
    test('[documents.54] the graphs on disk take no more than 128 MiB', async () => {
      const cache = join(service.dependencies.config.cache, 'full');
      const folder = join(cache, 'documents');
      mkdirSync(folder, { recursive: true });
      const writtenAtSeconds = service.dependencies.clock() / 1000 - 60;
      const mebibyte = 1_048_576;
      const names = ['a', 'b', 'c'].map((letter) => letter.repeat(64));
      for (const [index, name] of names.entries()) {
        writeFileSync(join(folder, name), '');
        truncateSync(join(folder, name), 60 * mebibyte);
        utimesSync(join(folder, name), writtenAtSeconds + index, writtenAtSeconds + index);
      }
      const instance = await startInstance(service, { config: { ...service.dependencies.config, cache } });
      const { status } = await instance.call('GET', documentPath(documentKidOf(unit, 1), 'graph.svg'), manager);
      assert.equal(status, 200);
      await instance.stop();
      const left = readdirSync(folder);
      assert.deepEqual(
        names.map((name) => left.includes(name)),
        [false, true, true],
        'the oldest makes room',
      );
      assert.equal(left.length, 3, 'the new graph is there');
    });

  test('[documents.54] no more than 256 graphs are on disk, and a damaged one is drawn again', async () => {
    const cache = join(service.dependencies.config.cache, 'restarted');
    const config = { ...service.dependencies.config, cache };
    /** Draws the graphs of so many widths with a separate service, which writes them when it stops. */
    const drawAll = async (widths: readonly number[]): Promise<string[]> => {
      const instance = await startInstance(service, { config });
      const texts: string[] = [];
      for (const width of widths) {
        const path = documentPath(documentKidOf(unit, 1), 'graph.svg', `width=${width}&states=Power&settings=`);
        const { status, text } = await instance.call('GET', path, { token: manager.token });
        assert.equal(status, 200, text);
        texts.push(text);
      }
      await instance.stop();
      return texts;
    };
    const folder = join(cache, 'documents');
    const widths = Array.from({ length: 260 }, (_, index) => 480 + index);
    await drawAll(widths);
    assert.equal(readdirSync(folder).length, 256);
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), 'damaged');
    const redrawn = await drawAll(widths.slice(-3));
    for (const text of redrawn) assert.match(text, /^<svg/);
  });
});
