// Sends files to be imported, and waits for what becomes of them.

import assert from 'node:assert/strict';
import type { CallOptions, HttpReply } from './call.ts';
import { waitUntil } from './async.ts';
import type { TestService } from './service.ts';

export type FileOptions = CallOptions & {
  readonly kind: string;
  readonly bankId?: number | undefined;
  /** Further parameters of the query. */
  readonly query?: Readonly<Record<string, string>>;
  readonly contentType?: string;
};

export function sendFile(
  { call }: Pick<TestService, 'call'>,
  file: string | Buffer,
  { kind, bankId, query = {}, contentType = 'text/csv', ...options }: FileOptions,
): Promise<HttpReply> {
  const bank = bankId === undefined ? {} : { bankKid: `sund-B${bankId}` };
  const search = new URLSearchParams({ kind, ...bank, ...query });
  return call('POST', `/api/v1/imports?${search.toString()}`, {
    ...options,
    rawBody: file,
    headers: { 'content-type': contentType, ...options.headers },
  });
}

/** The plan, which must have been made. */
export async function planFile(
  service: Pick<TestService, 'call'>,
  file: string | Buffer,
  options: FileOptions,
): Promise<HttpReply['json']> {
  const reply = await sendFile(service, file, options);
  assert.equal(reply.status, 202, reply.text);
  assert.equal(reply.json.state, 'planned', reply.text);
  return reply.json;
}

type ImportService = Pick<TestService, 'call'>;
type Planned = { readonly kid: string; readonly revision: string };

export const importPath = (kid: string): string => `/api/v1/imports/${kid}`;

export async function readImport(
  { call }: ImportService,
  kid: string,
  options: CallOptions,
): Promise<HttpReply['json']> {
  const reply = await call('GET', importPath(kid), options);
  assert.equal(reply.status, 200, reply.text);
  return reply.json;
}

/** The import when its rows are done. */
export async function waitForImport(
  service: ImportService,
  kid: string,
  options: CallOptions,
): Promise<HttpReply['json']> {
  let current: HttpReply['json'];
  await waitUntil(`the end of ${kid}`, async () => {
    current = await readImport(service, kid, options);
    return !['applying', 'undoing'].includes(current.state as string);
  });
  return current;
}

export async function applyPlan(
  service: ImportService,
  { kid, revision }: Planned,
  options: CallOptions,
  approval: object = {},
): Promise<HttpReply['json']> {
  const body = { expectedRevision: revision, ...approval };
  const reply = await service.call('POST', `${importPath(kid)}/apply`, { ...options, body });
  assert.equal(reply.status, 202, reply.text);
  return waitForImport(service, kid, options);
}

export async function undoApplied(
  service: ImportService,
  { kid, revision }: Planned,
  options: CallOptions,
): Promise<HttpReply['json']> {
  const body = { expectedRevision: revision };
  const reply = await service.call('POST', `${importPath(kid)}/undo`, { ...options, body });
  assert.equal(reply.status, 202, reply.text);
  return waitForImport(service, kid, options);
}

export async function listRows(
  { call }: ImportService,
  kid: string,
  options: CallOptions,
  query = 'limit=200',
): Promise<HttpReply['json'][]> {
  const reply = await call('GET', `${importPath(kid)}/rows?${query}`, options);
  assert.equal(reply.status, 200, reply.text);
  return reply.json.items;
}

/** Rows of CSV, parted by semicolons. */
export const csvOf = (...rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.join(';')}\r\n`).join('');
