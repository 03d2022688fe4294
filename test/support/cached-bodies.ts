// The bytes of a body as it is cached, as clients get them.

import { buffer } from 'node:stream/consumers';
import { DeflatedBytes, type CachedBody } from '../../src/lib/bytes/deflated-bytes.ts';

export const bytesOf = async (body: CachedBody): Promise<Buffer> =>
  body instanceof DeflatedBytes ? buffer(body.inflate()) : Buffer.from(body as string);
