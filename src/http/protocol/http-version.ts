// Tells HTTP/2 from HTTP/1. The version that a request names is no evidence: on an HTTP/1 connection a client may write
// any.

import type { IncomingMessage } from 'node:http';
import { Http2ServerRequest } from 'node:http2';

export const isHttp2 = (raw: IncomingMessage): boolean => (raw as unknown) instanceof Http2ServerRequest;
