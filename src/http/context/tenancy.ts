// Finds tenant and environment by the host of a request: `api.{tenant}.{domain}` or `beta.api.{tenant}.{domain}`.

import { LRUCache } from 'lru-cache';
import type { IncomingMessage } from 'node:http';
import type { Environment } from '../../permissions/scope.ts';
import type { Tenant } from '../../tenants.ts';

export type TenantHost = { readonly tenant: Tenant; readonly environment: Environment };

const hostAndPort = /^([a-z0-9.-]{1,253})(?::(\d{1,5}))?$/;

/** Creates the function that finds the tenant of a host. */
export function tenantHosts(tenants: readonly Tenant[], domain: string): (host: string) => TenantHost | undefined {
  const tenantHostByName = new Map<string, TenantHost>();
  for (const tenant of tenants) {
    tenantHostByName.set(`api.${tenant.name}.${domain}`, { tenant, environment: 'production' });
    tenantHostByName.set(`beta.api.${tenant.name}.${domain}`, { tenant, environment: 'beta' });
  }
  const find = (host: string): TenantHost | undefined => {
    const [, name, port] = hostAndPort.exec(host.toLowerCase()) ?? [];
    return name === undefined || Number(port ?? 0) > 65535 ? undefined : tenantHostByName.get(name);
  };
  // A client always writes its host in the same way.
  const tenantHostCache = new LRUCache<string, TenantHost>({ max: 200 });
  return (host) => {
    const known = tenantHostCache.get(host);
    if (known !== undefined) return known;
    const tenantHost = find(host);
    if (tenantHost !== undefined) tenantHostCache.set(host, tenantHost);
    return tenantHost;
  };
}

/**
 * The host that a request was sent to; undefined if it names none or more than one. An absolute-form target overrides
 * Host (RFC 9112, 3.2.2); in HTTP/2 `:authority` does, and an additional Host must agree (RFC 9113, 8.3.1).
 */
export function readRequestHost(raw: IncomingMessage): string | undefined {
  const { headers, rawHeaders } = raw;
  const authority = headers[':authority'];
  if (typeof authority === 'string') {
    return headers.host === undefined || headers.host === authority ? authority : undefined;
  }
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts !== 1) return undefined;
  return parseAbsoluteForm(requestTargetOf(raw))?.authority ?? headers.host;
}

/** The request target as it was sent: the router replaces `url` by its origin form. */
function requestTargetOf({ originalUrl, url = '' }: IncomingMessage & { originalUrl?: string }): string {
  return originalUrl ?? url;
}

/** Splits `http://host/path?query` into its authority and its origin form; undefined for any other form. */
export function parseAbsoluteForm(target: string): { authority: string; origin: string } | undefined {
  if (target.startsWith('/')) return undefined;
  const [, authority, rest = ''] = /^https?:\/\/([^/?#]*)([^#]*)/i.exec(target) ?? [];
  if (authority === undefined) return undefined;
  return { authority, origin: rest.startsWith('/') ? rest : `/${rest}` };
}
