// The bytes of a body as it is kept, as clients get them.

import { buffer } from 'node:stream/consumers';
import { DeflatedBytes, type KeptBody } from '../../src/lib/deflated-bytes.ts';

export const bytesOf = async (body: KeptBody): Promise<Buffer> =>
  body instanceof DeflatedBytes ? buffer(body.inflate()) : Buffer.from(body as string);
