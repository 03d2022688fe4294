// Sets the entity tag of a body that is finished before it is sent. It is a hash of the bytes, so it changes with anything
// that is shown: data, rights, language, day.

import type { FastifyReply } from 'fastify';
import { hash } from 'node:crypto';
import { findMatchingEtag } from '../representations/representation.ts';

type TaggedBody = {
  readonly body: string | Uint8Array;
  /** The language of the response: the same bytes in another language are another representation. */
  readonly language: string;
  /** What the tag begins with, so that If-Match of a write can name it. */
  readonly revision?: string | undefined;
};

/** 128 bits. */
const hashLength = 22;

/** Whether the client holds this body already: the response is then 304. */
export function setBodyEtag(reply: FastifyReply, { body, language, revision }: TaggedBody): boolean {
  const parts = [hash('sha256', body, 'base64url').slice(0, hashLength)];
  if (revision !== undefined) parts.unshift(revision);
  if (language !== 'en') parts.push(language);
  const etag = `"${parts.join('.')}"`;
  const heldEtag = findMatchingEtag(reply.request.headers['if-none-match'], etag);
  reply.header('etag', heldEtag ?? etag);
  return heldEtag !== undefined;
}
