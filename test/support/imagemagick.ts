// Decodes pictures with ImageMagick, which shares no code with our encoders.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { initializeImageMagick, MagickFormat, MagickImage, MagickReadSettings } from '@imagemagick/magick-wasm';

export type Rgba = readonly [number, number, number, number];

export type DecodedPicture = {
  /** As ImageMagick calls it: PNG, JPEG, BMP3. */
  readonly format: string;
  readonly width: number;
  readonly height: number;
  /** The file can tell how opaque a pixel is. */
  readonly hasAlpha: boolean;
  /** Every pixel of it is opaque. */
  readonly isOpaque: boolean;
  at(x: number, y: number): Rgba;
};

/** From only their bytes it knows neither of these. */
const formats: Readonly<Record<string, MagickFormat>> = { tga: MagickFormat.Tga, ico: MagickFormat.Ico };

const initialized = initializeImageMagick(
  readFileSync(fileURLToPath(import.meta.resolve('@imagemagick/magick-wasm/magick.wasm'))),
);

/** Decodes a file with this ending. Throws if ImageMagick prints any warning. */
export async function decodeWithImageMagick(file: Buffer, ending: string): Promise<DecodedPicture> {
  await initialized;
  const image = MagickImage.create();
  try {
    const warnings: unknown[] = [];
    image.onWarning = (warning) => warnings.push(warning.error);
    const settings = new MagickReadSettings();
    const format = formats[ending.toLowerCase()];
    if (format !== undefined) settings.format = format;
    image.read(file, settings);
    if (warnings.length > 0) throw new AggregateError(warnings, `${ending}: ${warnings.join('; ')}`);
    const { width, height, hasAlpha, isOpaque } = image;
    const pixels = image.getPixels((all) => all.toByteArray(0, 0, width, height, 'RGBA'));
    if (pixels?.length !== width * height * 4) throw new Error(`${ending}: not all pixels`);
    return {
      format: image.format,
      width,
      height,
      hasAlpha,
      isOpaque,
      at: (x, y) => {
        const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray((y * width + x) * 4);
        return alpha === 0 ? [0, 0, 0, 0] : [red, green, blue, alpha];
      },
    };
  } finally {
    image.dispose();
  }
}
