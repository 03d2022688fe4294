// The head of each document: title, version, conventions and servers.

import { builtInTenants } from '../../tenants.ts';
import type { OpenApiDocumentName } from '../operations/operation.ts';
import type { Json } from './components.ts';

/** The documents that the specification names, and one with all operations. */
export type DocumentName = OpenApiDocumentName | 'all';

export const documentTitles: Record<DocumentName, string> = {
  all: 'All of v1',
  public: 'Public v1 (no login)',
  downloads: 'Downloads v1',
  portal: 'Portal integrations v1',
  equipment: 'Equipment v1',
};

const introductions: Record<DocumentName, string> = {
  all: 'Every operation of Public v1 (no login), Downloads v1 and Portal integrations v1, for clients that use more than one of them.',
  public: 'What anyone can read, without a login.',
  downloads: 'Files that a manager can download. LoginManager is in Portal integrations v1.',
  portal:
    'Login, and the operations of managers. Operations without a login are in Public v1 (no login), files in Downloads v1. The split does not affect routes, operation ids or rights.',
  equipment:
    'What the computers in laundries call: they send what happened at machines, doors and meters, and read what these must know. [docs/equipment.md](equipment.md) explains the protocol.',
};

const conventions = `
### Hosts

The host chooses tenant and environment: \`api.{tenant}.{domain}\` is production, \`beta.api.{tenant}.{domain}\` is beta. Both use
the same data. A token is valid only on the host that issued it. Any other host gets \`unknown-host\`.

### KIDs

Objects are identified by KIDs, such as \`sund-B1001-L1-U1\`. Each object has exactly one KID. Any other spelling, or a KID of another
tenant, is refused with \`invalid-kid\`.

### Values

\`...Utc\` is an RFC 3339 instant in UTC. \`...Ms2000\` is milliseconds since 2000-01-01T00:00:00Z. \`...Minor\` is money in minor units: a
signed 64-bit integer, which may be larger than a double can hold exactly. Names of query parameters are not case-sensitive. Unknown
parameters, and repeated parameters, are refused. Every GET route also supports HEAD, with the status and header fields of the GET (also
of a 429); every route supports OPTIONS, which answers \`Allow\`. The documents leave both out.

### Errors

Errors are \`application/problem+json\` (RFC 9457). Use \`code\` in programs, and \`reason\` if there is one: both are stable. \`title\` and
\`detail\` are for people. A token that is missing, expired or revoked is 401. A missing right is 403, whose \`reason\` names the first missing one of
Tab (\`missing-tab\`), permission (such as \`missing-bank-read\`) and grant (\`too-narrow\`). An object that is missing, deleted or not visible to the manager gives the same problem.
A client whose \`Accept\` names \`text/html\` and prefers it to JSON, as browsers do, gets the same facts as a page.

### Rights

\`x-tabs\`: any one of these Tabs is enough. \`x-permissions\`: all of these are needed. \`x-scope\`: the grant level that is needed;
\`location\` is any grant that covers the object. If the needs depend on a path parameter, \`x-needs-by-parameter\` lists them for each type of KID or for some words;
the other fields are the needs of every object or of every other word.

### Retries

\`Retry-After\` says how long to wait before a retry. If a write gets 503 or no response, it may have been committed: read the object before
you retry. A write that takes an \`Idempotency-Key\` can be sent again with the same key: if it was committed, it gets its first response for
24 hours, as long as the manager could still make the request; otherwise it is carried out. While the first request is being handled, the
second gets 409 \`idempotency-in-progress\` or waits; if the process that handled it was stopped, for a minute at most. Writes that concern services, and those that take or return a password
or a token, accept no \`Idempotency-Key\`: the stored response would contain the secret or data about it.

### Revisions and conditional requests

What managers read has an \`ETag\`, which changes with everything that is shown and begins with the \`revision\` if there is one. With
\`If-None-Match\` the response is 304 if nothing has changed. A write that takes \`expectedRevision\` is refused with 409 if the object has
changed since. The same revision can be sent in quotes as \`If-Match\` instead: the refusal is then 412.

### Compression

JSON, SVG and CSV from 1 KB on are compressed with zstd, br or gzip for clients that ask for it in \`Accept-Encoding\`. The \`ETag\` of a
compressed response is weak (\`W/"..."\`); \`If-None-Match\` takes either form. A response with a token is never compressed. Request bodies
must not be compressed (415).

### Limits

Requests of a principal and of a client address are counted per minute and reported in \`RateLimit\` and \`RateLimit-Policy\`. Above the
limit the response is 429.
`.trim();

/** The version of the interface, as in the path of every route. */
const interfaceVersion = 'v1';

export function createInfo(name: DocumentName, version: string): Json {
  return {
    title: documentTitles[name],
    version,
    description: `${introductions[name]}\n\n${conventions}`,
    contact: { name: 'The operator of the portal' },
    license: { name: 'MIT', identifier: 'MIT' },
    'x-interface-version': interfaceVersion,
  };
}

const serverVariables = {
  scheme: { enum: ['http', 'https'], default: 'http' },
  tenant: { default: 'sund', description: `Built-in tenants: ${builtInTenants.map(({ name }) => name).join(', ')}.` },
  domain: {
    default: 'localhost:8080',
    description: 'Domain of the deployment, with the port if it is not the default.',
  },
};

/** The servers of a document that was not fetched from one of them. */
export const placeholderServers: readonly Json[] = [
  { url: '{scheme}://api.{tenant}.{domain}', description: 'Production', variables: serverVariables },
  { url: '{scheme}://beta.api.{tenant}.{domain}', description: 'Beta', variables: serverVariables },
];

/** The groups of operations are the tags of the documents. */
const tagDescriptions: Readonly<Record<string, string>> = {
  Session: 'Log in and out, and read what the manager may do.',
  Profile: 'What managers change of themselves: profile, theme, email address and password.',
  Public: 'What anyone can read about a tenant.',
  'Locations and units': 'Banks, their locations, and the units in them with their settings, states and opening hours.',
  Documents: 'What units did in a run, or measured in a month: a search, tables, files and graphs.',
  Account: 'What residents consumed and paid: postings, totals, exports and reversals.',
  Bookings: 'Bookings of units, the commands on them, and the rules that they follow.',
  Residents: 'Residents of a bank.',
  Installers: 'Who services units, and where.',
  Services: 'The fixed service identities of a tenant: names, icons and API keys.',
  Computers:
    'The computers through which units are connected: their codes, their units, and what became of what they sent.',
  Imports: 'Data that come in from files, and go out to them: plans, what became of them, profiles and exports.',
  Managers: 'Managers of the tenant, and what they may do.',
  Addresses: 'Addresses and coordinates of banks, locations, units and residents, and where coordinates come from.',
  Settlements: 'The settlement periods of a bank, and their archives.',
  Equipment: 'What computers send and read.',
  'Tenant status': 'Units that are offline or out of order.',
  Hosting: 'The runtime logs and measurements of the service, its companions and its database.',
  Diagnostics: 'What the programs of the portal did lately.',
  'Audit log': 'Who changed or exported what, and when.',
  'App download': 'The app for Windows: a page, its installer and its packages.',
  Logos: 'The brand as SVG images.',
  Gradients: 'Linear gradients as SVG images.',
  Circles: 'Round gradients, progress and activity as SVG images.',
  Icons: 'Icons as SVG and raster images, and the KIDs that describe them.',
};

type Tag = { readonly name: string; readonly description?: string };

export function tagOf(group: string): Tag {
  const description = tagDescriptions[group];
  return description === undefined ? { name: group } : { name: group, description };
}
