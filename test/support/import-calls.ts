// Imports rows that a test lists cell by cell, and reads what is exported the same way.

import assert from 'node:assert/strict';
import type { HttpReply } from './call.ts';
import { applyPlan, listRows, planFile, readImport, sendFile, undoApplied } from './imports.ts';
import type { TestService } from './service.ts';

type Json = HttpReply['json'];
type Caller = Pick<TestService, 'call'>;

export type ImportRequest = {
  readonly kind: string;
  readonly bankId?: number | undefined;
  readonly token: string;
  /** Cells by row, the names of the columns first. */
  readonly rows: readonly (readonly string[])[];
};

const formatCell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const formatFile = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map(formatCell).join(',')}\n`).join('');

const optionsOf = ({ kind, bankId, token }: ImportRequest) => ({ kind, bankId, token, query: { separator: ',' } });

export const sendRows = (service: Caller, request: ImportRequest): Promise<HttpReply> =>
  sendFile(service, formatFile(request.rows), optionsOf(request));

export const planRows = (service: Caller, request: ImportRequest): Promise<Json> =>
  planFile(service, formatFile(request.rows), optionsOf(request));

export const readRows = (service: Caller, kid: string, token: string): Promise<Json[]> =>
  listRows(service, kid, { token });

/** Plans and applies a file of which every row can be applied. Returns its rows. */
export async function importRows(service: Caller, request: ImportRequest): Promise<{ kid: string; items: Json[] }> {
  const { token } = request;
  const planned = await planRows(service, request);
  const applied = await applyPlan(service, planned, { token });
  const items = await readRows(service, planned.kid, token);
  assert.equal(applied.state, 'applied', JSON.stringify([applied, items]));
  return { kid: planned.kid, items };
}

export async function applyImport(service: Caller, kid: string, token: string): Promise<Json> {
  return applyPlan(service, await readImport(service, kid, { token }), { token });
}

export async function undoImport(service: Caller, kid: string, token: string): Promise<Json> {
  return undoApplied(service, await readImport(service, kid, { token }), { token });
}

type Exported = Omit<ImportRequest, 'rows'>;

/** The rows of an export, the names of the columns first. */
export async function exportRows({ call }: Caller, { kind, bankId, token }: Exported): Promise<string[][]> {
  const bank = bankId === undefined ? '' : `&bankKid=sund-B${bankId}`;
  const { status, text } = await call('GET', `/api/v1/exports/${kind}?for=programs${bank}`, { token });
  assert.equal(status, 200, text);
  const lines = text.replace('\uFEFF', '').split('\r\n').filter(Boolean);
  return lines.map((line) =>
    Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain = '']) =>
      quoted === undefined ? plain : quoted.replaceAll('""', '"'),
    ),
  );
}
