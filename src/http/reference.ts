// Serves the three OpenAPI documents and the reference page that shows them. All files, Swagger UI's and ours, are read at
// start; the page loads nothing from other hosts.

import type { FastifyInstance } from 'fastify';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version } from '../version.ts';
import { matchesEtag } from './representation.ts';
import { refuseOtherMethods } from './method-not-allowed.ts';
import { createOpenApiDocuments } from './openapi/documents.ts';
import type { Operation } from './operation.ts';

const referenceDirectory = join(import.meta.dirname, 'reference');
const swaggerUiDirectory = join(
  dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui/package.json'))),
  'static',
);

const mediaTypes = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
};

type StaticResource = {
  readonly url: string;
  readonly extension: keyof typeof mediaTypes;
  readonly content: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
};

export function mountReference(app: FastifyInstance, operations: readonly Operation[]): void {
  for (const [file, document] of Object.entries(createOpenApiDocuments(operations, version))) {
    serveResource(app, { url: `/openapi/${file}`, extension: 'json', content: JSON.stringify(document) });
  }
  serveResource(app, {
    url: '/docs',
    extension: 'html',
    content: readFileSync(join(referenceDirectory, 'index.html')),
    headers: pageHeaders,
  });
  serveResource(app, readAsset(swaggerUiDirectory, 'swagger-ui-bundle', 'js'));
  serveResource(app, readAsset(swaggerUiDirectory, 'swagger-ui', 'css'));
  serveResource(app, readAsset(referenceDirectory, 'reference', 'js'));
  serveResource(app, readAsset(referenceDirectory, 'reference', 'css'));
  serveResource(app, readAsset(referenceDirectory, 'icon', 'svg'));
}

function readAsset(folder: string, name: string, type: keyof typeof mediaTypes): StaticResource {
  const file = `${name}.${type}`;
  return { url: `/docs/assets/${file}`, extension: type, content: readFileSync(join(folder, file)) };
}

function serveResource(app: FastifyInstance, { url, extension, content, headers }: StaticResource): void {
  const etag = `"${hash('sha256', content, 'base64url')}"`;
  const caching = { etag, 'cache-control': 'public, max-age=600' };
  app.get(url, (request, reply) => {
    reply.headers({ ...headers, ...caching });
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type(mediaTypes[extension]).send(content);
  });
  refuseOtherMethods(app, url, ['GET']);
}
