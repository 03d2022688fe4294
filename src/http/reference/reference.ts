// Serves the reference page that shows the OpenAPI documents. It reads all files at start; the page loads nothing from
// other hosts, and needs neither styles nor scripts inside its markup.

import type { FastifyInstance } from 'fastify';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveResource, type StaticResource } from '../routes/static-resource.ts';

const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
};

/** `reference` imports the other scripts. */
const scripts = ['reference', 'elements', 'operation', 'request', 'schema', 'session'];

export function mountReference(app: FastifyInstance): void {
  serveResource(app, {
    url: '/docs',
    extension: 'html',
    content: readFileSync(join(import.meta.dirname, 'index.html')),
    headers: pageHeaders,
  });
  for (const script of scripts) serveResource(app, readAsset(script, 'js'));
  serveResource(app, readAsset('reference', 'css'));
  serveResource(app, readAsset('icon', 'svg'));
}

function readAsset(name: string, type: StaticResource['extension']): StaticResource {
  const file = `${name}.${type}`;
  return { url: `/docs/assets/${file}`, extension: type, content: readFileSync(join(import.meta.dirname, file)) };
}
