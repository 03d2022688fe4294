// Serves the reference page that shows the OpenAPI documents. It reads all files, Swagger UI's and ours, at start; the
// page loads nothing from other hosts.

import type { FastifyInstance } from 'fastify';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveResource, type StaticResource } from '../routes/static-resource.ts';

const swaggerUiDirectory = join(
  dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui/package.json'))),
  'static',
);

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

export function mountReference(app: FastifyInstance): void {
  serveResource(app, {
    url: '/docs',
    extension: 'html',
    content: readFileSync(join(import.meta.dirname, 'index.html')),
    headers: pageHeaders,
  });
  serveResource(app, readAsset(swaggerUiDirectory, 'swagger-ui-bundle', 'js'));
  serveResource(app, readAsset(swaggerUiDirectory, 'swagger-ui', 'css'));
  serveResource(app, readAsset(import.meta.dirname, 'reference', 'js'));
  serveResource(app, readAsset(import.meta.dirname, 'reference', 'css'));
  serveResource(app, readAsset(import.meta.dirname, 'icon', 'svg'));
}

function readAsset(folder: string, name: string, type: StaticResource['extension']): StaticResource {
  const file = `${name}.${type}`;
  return { url: `/docs/assets/${file}`, extension: type, content: readFileSync(join(folder, file)) };
}
