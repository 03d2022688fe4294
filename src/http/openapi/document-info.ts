// What stands at the head of each document: title, version, conventions and servers.

import { builtInTenants } from '../../tenants.ts';
import type { OpenApiDocumentName } from '../operation.ts';
import type { Json } from './components.ts';

const titles: Record<OpenApiDocumentName, string> = {
  public: 'Public v1 (no login)',
  downloads: 'Downloads v1',
  portal: 'Portal integrations v1',
};

const introductions: Record<OpenApiDocumentName, string> = {
  public: 'What anyone may read, without a login.',
  downloads: 'What a manager may take away as a file. LoginManager, which opens it, stands in Portal integrations v1.',
  portal:
    'Login, and the operations of managers. Operations without a login stand in Public v1 (no login), files in Downloads v1; the split changes no route, operation id or right.',
};

const conventions = `
### Hosts

The host alone chooses tenant and environment: \`api.{tenant}.{domain}\` is production, \`beta.api.{tenant}.{domain}\` beta, over the
same data. A token works on the host that issued it. Any other host is \`unknown-host\`.

### KIDs

An object is named by its KID, such as \`sund-B1001-L1-U1\`. It has one spelling; any other, and one of another tenant, is \`invalid-kid\`.

### Values

\`...Utc\` is an RFC 3339 instant in UTC. \`...Ms2000\` is milliseconds since 2000-01-01T00:00:00Z. \`...Minor\` is money in minor units: a
signed 64-bit integer, which may exceed what a double holds exactly. Names of query parameters match without regard to case; an unknown one is
refused, as is a single value given twice. HEAD is answered wherever GET is, OPTIONS on every route.

### Errors

Errors are \`application/problem+json\` (RFC 9457). Decide by \`code\`, which is stable, and \`reason\` where there is one; \`title\` and
\`detail\` are for people. A token that is missing, expired or revoked is 401; a missing right is 403, for the first thing missing of Tab,
permission and scope; an object that is missing, deleted or out of sight is one and the same refusal.

### Rights

\`x-tabs\`: any one of these Tabs is needed. \`x-permissions\`: all of these. \`x-scope\`: how wide a grant must be; \`location\` is any grant that
covers the object.

### Retries

\`Retry-After\` says when a retry can help. A write answered 503, or not at all, may have been committed: read back before trying again. A write
that takes an \`Idempotency-Key\` can be sent again with the same key, and gets its first answer for 24 hours.

### Revisions

A read with a \`revision\` sends it as its \`ETag\`; with \`If-None-Match\` it answers 304 while the revision holds. A write that takes
\`expectedRevision\` is refused with 409 where the object has changed since.

### Limits

Requests of a principal and of an address are counted by the minute and told in \`RateLimit\` and \`RateLimit-Policy\`; beyond is 429.
`.trim();

/** How the version of the interface, which every route carries, is spelled. */
const interfaceVersion = 'v1';

export function createInfo(name: OpenApiDocumentName, version: string): Json {
  return {
    title: titles[name],
    version,
    description: `${introductions[name]}\n\n${conventions}`,
    license: { name: 'MIT', identifier: 'MIT' },
    'x-interface-version': interfaceVersion,
  };
}

const serverVariables = {
  scheme: { enum: ['http', 'https'], default: 'http' },
  tenant: { default: 'sund', description: `Built in: ${builtInTenants.map(({ name }) => name).join(', ')}.` },
  domain: {
    default: 'localhost:8080',
    description: 'Of the deployment; with the port where it is not the scheme’s own.',
  },
};

export const servers: readonly Json[] = [
  { url: '{scheme}://api.{tenant}.{domain}', description: 'Production', variables: serverVariables },
  { url: '{scheme}://beta.api.{tenant}.{domain}', description: 'Beta', variables: serverVariables },
];
