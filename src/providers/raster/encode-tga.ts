// TGA: uncompressed true colour of 32 bits per pixel, 8 of them alpha, from the top left. Some decoders show a picture
// that begins at the bottom upside down. https://www.dca.fee.unicamp.br/~martino/disciplinas/ia978/tgaffs.pdf

import type { UncompressedFormat } from './encode-uncompressed.ts';

const headerBytes = 18;
const trueColor = 2;
const alphaBits = 8;
const topLeft = 0x20;

export const tgaFormat: UncompressedFormat = { pixel: 'bgra', rows: 'downward', header: createHeader };

function createHeader(size: number): Buffer {
  const bytes = Buffer.alloc(headerBytes);
  bytes.writeUInt8(trueColor, 2);
  bytes.writeUInt16LE(size, 12);
  bytes.writeUInt16LE(size, 14);
  bytes.writeUInt8(32, 16);
  bytes.writeUInt8(topLeft | alphaBits, 17);
  return bytes;
}
