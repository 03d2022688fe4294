// Checks the icon operations without HTTP: which image they request from the renderer, and its key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { isImageOperation } from '../../http/operations/operation-properties.ts';
import type { Representation } from '../../http/representations/representation.ts';
import { formatIconKid } from '../../lib/icon-kid.ts';
import { int64Max, int64Min } from '../../lib/values/int64.ts';
import type { IconImage } from './operations/get-icon-from-set.ts';
import { iconsRoutes } from './routes.ts';

type RequestedImage = { readonly key: string; readonly image: IconImage };

let now = Date.parse('2026-06-14T12:00:00Z');
const asked: RequestedImage[] = [];
const nothing: Representation = { body: Buffer.alloc(0), mediaType: '', etag: '""', maxAgeSeconds: 0 };
const operations = iconsRoutes({
  clock: () => now,
  renderIcon: (key, image) => {
    asked.push({ key, image });
    return nothing;
  },
}).filter(isImageOperation);

/** The request of the path's operation to the renderer. */
function ask(path: string): RequestedImage {
  const segments = path.split('/');
  const [id, names] = (
    [
      ['GetIconFromSet', ['iconSet', 'kid']],
      ['GetIconImageFromSet', ['iconSet', 'kid', 'size']],
      ['GetIconImageWithBackgroundFromSet', ['iconSet', 'kid', 'backColor', 'size']],
    ] as const
  )[segments.length - 2]!;
  const last = segments.pop()!;
  const at = last.lastIndexOf('.');
  const values = [...segments, last.slice(0, at)];
  const params = {
    ...Object.fromEntries(names.map((name, index) => [name, values[index]])),
    format: last.slice(at + 1),
  };
  const operation = operations.find((each) => each.id === id)!;
  void operation.render(params, { tenant: { name: 'sund' } } as never, '127.0.0.1');
  return asked.pop()!;
}

const sameKey = (one: string, other: string): void => assert.equal(ask(one).key, ask(other).key, `${one} and ${other}`);

test('[icons.24] a size and a background do not change the image of an SVG', () => {
  for (const path of ['line/house~n5/64.svg', 'line/house~n5/fff/4096.svg', 'line/house~n5/red/17.unknown'])
    sameKey(path, 'line/house~n5.svg');
  const { image } = ask('line/house~n5/fff/64.svg');
  assert.equal(image.draw(), ask('line/house~n5.svg').image.draw());
  assert.doesNotMatch(image.draw(), /<svg[^>]* width=/);
});

test('an invisible difference gives the same image', () => {
  const same: [string, string][] = [
    ['line/HOUSE.svg', 'line/house.svg'],
    ['line/house~n-5.svg', 'line/house.svg'],
    ['line/house~ok~error~wifi_off.svg', 'line/house~ok.svg'],
    ['line/person~tMTI.svg', 'line/person.svg'],
    ['line/house~tIA.svg', 'line/house.svg'],
    ['line/house~tw6k.svg', 'line/house~tZcyB.svg'],
    ['line/~n5.svg', 'line/none~n5.svg'],
    ['line/sund-B1001.svg', 'line/sund.svg'],
    ['line/sauna.svg', 'g/sauna.svg'],
    ['line/house/128.png', 'line/house.png'],
    ['line/house/1.png', 'line/house/16.png'],
    ['line/house/9999.ico', 'line/house/256.ico'],
    ['line/house/64.jpg', 'line/house/64.jpeg'],
    ['line/house/64.tif', 'line/house/64.TIFF'],
    ['line/house/transparent/64.png', 'line/house/64.png'],
    ['line/house/FFF/64.png', 'line/house/white/64.png'],
    ['line/calendar~tMTI.svg', 'line/calendar.svg'],
  ];
  for (const [one, other] of same) sameKey(one, other);
});

test('a visible difference gives a different image', () => {
  const paths = [
    ['line/house.svg', 'g/house.svg', 'line/house~n1.svg', 'line/house~n11.svg', 'line/house~c000001.svg'],
    ['line/house~tMTI.svg', 'line/house~tMTM.svg', 'line/house~wifi_off.svg', 'line/wifi_off~house.svg'],
    ['line/house~calendar.svg', 'line/calendar.svg', 'line/none.svg', 'line/house.png', 'line/house/64.png'],
    ['line/house/fff/64.png', 'line/house/000/64.png', 'line/house.gif', 'line/house.bmp', 'line/house.ico'],
  ].flat();
  assert.equal(new Set(paths.map((path) => ask(path).key)).size, paths.length);
});

test('different images have different keys', () => {
  const kids = fc.record({
    icons: fc.array(fc.constantFrom('house', 'calendar', 'sauna', 'coins', 'person', 'label'), { maxLength: 3 }),
    count: fc.constantFrom(int64Min, -1n, 0n, 1n, 11n, int64Max),
    color: fc.constantFrom(0, 1, 0xff0000),
    text: fc.constantFrom('', ' ', '1', '11', 'é', 'e\u0301', '😀'),
  });
  const images = new Map<string, string>();
  fc.assert(
    fc.property(kids, fc.constantFrom('line', 'g'), (kid, set) => {
      const { key, image } = ask(`${set}/${formatIconKid(kid)}.svg`);
      const drawn = image.draw();
      assert.equal(images.get(key) ?? drawn, drawn, key);
      images.set(key, drawn);
    }),
    { numRuns: 2000 },
  );
});

test('[icons.20] only images with a calendar have a different key on the next day', () => {
  now = Date.parse('2026-06-14T21:59:59Z');
  const before = ['line/calendar.svg', 'line/house~calendar.png', 'line/house~tMTQ.svg'].map((path) => ask(path).key);
  now = Date.parse('2026-06-14T22:00:00Z');
  const after = ['line/calendar.svg', 'line/house~calendar.png', 'line/house~tMTQ.svg'].map((path) => ask(path).key);
  assert.notEqual(before[0], after[0]);
  assert.notEqual(before[1], after[1]);
  assert.equal(before[2], after[2]);
});

test('a raster image is drawn with its size and background', () => {
  const { image } = ask('line/house/1565c0/64.png');
  assert.ok(image.format === 'png');
  assert.equal(image.size, 64);
  assert.deepEqual(image.background, { red: 0x15, green: 0x65, blue: 0xc0, alpha: 1 });
  assert.match(image.draw(), /width="64" height="64".*<rect width="24" height="24" fill="#1565c0"\/>/);
  const clear = ask('line/house/transparent/64.png').image;
  assert.ok(clear.format === 'png' && clear.background === undefined);
  assert.doesNotMatch(clear.draw(), /<rect/);
});

test('keys contain only characters that need no escaping anywhere', () => {
  for (const path of ['line/house~wifi_off~n5~c00ff00~t8J-YgA.svg', 'line/house/fff/64.png'])
    assert.match(ask(path).key, /^[\w.~-]+$/);
});
