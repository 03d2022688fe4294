// BMP: 32 bits per pixel with a BITMAPV4HEADER, whose masks make decoders honour the alpha channel.
// https://learn.microsoft.com/windows/win32/api/wingdi/ns-wingdi-bitmapv4header

import type { UncompressedFormat } from './encode-uncompressed.ts';

const fileHeaderBytes = 14;
const infoHeaderBytes = 108;
const headerBytes = fileHeaderBytes + infoHeaderBytes;

const bitfields = 3;
const srgb = 0x73524742;
/** 72 dots per inch. */
const dotsPerMetre = 2835;

export const bmpFormat: UncompressedFormat = { pixel: 'bgra', rows: 'upward', header: createHeader };

function createHeader(size: number): Buffer {
  const pixelBytes = size * size * 4;
  const bytes = Buffer.alloc(headerBytes);
  bytes.write('BM', 'latin1');
  bytes.writeUInt32LE(headerBytes + pixelBytes, 2);
  bytes.writeUInt32LE(headerBytes, 10);

  const info = bytes.subarray(fileHeaderBytes);
  info.writeUInt32LE(infoHeaderBytes, 0);
  info.writeInt32LE(size, 4);
  info.writeInt32LE(size, 8);
  // Planes and bits per pixel.
  info.writeUInt16LE(1, 12);
  info.writeUInt16LE(32, 14);
  info.writeUInt32LE(bitfields, 16);
  info.writeUInt32LE(pixelBytes, 20);
  info.writeInt32LE(dotsPerMetre, 24);
  info.writeInt32LE(dotsPerMetre, 28);
  // Masks of red, green, blue and alpha.
  info.writeUInt32LE(0x00ff0000, 40);
  info.writeUInt32LE(0x0000ff00, 44);
  info.writeUInt32LE(0x000000ff, 48);
  info.writeUInt32LE(0xff000000, 52);
  info.writeUInt32LE(srgb, 56);
  return bytes;
}
