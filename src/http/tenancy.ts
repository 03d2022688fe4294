// The request's host alone chooses tenant and environment: `api.{tenant}.{domain}` or `beta.api.{tenant}.{domain}`.

import { LRUCache } from 'lru-cache';
import type { IncomingMessage } from 'node:http';
import type { Environment } from '../permissions/scope.ts';
import type { Tenant } from '../tenants.ts';

export type Place = { readonly tenant: Tenant; readonly environment: Environment };

const hostAndPort = /^([a-z0-9.-]{1,253})(?::(\d{1,5}))?$/;

/** Answers a function from a host, as it stands in a request, to the place it names. */
export function placesByHost(tenants: readonly Tenant[], domain: string): (host: string) => Place | undefined {
  const places = new Map<string, Place>();
  for (const tenant of tenants) {
    places.set(`api.${tenant.name}.${domain}`, { tenant, environment: 'production' });
    places.set(`beta.api.${tenant.name}.${domain}`, { tenant, environment: 'beta' });
  }
  const find = (host: string): Place | undefined => {
    const [, name, port] = hostAndPort.exec(host.toLowerCase()) ?? [];
    return name === undefined || Number(port ?? 0) > 65535 ? undefined : places.get(name);
  };
  // Clients repeat the one spelling they know.
  const spelled = new LRUCache<string, Place>({ max: 200 });
  return (host) => {
    const known = spelled.get(host);
    if (known !== undefined) return known;
    const place = find(host);
    if (place !== undefined) spelled.set(host, place);
    return place;
  };
}

/**
 * The one host a request was sent to, or undefined where it names none or more than one. An absolute-form target
 * overrides Host (RFC 9112, 3.2.2); in HTTP/2 `:authority` does, and a Host beside it must agree (RFC 9113, 8.3.1).
 */
export function requestHost(raw: IncomingMessage): string | undefined {
  const { headers, rawHeaders } = raw;
  const authority = headers[':authority'];
  if (typeof authority === 'string') {
    return headers.host === undefined || headers.host === authority ? authority : undefined;
  }
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts !== 1) return undefined;
  return absoluteForm(targetOf(raw))?.authority ?? headers.host;
}

/** The request target as it was sent: by now the router has put its origin form in its place. */
function targetOf({ originalUrl, url = '' }: IncomingMessage & { originalUrl?: string }): string {
  return originalUrl ?? url;
}

/** Splits `http://host/path?query` into its authority and its origin form; undefined for any other form. */
export function absoluteForm(target: string): { authority: string; origin: string } | undefined {
  if (target.startsWith('/')) return undefined;
  const [, authority, rest = ''] = /^https?:\/\/([^/?#]*)([^#]*)/i.exec(target) ?? [];
  if (authority === undefined) return undefined;
  return { authority, origin: rest.startsWith('/') ? rest : `/${rest}` };
}
