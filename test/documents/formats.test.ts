// The five formats of a document over HTTP: their paths, their header fields, who can read them, and that all of them
// show the same samples.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { tabs } from '../../src/permissions/matrix.ts';
import { formatUtc } from '../../src/lib/time/ms2000.ts';
import { comparableRefusal } from '../support/account-reads.ts';
import type { CallOptions, HttpReply } from '../support/call.ts';
import { readCsvTable } from '../support/csv.ts';
import { insertTestBank, type ManagerOptions } from '../support/factories.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { readXls } from '../support/spreadsheets.ts';
import { hourMs, minuteMs, testNow } from '../support/times.ts';
import { callWithoutStorage } from '../support/without-storage.ts';
import {
  cyclesAt,
  documentKidOf,
  documentPath,
  formatPaths,
  report,
  samplesOf,
  searchPath,
  summarize,
  unitAt,
  type FormatPath,
} from './support/reports.ts';

const bankId = 1001;
const unit = unitAt(bankId, 1, 1);
const kid = documentKidOf(unit, 5551);
const start = testNow - 3 * hourMs;
const end = start + hourMs;
const deletedUnit = unitAt(bankId, 2, 1);

/** The media type of each format, and how a browser treats it. */
const formats: Readonly<Record<FormatPath, readonly [type: string, disposition: string]>> = {
  table: ['application/json; charset=utf-8', 'inline; filename="Washer 1 2026-06-15 08-30 D5551.json"'],
  'table.html': ['text/html; charset=utf-8', 'inline; filename="Washer 1 2026-06-15 08-30 D5551.html"'],
  'table.csv': ['text/csv; charset=utf-8', 'attachment; filename="Washer 1 2026-06-15 08-30 D5551.csv"'],
  'table.xls': ['application/vnd.ms-excel', 'attachment; filename="Washer 1 2026-06-15 08-30 D5551.xls"'],
  'graph.svg': ['image/svg+xml', 'inline; filename="Washer 1 2026-06-15 08-30 D5551.svg"'],
};

type TableRow = { readonly ms2000: number; readonly utc: string; readonly cells: ({ text: string | null } | null)[] };

const origin = 'https://portal.example';

serviceSuite({ now: testNow, settings: { PORTAL_ALLOWED_ORIGINS: origin } }, ({ service, manager, issueToken }) => {
  before(async () => {
    await service.write('sund', (db) => insertTestBank(db, { bankId, places: { 1: [1, 2], 2: [1] } }));
    await report(service, unit, {
      cycles: cyclesAt(5551, [start, start + 20 * minuteMs, end]),
      samples: [
        ...samplesOf('Power', [
          [start, '0.150'],
          [start + minuteMs, null],
          [end, '2.2'],
        ]),
        ...samplesOf('Program', [[start, 'Wash 40°']]),
      ],
      syncedThrough: end + 2 * minuteMs,
    });
    await report(service, deletedUnit, { cycles: cyclesAt(1, [start, end]) });
    await service.write('sund', (db) =>
      db
        .updateTable('units')
        .set({ deleted_at: 1 })
        .where('bank_id', '=', bankId)
        .where('location_id', '=', 2)
        .execute(),
    );
  });

  const get = (format: FormatPath, of = kid, options: CallOptions = manager, query = ''): Promise<HttpReply> =>
    service.call('GET', documentPath(of, format, query), options);
  const getAs = async (format: FormatPath, options: ManagerOptions, of = kid): Promise<HttpReply> =>
    get(format, of, { token: await issueToken(options) });

  for (const format of formatPaths) {
    test(`[documents.09, documents.50, documents.51] ${format}: its type, its name, and whether it is complete`, async () => {
      const { status, headers, bytes } = await get(format);
      assert.equal(status, 200);
      const [type, disposition] = formats[format];
      assert.equal(headers['content-type'], type);
      assert.equal(headers['content-disposition'], disposition);
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['x-document-complete'], 'true');
      assert.ok(bytes.length > 300);
      const head = await service.call('HEAD', documentPath(kid, format), manager);
      assert.deepEqual([head.status, head.headers['content-type'], head.bytes.length], [200, type, 0]);
    });

    test(`[documents.01, documents.02] ${format}: only a Doc KID of this tenant names a document`, async () => {
      const others = ['sund-B1001-L1-U1', '5551', 'fjord-B1001-L1-U1-D5551', 'sund-B1001', 'sund-B1001-E5551'];
      const malformed = [`${kid}-`, 'sund-B1001-L1-U1-D05551', 'sund-b1001-l1-u1-d5551', 'sund-B1001-U1-L1-D5551', 'x'];
      for (const each of [...others, ...malformed])
        assert.equal(summarize(await get(format, each)), '400 invalid-kid', each);
    });

    test(`[documents.06, documents.07] ${format}: a document that is missing, deleted or not visible is the same 404`, async () => {
      const missing = [
        'sund-B1001-L1-U1-D5552',
        'sund-B1001-L1-U2-D5551',
        'sund-B1001-L1-U9-D5551',
        'sund-B9-L1-U1-D1',
      ];
      const hidden = documentKidOf(deletedUnit, 1);
      const replies = [
        ...(await Promise.all([...missing, hidden].map((each) => get(format, each)))),
        await getAs(format, { grants: [{ bankId, locationId: 2 }] }),
        await getAs(format, { grants: [{ bankId: 1002, locationId: 0 }] }),
      ];
      for (const reply of replies) assert.equal(summarize(reply), '404 not-found');
      assert.equal(new Set(replies.map(comparableRefusal)).size, 1);
    });

    test(`[documents.04] ${format}: the bearer header is needed, and neither a cookie nor a query replaces it`, async () => {
      const token = manager.token;
      for (const options of [{}, { headers: { cookie: `token=${token}; Authorization=Bearer ${token}` } }])
        assert.equal((await get(format, kid, options)).status, 401);
      for (const query of [`access_token=${token}`, `token=${token}`])
        assert.equal((await get(format, kid, {}, query)).status, 401);
    });

    test(`[documents.52] ${format}: pages of configured origins can read the name and the status`, async () => {
      const { headers } = await get(format, kid, { ...manager, headers: { origin } });
      assert.equal(headers['access-control-allow-origin'], origin);
      const exposed = String(headers['access-control-expose-headers']).split(/, */);
      assert.ok(exposed.includes('X-Document-Complete') && exposed.includes('Content-Disposition'));
    });

    test(`[documents.60] ${format}: storage that cannot be reached is 503`, async () => {
      const { status, json, headers } = await callWithoutStorage(service, () => get(format));
      assert.deepEqual([status, json.code, headers['retry-after']], [503, 'storage-unavailable', '10']);
      assert.equal((await get(format)).status, 200);
    });
  }

  test('[documents.60] a search without storage is 503', async () => {
    const { status, json } = await callWithoutStorage(service, () => service.call('GET', searchPath(bankId), manager));
    assert.deepEqual([status, json.code], [503, 'storage-unavailable']);
  });

  test('[documents.10] there is no PDF, and no other format', async () => {
    for (const format of ['table.pdf', 'graph.pdf', 'table.xlsx', 'graph.png', 'graph', 'table.json'])
      assert.equal(summarize(await get(format as FormatPath)), '404 unknown-route', format);
  });

  test('[documents.10] a page has a policy that allows no script', async () => {
    const { headers, text } = await get('table.html');
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+';/);
    assert.doesNotMatch(policy, /unsafe|script-src/);
    assert.doesNotMatch(text, /<script/i);
  });

  test('[auth.13, documents.03] each of the three Tabs suffices for all six operations, and none of them is 403', async () => {
    const documentTabs = ['WashDoc1', 'WashDoc3', 'WashDoc2'] as const;
    const permissions = ['Bank.Read', 'Location.Read', 'Unit.Read'] as const;
    const atLocation = { permissions, grants: [{ bankId, locationId: 1 }] };
    const paths = [searchPath(bankId), ...formatPaths.map((format) => documentPath(kid, format))];
    const ask = async (path: string, options: ManagerOptions): Promise<string> => {
      const { status, json } = await service.call('GET', path, { token: await issueToken(options) });
      return status === 200 ? '200' : `${status} ${json.code} ${json.reason}`;
    };
    for (const path of paths) {
      for (const tab of documentTabs) assert.equal(await ask(path, { ...atLocation, tabs: [tab] }), '200', path);
      const others = tabs.filter((tab) => !(documentTabs as readonly string[]).includes(tab));
      assert.equal(await ask(path, { ...atLocation, tabs: others }), '403 forbidden missing-tab');
      for (const missing of permissions)
        assert.equal(
          await ask(path, { tabs, permissions: permissions.filter((each) => each !== missing) }),
          `403 forbidden missing-${missing.toLowerCase().replace('.', '-')}`,
        );
    }
  });

  test('[documents.27, documents.32] the table has the document, its bounds, its columns and its rows', async () => {
    const { json } = await get('table', kid, manager, 'states=Power,Program&settings=Cycle');
    const row = (ms2000: number, cells: unknown[]): object => ({ ms2000, utc: formatUtc(ms2000), cells });
    assert.deepEqual(json, {
      documentKid: kid,
      unitKid: 'sund-B1001-L1-U1',
      unitName: 'Washer 1',
      timeZone: 'Europe/Copenhagen',
      finished: true,
      fromMs2000: start,
      throughMs2000: end,
      columns: [
        { name: 'Cycle', kind: 'Setting', label: 'Phase of the cycle', valueType: 'enum', unitOfMeasure: null },
        { name: 'Program', kind: 'State', label: 'Programme', valueType: 'text', unitOfMeasure: null },
        { name: 'Power', kind: 'State', label: 'Power', valueType: 'decimal', unitOfMeasure: 'kW' },
      ],
      rows: [
        row(start, [
          { text: 'Start', value: 0 },
          { text: 'Wash 40°', value: null },
          { text: '0.150', value: 0.15 },
        ]),
        row(start + minuteMs, [null, null, { text: null, value: null }]),
        row(start + 20 * minuteMs, [{ text: 'Wash', value: 3 }, null, null]),
        row(end, [{ text: 'End', value: 11 }, null, { text: '2.2', value: 2.2 }]),
      ],
    });
  });

  test('[contract.03, documents.42] CSV and Excel have the same samples as the table', async () => {
    const { json } = await get('table');
    const names: string[] = json.columns.map(({ name }: { name: string }) => name);
    const expected = json.rows.map(({ ms2000, utc, cells }: TableRow) => ({
      ms2000: String(ms2000),
      utc,
      ...Object.fromEntries(names.map((name, index) => [name, cells[index]?.text ?? ''])),
    }));
    assert.deepEqual(readCsvTable((await get('table.csv')).bytes), expected);
    const [head = [], ...rows] = readXls((await get('table.xls')).bytes).rows;
    const columns = head.map((cell) => String(cell?.value));
    assert.deepEqual(columns, ['ms2000', 'utc', 'local', ...names]);
    assert.equal(rows.length, expected.length);
    // A number of Excel has the value of the text, not its digits.
    const shown = (text: unknown, isNumber: boolean): unknown => (isNumber ? Number(text) : (text ?? ''));
    for (const [index, row] of rows.entries())
      for (const [column, cell] of row.entries())
        if (columns[column] === 'local') assert.equal(Date.parse(String(cell?.value)), Date.parse(expected[index].utc));
        else
          assert.deepEqual(
            shown(cell?.value, cell?.type === 'number'),
            shown(expected[index][columns[column] ?? ''], cell?.type === 'number'),
          );
  });

  test('[documents.38] the language of the reader changes nothing', async () => {
    for (const format of formatPaths) {
      const [english, danish] = await Promise.all(
        ['en', 'da'].map((language) => get(format, kid, { ...manager, headers: { 'accept-language': language } })),
      );
      assert.ok(english?.bytes.equals(danish?.bytes ?? Buffer.alloc(0)), format);
      assert.equal(danish?.headers['content-language'], undefined);
    }
  });

  test('[documents.44] a graph is 480 to 2400 pixels wide, by default 1200', async () => {
    const widthOf = async (query: string): Promise<unknown> => {
      const reply = await get('graph.svg', kid, manager, query);
      return reply.status === 200 ? Number(/<svg[^>]* width="(\d+)"/.exec(reply.text)?.[1]) : summarize(reply);
    };
    assert.equal(await widthOf(''), 1200);
    for (const width of [480, 481, 2400]) assert.equal(await widthOf(`width=${width}`), width);
    for (const width of ['479', '2401', '480.5', '1e3', '', 'wide', '0600'])
      assert.equal(await widthOf(`width=${width}`), '400 invalid-request', width);
    assert.equal(summarize(await get('table', kid, manager, 'width=600')), '400 invalid-request');
  });
});
