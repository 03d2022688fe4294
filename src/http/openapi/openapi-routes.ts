// Serves the OpenAPI documents, and an index at `/` that links to them. A document names the host that it was fetched
// from as its server, so that a generated client calls that host.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { negotiateLanguage } from '../../lib/text/language.ts';
import { pageHeaders } from '../../lib/pages/page-style.ts';
import { version } from '../../version.ts';
import { tenantHostOf } from '../requests/request-context.ts';
import { readRequestHost } from '../context/tenancy.ts';
import { prefersHtml } from '../pages/prefers-html.ts';
import { renderStartPage } from '../pages/start-page.ts';
import { appendToListHeader } from '../protocol/list-header.ts';
import { addOptionsRoute } from '../routes/options-route.ts';
import { documentTitles, type DocumentName } from './document-info.ts';
import type { Json } from './components.ts';
import { createOpenApiDocument, documentFile, documentFile30, documentNames } from './documents.ts';
import type { Operation } from '../operations/operation.ts';
import { etagOf, sendStored } from '../routes/static-resource.ts';
import { toOpenApi30 } from './version-3-0.ts';

const documentUrl = (name: DocumentName): string => `/openapi/${documentFile(name)}`;
const documentUrl30 = (name: DocumentName): string => `/openapi/${documentFile30(name)}`;

export function mountOpenApiDocuments(app: FastifyInstance, operations: readonly Operation[]): void {
  for (const name of documentNames) mountOpenApiDocument(app, name, operations);
  serveIndex(app);
}

/** One document alone, in both versions. */
export function mountOpenApiDocument(app: FastifyInstance, name: DocumentName, operations: readonly Operation[]): void {
  const create = (): Json => createOpenApiDocument(name, operations, { version });
  serveDocument(app, documentUrl(name), create);
  serveDocument(app, documentUrl30(name), () => toOpenApi30(create()));
}

/** The answer of `/`. */
const index = {
  name: 'Portal management service',
  version,
  console: '/console/',
  reference: '/docs',
  documents: documentNames.map((name) => ({
    title: documentTitles[name],
    url: documentUrl(name),
    openApi30Url: documentUrl30(name),
  })),
  status: '/api/v1/public/status',
};

/** RFC 8631: the description for programs, and the one for people. */
const links = [
  `<${documentUrl('all')}>; rel="service-desc"; type="application/json"`,
  '</docs>; rel="service-doc"; type="text/html"',
];

/** Serves the index as JSON, or as a page for those who ask for pages. */
function serveIndex(app: FastifyInstance): void {
  const json = `${JSON.stringify(index, null, 2)}\n`;
  const etag = etagOf(json);
  app.get('/', (request, reply) => {
    reply.header('link', links.join(', '));
    appendToListHeader(reply, 'vary', 'Accept');
    if (!prefersHtml(request.headers.accept))
      return sendStored(request, reply, { etag, mediaType: 'application/json; charset=utf-8', content: () => json });
    const language = negotiateLanguage(request.headers['accept-language']);
    appendToListHeader(reply, 'vary', 'Accept-Language');
    const page = renderStartPage({ ...index, language, portal: tenantHostOf(request).tenant.displayName });
    return sendStored(request, reply.headers({ ...pageHeaders, 'content-language': language }), {
      etag: etagOf(page),
      mediaType: 'text/html; charset=utf-8',
      content: () => page,
    });
  });
  addOptionsRoute(app, '/', ['GET']);
}

function serveDocument(app: FastifyInstance, url: string, create: () => Json): void {
  // Generated on the first request, so that the service starts sooner.
  let made: DocumentText | undefined;
  app.get(url, (request, reply) => {
    const { head, tail, etag } = (made ??= createDocumentText(create()));
    const servers = JSON.stringify([serverOf(request)]);
    return sendStored(request, reply, {
      etag: etagOf(`${etag}${servers}`),
      mediaType: 'application/json; charset=utf-8',
      content: () => `${head},"servers":${servers},${tail}`,
    });
  });
  addOptionsRoute(app, url, ['GET']);
}

/** The text of a document before and after its servers. */
type DocumentText = { readonly head: string; readonly tail: string; readonly etag: string };

function createDocumentText({ openapi, info, servers: _servers, ...rest }: Json): DocumentText {
  const head = JSON.stringify({ openapi, info }).slice(0, -1);
  const tail = JSON.stringify(rest).slice(1);
  return { head, tail, etag: etagOf(`${head}${tail}`) };
}

function serverOf(request: FastifyRequest): { readonly url: string; readonly description: string } {
  const { tenant, environment } = tenantHostOf(request);
  const host = readRequestHost(request.raw)?.toLowerCase() ?? '';
  return { url: `${request.protocol}://${host}`, description: `${tenant.displayName}, ${environment}` };
}
