// Serves the console, the portal in a browser: its page at every address below /console/, and its files, which never
// change under one name. Without a build it says how to make one.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { createHash } from 'node:crypto';
import { pageHeaders } from '../../lib/pages/page-style.ts';
import { Problem } from '../../lib/problem.ts';
import { renderPage } from '../../lib/pages/render-page.ts';
import { negotiateCoding } from '../compression/negotiate-coding.ts';
import { toWeakEtag } from '../compression/compressor.ts';
import { appendToListHeader } from '../protocol/list-header.ts';
import { queryStringOf } from '../protocol/request-target.ts';
import { findMatchingEtag } from '../representations/representation.ts';
import { addOptionsRoute } from '../routes/options-route.ts';
import { codings, type Coding } from '../compression/codings.ts';
import { etagOf } from '../routes/static-resource.ts';

const base = '/console';
const assetsPath = 'assets/';
const permanentRedirectStatus = 308;

/** @param folder what the build has made; read once, at the start */
export function mountConsole(app: FastifyInstance, folder: string): void {
  const files = readConsoleFiles(folder);
  app.get(base, (request, reply) => {
    const query = queryStringOf(request);
    return reply.redirect(query === '' ? `${base}/` : `${base}/?${query}`, permanentRedirectStatus);
  });
  app.get<{ Params: { '*': string } }>(`${base}/*`, (request, reply) =>
    files === undefined ? sendBuildAdvice(reply) : sendConsole(files, request.params['*'], request, reply),
  );
  addOptionsRoute(app, base, ['GET']);
  addOptionsRoute(app, `${base}/*`, ['GET']);
}

function sendConsole(files: ConsoleFiles, path: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!path.startsWith(assetsPath)) {
    reply.headers({ ...consoleHeaders, 'cache-control': 'no-cache' });
    return sendFile(files.page, request, reply);
  }
  const file = files.assets.get(path.slice(assetsPath.length));
  if (file === undefined) throw new Problem('unknown-route');
  reply.header('cache-control', 'public, max-age=31536000, immutable');
  return sendFile(file, request, reply);
}

function sendFile(file: ConsoleFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  appendToListHeader(reply, 'vary', 'Accept-Encoding');
  const accepted = request.headers['accept-encoding'];
  const coding = accepted === undefined ? undefined : negotiateCoding(accepted).coding;
  const compressed = coding === undefined ? undefined : file.compressed.get(coding);
  const etag = compressed === undefined ? file.etag : toWeakEtag(file.etag);
  const heldEtag = findMatchingEtag(request.headers['if-none-match'], etag);
  reply.header('etag', heldEtag ?? etag);
  if (heldEtag !== undefined) return reply.code(304).send();
  if (coding !== undefined && compressed !== undefined) reply.header('content-encoding', coding);
  return reply.type(file.mediaType).send(compressed ?? file.body);
}

/** For those who run a clone. */
const sendBuildAdvice = (reply: FastifyReply): FastifyReply =>
  reply
    .code(503)
    .headers({ ...pageHeaders, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(
      renderPage({
        language: 'en',
        title: 'The console is not built',
        hasLogo: true,
        content:
          '<p>The service runs, but the portal in the browser has not been built. In the folder of the service, run:</p>\n' +
          '<p><code class="command">npm ci &amp;&amp; npm run console</code></p>\n' +
          '<p>Then start the service again. The API works meanwhile: see <a href="/docs">its reference</a>.</p>\n',
      }),
    );

type ConsoleFile = {
  readonly mediaType: string;
  readonly body: Buffer;
  /** A strong entity tag of the uncompressed body. */
  readonly etag: string;
  readonly compressed: ReadonlyMap<Coding, Buffer>;
};

type ConsoleFiles = {
  /** For every address of a screen. */
  readonly page: ConsoleFile;
  /** By their names in the folder of assets. */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
};

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads each file with what the build has compressed. Undefined if the console has not been built. */
function readConsoleFiles(folder: string): ConsoleFiles | undefined {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) return undefined;
  const assets = join(folder, 'assets');
  const names = readdirSync(assets).filter((name) => extname(name) in mediaTypes);
  return { page: readFile(page), assets: new Map(names.map((name) => [name, readFile(join(assets, name))])) };
}

function readFile(path: string): ConsoleFile {
  const body = readFileSync(path);
  const compressed = codings
    .filter((coding) => existsSync(`${path}.${coding}`))
    .map((coding) => [coding, readFileSync(`${path}.${coding}`)] as const);
  return {
    mediaType: mediaTypes[extname(path)] ?? 'application/octet-stream',
    body,
    etag: etagOf(body),
    compressed: new Map(compressed),
  };
}

// React Aria adds these style elements at run time: the first one for what can be pressed, the second one while a dialog
// is open on iOS. The policy names their hashes, so that no other style is allowed.
const addedStyles = [
  '@layer {\n  [data-react-aria-pressable] {\n    touch-action: pan-x pan-y pinch-zoom;\n  }\n}',
  '@layer {\n  * {\n    overscroll-behavior: contain;\n  }\n}',
];

const hashOf = (style: string): string => `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** Scripts and styles of this host's files alone, and no text that becomes markup (Trusted Types). */
const consoleHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${addedStyles.map(hashOf).join(' ')}`,
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
} as const;
