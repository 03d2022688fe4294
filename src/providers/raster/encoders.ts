// How each format is made of an SVG.

import type { Sharp } from 'sharp';
import { bmp } from './encode-bmp.ts';
import { ico } from './encode-ico.ts';
import { ppm } from './encode-ppm.ts';
import { tga } from './encode-tga.ts';
import { largestWhole, letGo, stripsOf, type Ground, type SharpFunction } from './strips.ts';
import { encodeUncompressed, type Uncompressed } from './uncompressed.ts';

/** The ground is for formats without alpha. */
type Job = { readonly svg: string; readonly size: number; readonly ground: Ground };

type Encoder = (sharp: SharpFunction, job: Job) => Promise<Buffer>;

/** Encoded by sharp, which draws small images as it goes; `opaque` formats have no alpha. */
function bySharp(encode: (image: Sharp, size: number) => Sharp, { opaque = false } = {}): Encoder {
  return async (sharp, { svg, size, ground }) => {
    if (size > largestWhole) {
      const pixels = await pixelsOf(sharp, { svg, size, ground: opaque ? ground : undefined });
      const raw = { width: size, height: size, channels: opaque ? 3 : 4 } as const;
      const file = await encode(sharp(pixels, { raw }), size).toBuffer();
      letGo(pixels);
      return file;
    }
    const image = sharp(Buffer.from(svg));
    return encode(opaque ? image.flatten({ background: ground }) : image, size).toBuffer();
  };
}

function byUs(format: Uncompressed): Encoder {
  return (sharp, { svg, size, ground }) => {
    const strips = stripsOf(sharp, svg, { size, ground: format.pixel === 'rgb' ? ground : undefined });
    return encodeUncompressed(format, strips, size);
  };
}

async function pixelsOf(
  sharp: SharpFunction,
  { svg, size, ground }: { svg: string; size: number; ground: Ground | undefined },
): Promise<Buffer> {
  const rowBytes = size * (ground === undefined ? 4 : 3);
  const all = Buffer.allocUnsafeSlow(size * rowBytes);
  for await (const { top, pixels } of stripsOf(sharp, svg, { size, ground })) all.set(pixels, top * rowBytes);
  return all;
}

// Sharp edges want colour at full resolution; the best tables would cost a large image's coefficients in memory.
const jpeg = bySharp(
  (image, size) => image.jpeg({ quality: 90, chromaSubsampling: '4:4:4', optimiseCoding: size <= largestWhole }),
  { opaque: true },
);
const tiff = bySharp((image) => image.tiff({ compression: 'deflate' }));

export const encoders = {
  // Level 3 is nearly as fast as 1 and nearly as small as 6; icons have few colours, which filters spoil.
  png: bySharp((image) => image.png({ compressionLevel: 3 })),
  jpg: jpeg,
  jpeg,
  gif: bySharp((image) => image.gif({ effort: 5, dither: 0 })),
  bmp: byUs(bmp),
  tif: tiff,
  tiff,
  // Lossless is both smaller and faster here.
  webp: bySharp((image) => image.webp({ lossless: true, effort: 1 })),
  ppm: byUs(ppm),
  tga: byUs(tga),
  ico: byUs(ico),
} as const satisfies Record<string, Encoder>;
