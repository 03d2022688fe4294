// Sets the entity tag of a body that is finished before it is sent. It is a hash of the bytes, so it changes with anything
// that is shown: data, rights, language, day.

import type { FastifyReply } from 'fastify';
import { findMatchingEtag } from '../representations/representation.ts';

type TaggedBody = {
  /** Made by `hashBody`. */
  readonly hash: string;
  /** The language of the response: the same bytes in another language are another representation. */
  readonly language: string;
  /** What the tag begins with, so that If-Match of a write can name it. */
  readonly revision?: string | undefined;
  /** Whether bodies of other bytes, which mean the same, can have this tag. */
  readonly isWeak?: boolean;
};

/** Whether the client holds this body already: the response is then 304. */
export function setBodyEtag(reply: FastifyReply, { hash, language, revision, isWeak = false }: TaggedBody): boolean {
  const parts = [hash];
  if (revision !== undefined) parts.unshift(revision);
  if (language !== 'en') parts.push(language);
  const etag = `"${parts.join('.')}"`;
  const heldEtag = findMatchingEtag(reply.request.headers['if-none-match'], etag);
  reply.header('etag', isWeak ? `W/${etag}` : (heldEtag ?? etag));
  return heldEtag !== undefined;
}
