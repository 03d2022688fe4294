// The three OpenAPI documents and the reference page over them: Swagger UI's own files beside ours, and nothing from
// anywhere else. All of it is read or made once, at start.

import type { FastifyInstance } from 'fastify';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version } from '../version.ts';
import { matches } from './representation.ts';
import { refuseOtherMethods } from './mount.ts';
import { openApiDocuments } from './openapi.ts';
import type { Operation } from './operation.ts';

const ownFiles = join(import.meta.dirname, 'reference');
const swaggerUi = join(dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui/package.json'))), 'static');

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

type Resource = {
  readonly url: string;
  readonly type: keyof typeof mediaTypes;
  readonly content: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
};

export function mountReference(app: FastifyInstance, operations: readonly Operation[]): void {
  for (const [file, document] of Object.entries(openApiDocuments(operations, version))) {
    serve(app, { url: `/openapi/${file}`, type: 'json', content: JSON.stringify(document) });
  }
  serve(app, { url: '/docs', type: 'html', content: readFileSync(join(ownFiles, 'index.html')), headers: pageHeaders });
  serve(app, asset(swaggerUi, 'swagger-ui-bundle', 'js'));
  serve(app, asset(swaggerUi, 'swagger-ui', 'css'));
  serve(app, asset(ownFiles, 'reference', 'js'));
  serve(app, asset(ownFiles, 'reference', 'css'));
  serve(app, asset(ownFiles, 'icon', 'svg'));
}

function asset(folder: string, name: string, type: keyof typeof mediaTypes): Resource {
  const file = `${name}.${type}`;
  return { url: `/docs/assets/${file}`, type, content: readFileSync(join(folder, file)) };
}

function serve(app: FastifyInstance, { url, type, content, headers }: Resource): void {
  const etag = `"${hash('sha256', content, 'base64url')}"`;
  const caching = { etag, 'cache-control': 'public, max-age=600' };
  app.get(url, (request, reply) => {
    reply.headers({ ...headers, ...caching });
    if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type(mediaTypes[type]).send(content);
  });
  refuseOtherMethods(app, url, ['GET']);
}
