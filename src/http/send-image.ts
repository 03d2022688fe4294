// Sends an image of the fast path, compressed where the client asks for that.

import { contentBytesOf } from '../lib/deflated-bytes.ts';
import { isCompressibleType } from './compression/allow-compression.ts';
import type { Compressor } from './compression/compressor.ts';
import type { CachedImageResponse } from './image-response-cache.ts';
import { representationFields, type Representation } from './representation.ts';
import { sendFinished, type FastRequest, type SendFinishedDependencies } from './send-finished.ts';

type ImageFieldDependencies = {
  /** Names and values, in turns, of the header fields that do not depend on the request. */
  readonly commonHeaders: readonly string[];
  /** The Vary field, in the same form, of images that may be compressed and of all others. */
  readonly varyFields: Readonly<Record<'compressible' | 'other', readonly string[]>>;
};

export type SendImageDependencies = SendFinishedDependencies &
  ImageFieldDependencies & { readonly compressor: Compressor };

export function sendImage(
  dependencies: SendImageDependencies,
  { representation: rendered, fields, route, operationId }: CachedImageResponse,
  fastRequest: FastRequest,
): void {
  const { tenantHost, request } = fastRequest;
  const acceptEncoding = request.headers['accept-encoding'];
  const representation = dependencies.compressor.compressImage(tenantHost, rendered, acceptEncoding);
  const { body } = representation;
  const ownFields = representation === rendered ? fields : listImageFields(representation, dependencies);
  sendFinished(dependencies, { body, fields: ownFields, route, operationId }, fastRequest);
}

/** Names and values, in turns, of the header fields that do not depend on the request: made once for a cached response. */
export const listImageFields = (
  representation: Representation,
  { commonHeaders, varyFields }: ImageFieldDependencies,
): string[] => [
  ...commonHeaders,
  ...varyFields[isCompressibleType(representation.mediaType) ? 'compressible' : 'other'],
  ...representationFields(representation),
  'content-length',
  String(contentBytesOf(representation.body)),
];
