// Serves content that is known at start and that clients may store for ten minutes.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hash } from 'node:crypto';
import { allowCompression } from '../representations/allow-compression.ts';
import { findMatchingEtag } from '../representations/representation.ts';
import { addOptionsRoute } from './options-route.ts';

const mediaTypes = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

export type StaticResource = {
  readonly url: string;
  readonly extension: keyof typeof mediaTypes;
  readonly content: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
};

export function serveResource(app: FastifyInstance, { url, extension, content, headers = {} }: StaticResource): void {
  const etag = etagOf(content);
  app.get(url, (request, reply) =>
    sendStored(request, reply.headers(headers), { etag, mediaType: mediaTypes[extension], content: () => content }),
  );
  addOptionsRoute(app, url, ['GET']);
}

export const etagOf = (content: string | Buffer): string => `"${hash('sha256', content, 'base64url')}"`;

type StoredContent = {
  readonly etag: string;
  readonly mediaType: string;
  readonly content: () => string | Buffer;
};

/** Sends the content, or 304 if the client already has it. */
export function sendStored(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, mediaType, content }: StoredContent,
): FastifyReply {
  const heldEtag = findMatchingEtag(request.headers['if-none-match'], etag);
  reply.headers({ etag: heldEtag ?? etag, 'cache-control': 'public, max-age=600' });
  allowCompression(reply, 'stored');
  if (heldEtag !== undefined) return reply.code(304).send();
  return reply.type(mediaType).send(content());
}
