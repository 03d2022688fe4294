// Raster images of icons, checked with an independent decoder.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpReply } from '../support/call.ts';
import { decodeWithImageMagick } from '../support/imagemagick.ts';
import { decodePixels, premultipliedPixelAt } from '../support/pixels.ts';
import { serviceFixture } from '../support/service-suite.ts';

const { service } = serviceFixture('sqlite', { manager: false });

const get = (path: string): Promise<HttpReply> => service.call('GET', `/api/v1/icon/${path}`);

/** Ending, media type, the decoder's name of the format, and whether it can be transparent. */
const formats: readonly (readonly [ending: string, type: string, format: string, alpha: boolean])[] = [
  ['png', 'image/png', 'PNG', true],
  ['jpg', 'image/jpeg', 'JPEG', false],
  ['jpeg', 'image/jpeg', 'JPEG', false],
  ['gif', 'image/gif', 'GIF', true],
  ['bmp', 'image/bmp', 'BMP', true],
  ['tif', 'image/tiff', 'TIFF', true],
  ['tiff', 'image/tiff', 'TIFF', true],
  ['webp', 'image/webp', 'WEBP', true],
  ['ppm', 'image/x-portable-pixmap', 'PPM', false],
  ['tga', 'image/x-tga', 'TGA', true],
  ['ico', 'image/vnd.microsoft.icon', 'ICO', true],
];

test('[icons.21] every format decodes as what its media type claims', async () => {
  for (const [ending, type, format] of formats)
    for (const path of [`line/house~n5/64.${ending}`, `g/washer/1565c0/48.${ending.toUpperCase()}`]) {
      const { status, headers, bytes } = await get(path);
      assert.deepEqual([status, headers['content-type']], [200, type], path);
      const size = path.includes('/64') ? 64 : 48;
      const decoded = await decodeWithImageMagick(bytes, ending);
      assert.ok(decoded.format.startsWith(format), `${path}: ${decoded.format}`);
      assert.deepEqual([decoded.width, decoded.height], [size, size], path);
    }
});

test('[icons.25] without a background an image is transparent if its format allows it', async () => {
  const isOpaque = async (path: string, ending: string): Promise<boolean> =>
    (await decodeWithImageMagick((await get(`${path}.${ending}`)).bytes, ending)).isOpaque;
  for (const [ending, , , alpha] of formats) {
    assert.equal(await isOpaque('line/house/64', ending), !alpha, ending);
    assert.equal(await isOpaque('line/house/transparent/64', ending), !alpha, ending);
    assert.equal(await isOpaque('line/house/fff/64', ending), true, ending);
  }
});

test('a background fills the image to its corners, and shows through transparent parts of the icon', async () => {
  const { bytes } = await get('line/house~wifi_off~n5/1565c0/64.png');
  const pixels = await decodePixels(bytes);
  for (const [x, y] of [
    [0, 0],
    [0, 63],
    [63, 63],
    [31, 26],
  ] as const)
    assert.deepEqual(premultipliedPixelAt(pixels, x, y), [0x15, 0x65, 0xc0, 255]);
});

test('[icons.23] a size is clamped, that of an ico to 256', async () => {
  const sizes: [path: string, size: number][] = [
    ['line/house/1.png', 16],
    ['line/house/0.png', 16],
    ['line/house/-7.png', 16],
    ['line/house/15.png', 16],
    ['line/house/17.png', 17],
    ['line/house/9999.png', 4096],
    [`line/house/${'9'.repeat(100)}.webp`, 4096],
    ['line/house/fff/1.gif', 16],
    ['line/house/256.ico', 256],
    ['line/house/9999.ico', 256],
    ['line/house/1.ico', 16],
  ];
  for (const [path, size] of sizes) {
    const { bytes } = await get(path);
    const { width, height } = await decodeWithImageMagick(bytes, path.slice(path.lastIndexOf('.') + 1));
    assert.deepEqual([width, height], [size, size], path);
  }
});

test('[icons.26] without a size an image has 128 pixels a side', async () => {
  for (const [ending] of formats) {
    const { width, height } = await decodeWithImageMagick((await get(`line/house.${ending}`)).bytes, ending);
    assert.deepEqual([width, height], [128, 128], ending);
  }
});

test('[icons.24] size and background change a raster image', async () => {
  const paths = ['line/house.png', 'line/house/64.png', 'line/house/fff/64.png', 'line/house/000/64.png'];
  const images = await Promise.all(paths.map(async (path) => (await get(path)).bytes.toString('base64')));
  assert.equal(new Set(images).size, images.length);
});

test('[icons.22] an unknown format is answered as SVG', async () => {
  const { text } = await get('line/house.svg');
  for (const path of [
    'line/house.pdf',
    'line/house/64.jp2',
    'line/house/fff/64.html',
    'line/house.svgz',
    'line/house.x',
  ]) {
    const { status, headers, text: other } = await get(path);
    assert.deepEqual([status, headers['content-type'], other], [200, 'image/svg+xml', text], path);
  }
});
