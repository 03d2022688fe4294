// Hands an image's failure from the fast path to the framework, which answers it. So an image that could not be rendered
// is not rendered again for the same request.

import type { IncomingMessage } from 'node:http';

const failure = Symbol('the failure of an image');

type ImageMessage = IncomingMessage & { [failure]?: { readonly error: unknown } };

export function setImageFailure(request: ImageMessage, error: unknown): void {
  request[failure] = { error };
}

/** Throws what the fast path got instead of the image. */
export function throwImageFailure(request: object): void {
  const failed = (request as Partial<ImageMessage>)[failure];
  if (failed !== undefined) throw failed.error;
}
