// Encodes an SVG in each raster format.

import type { Sharp } from 'sharp';
import type { DeflatedBytes } from '../../lib/bytes/deflated-bytes.ts';
import {
  maxSinglePassSize,
  releaseBuffer,
  renderStrips,
  type SharpBackground,
  type SharpFunction,
} from './render-strips.ts';
import { encodeUncompressed, type UncompressedFormat } from './encode-uncompressed.ts';
import { bmpFormat, icoFormat, ppmFormat, tgaFormat } from './uncompressed-formats.ts';

/** The background is for formats without alpha. */
type RenderJob = { readonly svg: string; readonly size: number; readonly background: SharpBackground };

/** A large file of raw pixels is deflated. */
type Encoder = (sharp: SharpFunction, job: RenderJob) => Promise<Buffer | DeflatedBytes>;

/** Encoded by sharp, which renders small images while it encodes them; `opaque` formats have no alpha. */
function createSharpEncoder(encode: (image: Sharp, size: number) => Sharp, { opaque = false } = {}): Encoder {
  return async (sharp, { svg, size, background }) => {
    if (size > maxSinglePassSize) {
      const pixels = await renderPixels(sharp, { svg, size, ground: opaque ? background : undefined });
      const raw = { width: size, height: size, channels: opaque ? 3 : 4 } as const;
      const file = await encode(sharp(pixels, { raw }), size).toBuffer();
      releaseBuffer(pixels);
      return file;
    }
    const image = sharp(Buffer.from(svg));
    return encode(opaque ? image.flatten({ background }) : image, size).toBuffer();
  };
}

function createUncompressedEncoder(format: UncompressedFormat): Encoder {
  return (sharp, { svg, size, background }) => {
    const ground = format.pixel === 'rgb' ? background : undefined;
    return encodeUncompressed(format, renderStrips(sharp, svg, { size, ground, order: format.rows }), size);
  };
}

async function renderPixels(
  sharp: SharpFunction,
  { svg, size, ground }: { svg: string; size: number; ground: SharpBackground | undefined },
): Promise<Buffer> {
  const rowBytes = size * (ground === undefined ? 4 : 3);
  const all = Buffer.allocUnsafeSlow(size * rowBytes);
  for await (const { top, pixels } of renderStrips(sharp, svg, { size, ground })) all.set(pixels, top * rowBytes);
  return all;
}

const jpeg = {
  mediaType: 'image/jpeg',
  // Sharp edges need colour at full resolution. Optimised tables would keep a large image's coefficients in memory.
  encode: createSharpEncoder(
    (image, size) => image.jpeg({ quality: 90, chromaSubsampling: '4:4:4', optimiseCoding: size <= maxSinglePassSize }),
    { opaque: true },
  ),
};
const tiff = {
  mediaType: 'image/tiff',
  encode: createSharpEncoder((image) => image.tiff({ compression: 'deflate' })),
};

/** By the extensions of their files. */
export const encoders = {
  // Level 3 is nearly as fast as 1 and nearly as small as 6. Icons have few colours, so that filters only make them
  // larger.
  png: { mediaType: 'image/png', encode: createSharpEncoder((image) => image.png({ compressionLevel: 3 })) },
  jpg: jpeg,
  jpeg,
  gif: { mediaType: 'image/gif', encode: createSharpEncoder((image) => image.gif({ effort: 5, dither: 0 })) },
  bmp: { mediaType: 'image/bmp', encode: createUncompressedEncoder(bmpFormat) },
  tif: tiff,
  tiff,
  // Lossless is both smaller and faster here.
  webp: { mediaType: 'image/webp', encode: createSharpEncoder((image) => image.webp({ lossless: true, effort: 1 })) },
  ppm: { mediaType: 'image/x-portable-pixmap', encode: createUncompressedEncoder(ppmFormat) },
  tga: { mediaType: 'image/x-tga', encode: createUncompressedEncoder(tgaFormat) },
  ico: { mediaType: 'image/vnd.microsoft.icon', encode: createUncompressedEncoder(icoFormat) },
} as const satisfies Record<string, { readonly mediaType: string; readonly encode: Encoder }>;
