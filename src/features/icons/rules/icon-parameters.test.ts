// Checks the path parameters of icon images: valid values, and the errors for invalid ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { formatIconKid, type IconKid } from '../../../lib/icon-kid.ts';
import { int64Max, int64Min } from '../../../lib/values/int64.ts';
import { Problem } from '../../../lib/problem.ts';
import { icons } from '../assets/icon-catalogue.ts';
import { parseIconImageRequest, type IconImageRequest, type IconPathParameters } from './icon-parameters.ts';
import { codePoint } from '../../../../test/support/code-point.ts';

const read = (part: Partial<IconPathParameters>): IconImageRequest =>
  parseIconImageRequest({ iconSet: 'line', kid: 'house', format: 'svg', ...part }, 'sund');

function refusalOf(part: Partial<IconPathParameters>): Problem {
  try {
    read(part);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  return assert.fail(`taken: ${JSON.stringify(part).slice(0, 100)}`);
}

function assertInvalid(part: Partial<IconPathParameters>, ...paths: string[]): void {
  const { code, status, details } = refusalOf(part);
  assert.deepEqual([code, status], ['invalid-icon-parameters', 400]);
  assert.deepEqual(
    details.errors?.map(({ path }) => path),
    paths,
    JSON.stringify(part).slice(0, 100),
  );
  assert.equal(details.detail, `${details.errors?.[0]?.path} ${details.errors?.[0]?.message}`);
}

const plain = (name: string): IconKid => ({ icons: [name], count: 0n, color: 0, text: '' });

test('[icons.03] an unknown set is the only error that is reported', () => {
  for (const iconSet of ['', 'lines', 'G', 'LINE', 'mdi', 'constructor', 'house'])
    for (const kid of ['house', 'nonsense']) {
      const { code, status } = refusalOf({ iconSet, kid });
      assert.deepEqual([code, status], ['icon-not-found', 404]);
    }
  for (const iconSet of ['line', 'g']) assert.equal(read({ iconSet }).set, iconSet);
});

test('[icons.06] a name in any case is the icon in black, with count 0 and without text', () => {
  for (const { name } of icons)
    for (const kid of [name, name.toUpperCase(), name[0]!.toUpperCase() + name.slice(1)])
      assert.deepEqual(read({ kid }).icon, plain(name));
});

test('[icons.06] a KID of an icon is accepted with any count, colour and text', () => {
  const names = icons.map(({ name }) => name);
  const kids = fc.record(
    {
      icons: fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 5 }),
      count: fc.bigInt({ min: int64Min, max: int64Max }),
      color: fc.integer({ min: 0, max: 0xffffff }),
      text: fc.string({ unit: codePoint, maxLength: 128 }).map((text) => text.replaceAll(/\p{Cc}/gu, '')),
    },
    { noNullPrototype: true },
  );
  fc.assert(fc.property(kids, (icon) => assert.deepEqual(read({ kid: formatIconKid(icon)! }).icon, icon)));
});

test('[icons.07] numbers, parts of names, unknown names and KIDs in another spelling are refused', () => {
  const refused = [
    ['0', '1', '-1', '42', '1.0', '0x1'],
    ['hous', 'ouse', 'house2', 'bank', 'unknown', 'null', 'undefined', 'constructor', '__proto__', 'toString'],
    ['', ' ', ' house', 'house ', 'house\n', 'hou%73e', 'häuser', 'ban\u212a_building', 'wifi-off', 'house.svg'],
    ['house~', '~', '~house', 'house~~n5', 'house~n0', 'house~n05', 'house~n+5', 'house~c000000', 'house~cFF0000'],
    ['house~t', 'house~tMTI=', 'house~n5~wifi_off', 'house~c00ff00~n5', 'house~unknown', 'House~wifi_off'],
    ['house~n9223372036854775808', 'house~n-9223372036854775809', 'house~c1000000'],
  ].flat();
  for (const kid of refused) assertInvalid({ kid }, 'path.kid');
});

test('[icons.08, icons.33] the KID of an object of this tenant draws none, and so does an icon KID without icons', () => {
  const objects = [
    ['sund', 'sund-B1001', 'sund-B1001-L1', 'sund-B1001-L1-U2', 'sund-B1001-R1001', 'sund-B1001-X5', 'sund-B1001-E5'],
    ['sund-B1001-L1-U2-D5551', 'sund-M1001', 'sund-I2001', 'sund-B0-M3'],
  ].flat();
  for (const kid of objects) assert.deepEqual(read({ kid }).icon, plain('none'), kid);
  assert.deepEqual(read({ kid: '~n5' }).icon, { icons: [], count: 5n, color: 0, text: '' });
});

test('[icons.07] KIDs of another tenant’s objects and misspelled KIDs are refused', () => {
  for (const kid of ['fjord', 'fjord-B1001', 'sund-B0', 'sund-B01', 'sund-B1001-', 'SUND-B1001', 'sund-b1001', 'sund2'])
    assertInvalid({ kid }, 'path.kid');
});

test('[icons.09] every icon of a list must exist, even one that is not drawn', () => {
  assert.equal(read({ kid: 'house~ok~error~wifi_off' }).icon.icons.length, 4);
  for (const kid of ['x~ok~error', 'house~x~error', 'house~ok~x', 'house~ok~error~x'])
    assertInvalid({ kid }, 'path.kid');
});

test('[icons.13, icons.14] text has at most 128 code points and no control characters', () => {
  const withText = (text: string): string => `house~t${Buffer.from(text).toString('base64url')}`;
  for (const character of ['a', 'æ', '😀', '\u0301'])
    assert.equal(read({ kid: withText(character.repeat(128)) }).icon.text, character.repeat(128));
  for (const text of ['a'.repeat(129), '😀'.repeat(129), 'a\nb', '\0', '\u007f', '\u0085'])
    assertInvalid({ kid: withText(text) }, 'path.kid');
});

test('[icons.15] a KID has at most 2048 characters', () => {
  const names = [...Array.from({ length: 340 }, () => 'house'), 'ironer'];
  const kid = names.join('~');
  assert.equal(kid.length, 2046);
  assert.deepEqual(read({ kid }).icon.icons, names);
  assertInvalid({ kid: `${kid}~ok` }, 'path.kid');
  assert.match(refusalOf({ kid: 'a'.repeat(2049) }).details.detail ?? '', /at most 2048 characters/);
});

test('[icons.21, icons.22] a format is recognised by each of its extensions in any case, and any other extension is SVG', () => {
  const endings = {
    svg: ['svg', 'SVG'],
    png: ['png', 'PNG', 'Png'],
    jpeg: ['jpg', 'jpeg', 'JPG'],
    gif: ['gif'],
    bmp: ['bmp'],
    tiff: ['tif', 'tiff', 'TIFF'],
    webp: ['webp'],
    ppm: ['ppm'],
    tga: ['tga'],
    ico: ['ico', 'ICO'],
  };
  for (const [format, all] of Object.entries(endings))
    for (const each of all) assert.equal(read({ format: each }).format, format);
  for (const format of ['', 'pdf', 'png2', 'xpng', 'html', 'constructor', '__proto__', 'p\u0131ng', '.png'])
    assert.equal(read({ format }).format, 'svg');
});

test('[icons.23] a size is clamped to 16 to 4096, and to 256 for ico', () => {
  const sizes: [text: string, size: number, ico: number][] = [
    ['16', 16, 16],
    ['15', 16, 16],
    ['1', 16, 16],
    ['0', 16, 16],
    ['-5', 16, 16],
    ['64', 64, 64],
    ['256', 256, 256],
    ['257', 257, 256],
    ['4096', 4096, 256],
    ['4097', 4096, 256],
    ['9999', 4096, 256],
    ['9'.repeat(400), 4096, 256],
    [`-${'9'.repeat(400)}`, 16, 16],
  ];
  for (const [size, expected, ico] of sizes) {
    assert.equal(read({ size, format: 'png' }).size, expected, size);
    assert.equal(read({ size, format: 'ico' }).size, ico, size);
  }
});

test('[icons.26] the default size is 128; a size that is not a whole number is refused, even for an SVG', () => {
  assert.equal(read({ format: 'png' }).size, 128);
  for (const size of [
    '',
    'x',
    '16.5',
    '16.0',
    '1e2',
    '0x40',
    ' 64',
    '64 ',
    '+64',
    '064',
    '６４',
    '64px',
    'NaN',
    'Infinity',
    '--5',
  ])
    for (const format of ['png', 'svg']) assertInvalid({ size, format }, 'path.size');
});

test('[icons.26] a background is a colour as in other images; transparent is no background', () => {
  const { background } = read({ backColor: '1565C0', format: 'png' });
  assert.deepEqual(background, { red: 0x15, green: 0x65, blue: 0xc0, alpha: 1 });
  assert.deepEqual(read({ backColor: 'f0f' }).background, { red: 255, green: 0, blue: 255, alpha: 1 });
  assert.deepEqual(read({ backColor: 'ReBeccaPurple' }).background, { red: 0x66, green: 0x33, blue: 0x99, alpha: 1 });
  for (const backColor of ['transparent', 'Transparent']) assert.equal(read({ backColor }).background, undefined);
  assert.equal(read({}).background, undefined);
  for (const backColor of ['', '#fff', 'ff', 'ffff', '12345', '1234567', 'reddish', 'rgb(0,0,0)', 'ggg'])
    for (const format of ['png', 'svg']) assertInvalid({ backColor, format }, 'path.backColor');
});

test('[icons.30] one error response lists all invalid parameters', () => {
  assertInvalid({ kid: '1', size: 'x', backColor: '#' }, 'path.kid', 'path.size', 'path.backColor');
});
