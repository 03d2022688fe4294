// Node's request, with what the server adds to it before it is routed.

import type { IncomingMessage } from 'node:http';

export type RawRequest = IncomingMessage & {
  /** The method as it was sent, where the router does not know it. */
  originalMethod?: string;
};
