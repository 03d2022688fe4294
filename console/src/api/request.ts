// What is sent for an operation, and where: the same request, whoever sends it.

import { addresses } from './operations.ts';
import { writeJson } from './read-json.ts';

export type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/** The reader as whom a request is sent, and the language. */
export type Reader = { readonly token: string | undefined; readonly language: string };

export type SendOptions = {
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly key?: string | undefined;
};

export function requestOf(
  id: keyof typeof addresses,
  input: Values,
  { token, language }: Reader,
  { body, signal, key }: SendOptions = {},
): { readonly url: string; readonly init: RequestInit } {
  const [method = 'GET', path = ''] = addresses[id].split(' ');
  const headers: Record<string, string> = { 'accept-language': language };
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  if (key !== undefined) headers['idempotency-key'] = key;
  const octets = body instanceof Blob;
  if (body !== undefined) headers['content-type'] = octets ? 'application/octet-stream' : 'application/json';
  return {
    url: addressOf(path, input),
    init: {
      method,
      headers,
      body: body === undefined || octets ? (body ?? null) : writeJson(body),
      signal: signal ?? null,
      credentials: 'omit',
      cache: 'no-store',
    },
  };
}

/** Placeholders of the path take their values by name; the others become the query. */
function addressOf(path: string, input: Values): string {
  const inPath = new Set<string>();
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name);
    return encodeURIComponent(String(input[name] ?? ''));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input))
    if (value !== undefined && !inPath.has(name)) query.set(name, String(value));
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}
