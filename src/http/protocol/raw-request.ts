// Node's request, with what the server adds to it before routing.

import type { IncomingMessage } from 'node:http';

export type RawRequest = IncomingMessage & {
  /** The method as the client sent it, if the router does not know it. */
  originalMethod?: string;
};
