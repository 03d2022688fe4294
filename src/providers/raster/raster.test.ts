// Tests the formats, the limits and the safety of rendered pictures.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { decodeWithImageMagick, type DecodedPicture, type Rgba } from '../../../test/support/imagemagick.ts';
import { bytesOf } from '../../../test/support/cached-bodies.ts';
import { mediaTypeOf, rasterFormats, createRasteriser, type Rasteriser, type RasterFormat } from './raster.ts';

const directory = mkdtempSync(join(tmpdir(), 'portal-raster-'));
after(() => rmSync(directory, { recursive: true, force: true }));

const rasteriser = createRasteriser();

const render = async (...parameters: Parameters<Rasteriser['render']>): Promise<Buffer> =>
  bytesOf(await rasteriser.render(...parameters));

/** The quarters of a picture without any symmetry. */
const quarters: readonly Rgba[] = [
  [200, 30, 50, 255],
  [255, 50, 100, 153],
  [0, 0, 0, 0],
  [10, 125, 20, 255],
];

function pictureOf(size: number, behind = ''): string {
  const half = size / 2;
  const rects = quarters.map(([red, green, blue, alpha], index) => {
    const place = `x="${(index % 2) * half}" y="${index < 2 ? 0 : half}" width="${half}" height="${half}"`;
    return `<rect ${place} fill="rgb(${red},${green},${blue})" fill-opacity="${alpha / 255}"/>`;
  });
  const frame = `width="${size}" height="${size}" viewBox="0 0 ${size} ${size}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${frame}>${behind}${rects.join('')}</svg>`;
}

function assertNear(actual: Rgba, expected: Rgba, tolerance: number, of: string): void {
  const far = actual.some((channel, index) => Math.abs(channel - (expected[index] ?? 0)) > tolerance);
  if (far) assert.deepEqual(actual, expected, of);
}

/** Checks the middle of each quarter and, if colours are exact, its corners too. */
function assertQuarters(
  { at }: DecodedPicture,
  size: number,
  expected: readonly Rgba[],
  { tolerance, format }: { tolerance: number; format: string },
): void {
  const half = size / 2;
  const low = tolerance === 0 ? [0, size / 4, half - 1] : [size / 4];
  for (const [quarter, color] of expected.entries()) {
    for (const x of low)
      for (const y of low) {
        const point = [x + (quarter % 2) * half, y + (quarter < 2 ? 0 : half)] as const;
        assertNear(at(...point), color, tolerance, `${format} of ${size} at ${point.join(', ')}`);
      }
  }
}

const onGround = ([red, green, blue, alpha]: Rgba, ground: number): Rgba => {
  const mixed = (channel: number): number => Math.round((channel * alpha + ground * (255 - alpha)) / 255);
  return [mixed(red), mixed(green), mixed(blue), 255];
};

const names: Readonly<Record<RasterFormat, string>> = {
  png: 'PNG',
  jpg: 'JPEG',
  jpeg: 'JPEG',
  gif: 'GIF',
  bmp: 'BMP',
  tif: 'TIFF',
  tiff: 'TIFF',
  webp: 'WEBP',
  ppm: 'PPM',
  tga: 'TGA',
  ico: 'ICO',
};
const opaque = new Set<RasterFormat>(['jpg', 'jpeg', 'ppm']);

describe('decoded by another decoder', () => {
  for (const format of rasterFormats) {
    const tolerance = format === 'ppm' ? 1 : format.startsWith('jp') ? 4 : 0;
    const shown = opaque.has(format)
      ? quarters.map((color) => onGround(color, 255))
      : quarters.map((color): Rgba => (format === 'gif' && color[3] > 0 ? [color[0], color[1], color[2], 255] : color));
    const called = new RegExp(`^${names[format]}3?$`);

    test(`[icons.21, icons.25] ${format} is ${names[format]}, of its size, and transparent if the format can be`, async () => {
      for (const size of [16, 64, 256]) {
        const picture = await decodeWithImageMagick(await render(pictureOf(size), format, { size }), format);
        assert.match(picture.format, called);
        assert.deepEqual([picture.width, picture.height], [size, size]);
        assert.equal(picture.hasAlpha, !opaque.has(format));
        assertQuarters(picture, size, shown, { tolerance, format });
      }
    });
  }

  for (const format of ['png', 'bmp', 'ppm', 'tga', 'tif', 'jpg'] as const)
    test(`[icons.21] ${format} of 4096 pixels a side has every pixel in its place`, async () => {
      const size = 4096;
      const picture = await decodeWithImageMagick(await render(pictureOf(size), format, { size }), format);
      assert.deepEqual([picture.width, picture.height], [size, size]);
      const shown = opaque.has(format) ? quarters.map((color) => onGround(color, 255)) : quarters;
      assertQuarters(picture, size, shown, { tolerance: opaque.has(format) ? 4 : 0, format });
    });

  test('formats without alpha show the background, on white if it is not opaque', async () => {
    const size = 64;
    for (const format of opaque) {
      for (const [alpha, ground] of [
        [1, 0],
        [0.5, 127.5],
      ] as const) {
        const background = { red: 0, green: 0, blue: 0, alpha };
        const behind = `<rect width="${size}" height="${size}" fill-opacity="${alpha}"/>`;
        const file = await render(pictureOf(size, behind), format, { size, background });
        const shown = quarters.map((color) => onGround(color, ground));
        assertQuarters(await decodeWithImageMagick(file, format), size, shown, { tolerance: 4, format });
      }
    }
  });

  test('a background is opaque in formats with alpha, too', async () => {
    const size = 64;
    const background = { red: 0, green: 0, blue: 0, alpha: 1 };
    const svg = pictureOf(size, `<rect width="${size}" height="${size}"/>`);
    const shown = quarters.map((color) => onGround(color, 0));
    for (const format of rasterFormats) {
      const file = await render(svg, format, { size, background });
      assertQuarters(await decodeWithImageMagick(file, format), size, shown, { tolerance: 4, format });
    }
  });
});

/** Colours multiplied by alpha, so that transparent pixels are equal whatever their colour. */
async function weighed(image: Sharp): Promise<Buffer> {
  const pixels = await image.ensureAlpha().raw().toBuffer();
  for (let index = 0; index < pixels.length; index += 4) {
    const alpha = pixels[index + 3] as number;
    for (let channel = index; channel < index + 3; channel++)
      pixels[channel] = ((pixels[channel] as number) * alpha) / 255;
  }
  return pixels;
}

test('a picture rendered in strips equals the picture rendered in one piece', async () => {
  const size = 1500;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 24 24">` +
    '<defs><linearGradient id="g"><stop stop-color="#e11"/><stop offset="1" stop-color="#11e"/></linearGradient>' +
    '<mask id="m"><rect width="24" height="24" fill="#fff"/><circle cx="15" cy="15" r="6.1"/></mask></defs>' +
    '<g mask="url(#m)"><path d="M3 5.3 21 2l-4 20z" fill="url(#g)" stroke="#0c3" stroke-width="1.7"/></g>' +
    '<circle cx="17" cy="7" r="5.55" fill="#d32f2f" fill-opacity=".7"/></svg>';
  const whole = await weighed(sharp(Buffer.from(svg)));
  const strips = await weighed(sharp(await render(svg, 'png', { size })));
  assert.equal(strips.length, whole.length);
  let furthest = 0;
  for (let index = 0; index < whole.length; index++)
    furthest = Math.max(furthest, Math.abs((whole[index] as number) - (strips[index] as number)));
  assert.ok(furthest <= 3, `${furthest} levels apart`);
});

test('every format has a media type', () => {
  const types = rasterFormats.map((format) => `${format} ${mediaTypeOf(format)}`);
  assert.deepEqual(types, [
    'png image/png',
    'jpg image/jpeg',
    'jpeg image/jpeg',
    'gif image/gif',
    'bmp image/bmp',
    'tif image/tiff',
    'tiff image/tiff',
    'webp image/webp',
    'ppm image/x-portable-pixmap',
    'tga image/x-tga',
    'ico image/vnd.microsoft.icon',
  ]);
});

test('the same picture gives the same bytes', async () => {
  for (const format of rasterFormats) {
    const one = await render(pictureOf(64), format, { size: 64 });
    assert.ok(one.equals(await render(pictureOf(64), format, { size: 64 })), format);
  }
});

test('no reference from an SVG to a file is followed', async () => {
  const red = join(directory, 'red.png');
  writeFileSync(
    red,
    await sharp({ create: { width: 9, height: 9, channels: 3, background: '#f00' } })
      .png()
      .toBuffer(),
  );
  const foreign = join(directory, 'foreign.svg');
  writeFileSync(foreign, '<svg xmlns="http://www.w3.org/2000/svg"><rect id="r" width="64" height="64"/></svg>');
  const style = join(directory, 'style.css');
  writeFileSync(style, 'rect { fill: #f00; fill-opacity: 1 }');
  const svg = (inside: string, before = ''): string =>
    `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="64">${inside}</svg>`;
  const tries = [
    svg(`<image width="64" height="64" href="file://${red}"/>`),
    svg(`<image width="64" height="64" xlink:href="${red}"/>`),
    svg(`<use href="file://${foreign}#r"/>`),
    svg(`<style>@import url("file://${style}");</style><rect width="64" height="64" fill-opacity="0"/>`),
    svg('&r;', `<!DOCTYPE svg [<!ENTITY r SYSTEM "file://${foreign}">]>`),
    svg('<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="' + foreign + '"/>'),
  ];
  for (const each of tries) {
    const file = await render(each, 'png', { size: 64 }).catch(() => undefined);
    if (file === undefined) continue;
    const { channels } = await sharp(file).stats();
    assert.equal(channels[3]?.max, 0, each);
  }
});

test('the number of concurrent renders is bounded, and large images are rendered one at a time', async () => {
  const { render: bounded } = createRasteriser({ atOnce: 2 });
  const mostAtWork = async (count: number, size: number): Promise<number> => {
    let most = 0;
    let done = false;
    const look = (): void => {
      most = Math.max(most, sharp.counters().process);
      if (!done) setImmediate(look);
    };
    look();
    await Promise.all(Array.from({ length: count }, () => bounded(pictureOf(size), 'bmp', { size })));
    done = true;
    return most;
  };
  const small = await mostAtWork(12, 512);
  assert.ok(small > 0 && small <= 2, `${small} at once`);
  assert.equal(await mostAtWork(3, 2048), 1);
});

test('the event loop continues while an image is rendered', async () => {
  for (const format of ['png', 'bmp', 'ppm'] as const) {
    let turns = 0;
    let done = false;
    const turn = (): void => {
      turns += 1;
      if (!done) setImmediate(turn);
    };
    const rendered = render(pictureOf(4096), format, { size: 4096 });
    turn();
    await rendered;
    done = true;
    assert.ok(turns > 100, `${format}: ${turns} turns`);
  }
});

test('an image that cannot be rendered is refused, and does not block the next one', async () => {
  const { render: single } = createRasteriser({ atOnce: 1 });
  for (const svg of ['', 'no picture', '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>'])
    for (const format of ['png', 'bmp'] as const) await assert.rejects(single(svg, format, { size: 64 }));
  await assert.rejects(single(pictureOf(32), 'bmp', { size: 64 }), /differs from the requested one/);
  await assert.rejects(single(pictureOf(512), 'ico', { size: 512 }), RangeError);
  assert.ok((await bytesOf(await single(pictureOf(64), 'png', { size: 64 }))).length > 0);
});
