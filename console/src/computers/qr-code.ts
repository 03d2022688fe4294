// Encodes a text as a QR code, with the light modules that have to be around the symbol (ISO/IEC 18004, 9.1).

import { encode } from 'uqr';

export const quietZone = 4;

/**
 * The rows of the symbol; true is dark.
 * @param maskPattern a number from 0 to 7; the one with the least penalty unless told
 */
export const encodeQrCode = (text: string, maskPattern = -1): readonly (readonly boolean[])[] =>
  encode(text, { ecc: 'M', border: quietZone, maskPattern }).data;
