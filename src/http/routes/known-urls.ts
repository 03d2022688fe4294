// Knows every URL that has a route, so that a request with a method that the URL lacks gets 405 instead of 404. A
// framework route for each such method would slow down the start.

import type { RouteOptions } from 'fastify';
import FindMyWay, { type HTTPVersion, type Instance } from 'find-my-way';
import type { RouteInfo } from '../requests/request-context.ts';
import { formatAllow } from './options-route.ts';
import { limits } from '../limits/limits.ts';

export type KnownUrls = ReturnType<typeof createKnownUrls>;

export function createKnownUrls() {
  const router: Instance<HTTPVersion.V1> = FindMyWay({ maxParamLength: limits.maxParamLength });
  const methodsByUrl = new Map<string, string[]>();
  return {
    add: ({ url, method }: Pick<RouteOptions, 'url' | 'method'>, info: RouteInfo): void => {
      // A route that answers OPTIONS on every path makes no path known.
      if (url === '*') return;
      const methods = methodsByUrl.get(url) ?? [];
      methods.push(...[method].flat());
      if (methodsByUrl.has(url)) return;
      methodsByUrl.set(url, methods);
      router.on('GET', url, () => {}, { url, info });
    },
    /** The route, and the Allow field; undefined if no route has the path. */
    find: (path: string) => {
      const found = router.find('GET', path);
      if (found === null) return undefined;
      const { url, info } = found.store as { readonly url: string; readonly info: RouteInfo };
      const declared = (methodsByUrl.get(url) ?? []).filter((method) => method !== 'OPTIONS' && method !== 'HEAD');
      // A refused method belongs to no operation.
      return { route: { ...info, operationId: undefined }, allow: formatAllow(declared) };
    },
  };
}
