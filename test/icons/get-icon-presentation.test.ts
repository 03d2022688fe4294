// GetIconPresentation and GetIconAssetCatalog over HTTP.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { int64Max, int64Min } from '../../src/lib/values/int64.ts';
import type { HttpReply } from '../support/call.ts';
import { serviceFixture } from '../support/service-suite.ts';

const { service } = serviceFixture('sqlite', { manager: false });

const get = (path: string, headers = {}): Promise<HttpReply> =>
  service.call('GET', `/api/v1/icon/${path}`, { headers });

const present = (query: Record<string, string>): Promise<HttpReply> =>
  get(`presentation?${new URLSearchParams(query).toString()}`);

test('[icons.34] GetIconPresentation answers the KID and is not to be stored', async () => {
  const { status, headers, json } = await present({ iconKid: 'house', text: '12', count: '5', color: '65280' });
  assert.equal(status, 200);
  assert.deepEqual(json, { iconKid: 'house~n5~c00ff00~tMTI' });
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers.etag, undefined);
  assert.deepEqual((await present({ iconKid: 'house' })).json, { iconKid: 'house' });
});

test('[icons.35] the KID contains text, count and colour, and can be drawn', async () => {
  const given = [
    { iconKid: 'house', text: 'Ærø 12' },
    { iconKid: 'label~ok', text: '😀'.repeat(128), count: `${int64Max}`, color: '16777215' },
    { iconKid: 'washer', count: `${int64Min}`, color: '1' },
    { iconKid: '~n5', text: '~' },
    { iconKid: 'none~c00ff00', text: ' +/&=?#%' },
  ];
  for (const query of given) {
    const { json } = await present(query);
    const { iconKid } = json as { iconKid: string };
    assert.equal(encodeURIComponent(iconKid), iconKid);
    const image = await get(`line/${iconKid}.svg`);
    assert.equal(image.status, 200, iconKid);
    // Parsed again, it has the given values.
    assert.deepEqual((await present({ ...query, iconKid })).json, { iconKid });
  }
  const { text } = await get('line/washer~n9223372036854775807.svg');
  assert.ok(text.includes('(9223372036854775807)'));
});

test('omitted values stay, and an empty text, a count of 0 and black remove theirs', async () => {
  const iconKid = 'house~n5~c00ff00~tMTI';
  assert.deepEqual((await present({ iconKid })).json, { iconKid });
  assert.deepEqual((await present({ iconKid, text: '', count: '0', color: '0' })).json, { iconKid: 'house' });
});

test('[icons.36] text, count and colour beyond their bounds are refused', async () => {
  const wrong: [query: Record<string, string>, path: string][] = [
    [{ text: 'a'.repeat(129) }, 'query.text'],
    [{ text: '😀'.repeat(129) }, 'query.text'],
    [{ text: 'a\nb' }, 'query.text'],
    [{ text: '\u0000' }, 'query.text'],
    [{ text: '\u0085' }, 'query.text'],
    ...[
      '9223372036854775808',
      '-9223372036854775809',
      '1.0',
      '1e3',
      '',
      'x',
      '0x5',
      '05',
      '+5',
      ' 5',
      '9'.repeat(500),
    ].map((count): [Record<string, string>, string] => [{ count }, 'query.count']),
    ...['-1', '16777216', '4294967295', 'red', '#ffffff', '', '1.5', '0x10'].map(
      (color): [Record<string, string>, string] => [{ color }, 'query.color'],
    ),
    [{ size: '64' }, 'query.size'],
  ];
  for (const [query, path] of wrong) {
    const { status, json } = await present({ iconKid: 'house', ...query });
    const { code, errors = [] } = json as { code: string; errors?: { path: string }[] };
    assert.deepEqual([status, code, errors[0]?.path], [400, 'invalid-icon-parameters', path], JSON.stringify(query));
  }
});

test('[icons.37] a missing or invalid iconKid is refused', async () => {
  for (const query of ['', '?', '?text=12', '?iconKid=', '?iconKid=unknown', '?iconKid=HOUSE', '?iconKid=house~n0']) {
    const { status, json } = await get(`presentation${query}`);
    const { code, errors = [] } = json as { code: string; errors?: { path: string }[] };
    assert.deepEqual([status, code, errors[0]?.path], [400, 'invalid-icon-parameters', 'query.iconKid'], query);
  }
  for (const iconKid of ['house~coin', '1', 'sund-B1001', `${'ok~'.repeat(683)}ok`])
    assert.equal((await present({ iconKid })).status, 400, iconKid.slice(0, 40));
});

test('[icons.38, icons.39] the catalogue of a set is a sorted array of the names that the set itself has drawings for', async () => {
  const catalogues: Record<string, string[]> = {};
  for (const set of ['line', 'g']) {
    const { status, headers, json } = await get(`catalog/${set}`);
    const names = json as string[];
    assert.equal(status, 200);
    assert.match(headers['content-type'] ?? '', /^application\/json/);
    assert.deepEqual(names, names.toSorted());
    assert.equal(new Set(names).size, names.length);
    assert.ok(names.length >= 90);
    for (const name of ['none', 'house', 'bank_building', 'calendar']) assert.ok(names.includes(name));
    catalogues[set] = names;
  }
  assert.ok(catalogues['g']!.includes('sauna') && !catalogues['line']!.includes('sauna'));
  assert.ok(catalogues['line']!.includes('coins') && !catalogues['g']!.includes('coins'));
  for (const names of Object.values(catalogues)) assert.ok(!names.includes('coin_box'));
});

test('every name of a catalogue draws in that set', async () => {
  for (const set of ['line', 'g'])
    for (const name of (await get(`catalog/${set}`)).json as string[])
      assert.equal((await get(`${set}/${name}.svg`)).status, 200, `${set} ${name}`);
});

test('[icons.40] a catalogue can be cached for ten minutes and has an ETag; that of an unknown set is 404', async () => {
  const { headers } = await get('catalog/line');
  assert.equal(headers['cache-control'], 'public, max-age=600');
  assert.match(headers.etag ?? '', /^"[^"]+"$/);
  assert.equal((await get('catalog/line', { 'if-none-match': headers.etag })).status, 304);
  assert.equal((await get('catalog/g', { 'if-none-match': headers.etag })).status, 200);
  for (const set of ['mdi', 'LINE', 'house', '1']) {
    const { status, json } = await get(`catalog/${set}`);
    assert.deepEqual([status, (json as { code: string }).code], [404, 'icon-not-found']);
  }
});
