// Icon images over HTTP: what each path draws, in every set and spelling.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatIconKid } from '../../src/lib/icon-kid.ts';
import { int64Max, int64Min } from '../../src/lib/values/int64.ts';
import { builtInTenants } from '../../src/tenants.ts';
import type { HttpReply } from '../support/call.ts';
import { elementOf, elementsOf } from '../support/svg.ts';
import { serviceFixture } from '../support/service-suite.ts';

const { service } = serviceFixture('sqlite', { manager: false });

const get = (path: string, host = 'api.sund.localhost'): Promise<HttpReply> =>
  service.call('GET', `/api/v1/icon/${path}`, { host });

/** The SVG at a path. */
async function svgOf(path: string): Promise<string> {
  const { status, headers, text } = await get(path);
  assert.equal(status, 200, `${path}: ${text.slice(0, 200)}`);
  assert.equal(headers['content-type'], 'image/svg+xml', path);
  return text;
}

async function assertSame(one: string, ...others: string[]): Promise<void> {
  const expected = await svgOf(one);
  for (const other of others) assert.equal(await svgOf(other), expected, `${other} and ${one}`);
}

async function assertDistinct(...paths: string[]): Promise<void> {
  const drawn = await Promise.all(paths.map(svgOf));
  assert.equal(new Set(drawn).size, drawn.length, paths.join(' '));
}

const kid = (part: Partial<Parameters<typeof formatIconKid>[0]>): string =>
  formatIconKid({ icons: ['house'], count: 0n, color: 0, text: '', ...part }) ?? assert.fail('it has no KID');

test('[icons.01] the three forms of an icon’s path all answer its image', async () => {
  for (const set of ['line', 'g'])
    for (const rest of [
      'house.svg',
      'house/64.svg',
      'house/fff/64.svg',
      'house.png',
      'house/64.png',
      'house/fff/64.png',
    ]) {
      const { status, headers } = await get(`${set}/${rest}`);
      assert.equal(status, 200, rest);
      assert.equal(headers['content-type'], rest.endsWith('svg') ? 'image/svg+xml' : 'image/png');
    }
});

test('[icons.02] icons need no token, on every tenant’s hosts, and are the same on all', async () => {
  const bodies = new Set<string>();
  for (const { name } of builtInTenants)
    for (const host of [`api.${name}.localhost`, `beta.api.${name}.localhost`]) {
      const { status, text } = await get('line/house~n5.svg', host);
      assert.equal(status, 200, host);
      bodies.add(text);
      assert.equal((await get('catalog/line', host)).status, 200);
      assert.equal((await get('presentation?iconKid=house', host)).status, 200);
    }
  assert.equal(bodies.size, 1);
});

test('[icons.04] an icon that a set lacks is drawn from the other', async () => {
  await assertSame('g/sauna.svg', 'line/sauna.svg');
  await assertSame('line/coins.svg', 'g/coins.svg');
  await assertDistinct('line/house.svg', 'g/house.svg');
});

test('[icons.05] main icon and under-icon are looked up separately, and can come from two sets', async () => {
  await assertSame('line/sauna~coins.svg', 'g/sauna~coins.svg');
  await assertDistinct('line/sauna~house.svg', 'g/sauna~house.svg', 'line/house~sauna.svg', 'g/house~sauna.svg');
});

test('[icons.06] an icon’s name is accepted in any case', async () => {
  await assertSame('line/house.svg', 'line/HOUSE.svg', 'line/House.svg', 'line/hOuSe/64.svg');
  await assertSame('g/wifi_off.svg', 'g/WIFI_OFF.svg');
});

test('[icons.08, icons.33] objects, and icon KIDs without icons, draw the icon none', async () => {
  await assertSame(
    'line/none.svg',
    'line/sund.svg',
    'line/sund-B1001.svg',
    'line/sund-B1001-L1-U2.svg',
    'line/sund-B0-M3.svg',
  );
  await assertSame('line/none~n5.svg', 'line/~n5.svg');
  await assertSame('line/none~c00ff00.svg', 'line/~c00ff00.svg');
});

test('[icons.10] the first two icons of a list are drawn, and no more', async () => {
  await assertSame('line/house~ok.svg', 'line/house~ok~error.svg', 'line/house~ok~error~wifi_off.svg');
  await assertDistinct('line/house.svg', 'line/house~ok.svg', 'line/ok~house.svg');
});

test('[icons.11] icons, count, colour and text of a KID are all drawn', async () => {
  await assertDistinct(
    'line/house.svg',
    `line/${kid({ count: 5n })}.svg`,
    `line/${kid({ color: 0x00ff00 })}.svg`,
    `line/${kid({ text: '12' })}.svg`,
    `line/${kid({ icons: ['house', 'ok'], count: 5n, color: 0x00ff00, text: '12' })}.svg`,
  );
  assert.equal(kid({}), 'house');
});

test('[icons.12] an icon has the colour of the KID’s low 24 bits', async () => {
  assert.equal(kid({ color: 0xff12ab0f }), kid({ color: 0x12ab0f }));
  const svg = await svgOf(`line/${kid({ color: 0xff12ab0f })}.svg`);
  assert.equal(elementOf(svg, 'g')['stroke'], '#12ab0f');
  assert.equal(elementOf(await svgOf('g/house.svg'), 'g')['fill'], '#000000');
});

test('[icons.14, icons.15] text of 128 characters in any script is drawn, in a KID without percent-encoding', async () => {
  for (const character of ['a', 'Å', 'ж', 'Ω', 'ệ', 'ש', 'م', 'ह', '日', '😀', '\u0301', '\u200d']) {
    const iconKid = kid({ icons: ['label', 'ok'], count: int64Max, color: 0xffffff, text: character.repeat(128) });
    assert.equal(encodeURIComponent(iconKid), iconKid);
    await svgOf(`line/${iconKid}.svg`);
    await svgOf(`g/${iconKid}/64.svg`);
  }
});

test('[icons.15] a KID of 2048 characters draws', async () => {
  const longest = `${'ok~'.repeat(681)}house`;
  assert.equal(longest.length, 2048);
  await assertSame('line/ok~ok.svg', `line/${longest}.svg`);
});

test('[icons.15] the icon of a manager’s own account draws', async () => {
  // The default icon names of other answers.
  for (const name of ['person', 'bank_building', 'house']) await svgOf(`line/${name}.svg`);
  await svgOf(`line/${kid({ text: '2147483647' })}.svg`);
});

test('[icons.16] the title holds the whole positive count; with any other count there is neither badge nor number', async () => {
  const plain = await svgOf('line/house.svg');
  for (const count of [-1n, int64Min]) assert.equal(await svgOf(`line/${kid({ count })}.svg`), plain);
  assert.match(plain, /<title>house<\/title>/);
  for (const count of [1n, 9_007_199_254_740_993n, int64Max])
    assert.ok((await svgOf(`line/${kid({ count })}.svg`)).includes(`<title>house (${count})</title>`));
});

test('[icons.17] the badge widens with every digit and keeps its height', async () => {
  const capsules = [];
  for (const count of ['1', '12', '123', '1234', '12345', '1234567890', '9223372036854775807']) {
    const rects = elementsOf(await svgOf(`line/house~n${count}.svg`), 'rect').filter(({ fill }) => fill === '#d32f2f');
    assert.equal(rects.length, 1);
    capsules.push(rects[0]!);
  }
  const widths = capsules.map(({ width }) => Number(width));
  assert.deepEqual(
    widths,
    widths.toSorted((a, b) => a - b),
  );
  assert.equal(new Set(widths).size, widths.length);
  assert.deepEqual(new Set(capsules.map(({ height }) => height)), new Set(['11']));
  for (const { x, width } of capsules) assert.ok(Number(x) >= 0 && Number(x) + Number(width) <= 24.001);
});

test('[icons.18] text is drawn on icons with a field for it, and changes no other', async () => {
  for (const name of ['house', 'building', 'door', 'document', 'label', 'meter'])
    await assertDistinct(`line/${name}.svg`, `line/${name}~tMTI.svg`, `line/${name}~tMTM.svg`);
  for (const name of ['washer', 'person', 'none', 'wifi_off']) await assertSame(`g/${name}.svg`, `g/${name}~tMTI.svg`);
});

test('[icons.24] an SVG is the same with and without size and background', async () => {
  await assertSame('line/house~n5.svg', 'line/house~n5/16.svg', 'line/house~n5/9999.svg', 'line/house~n5/f00/64.svg');
  const { viewBox, width, height } = elementOf(await svgOf('line/house/64.svg'), 'svg');
  assert.deepEqual([viewBox, width, height], ['0 0 24 24', undefined, undefined]);
});
