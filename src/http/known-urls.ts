// Knows every URL that has a route, for the requests whose method it does not have: they are 405 and not 404. A route of
// the framework for each such method would make a start take longer.

import type { RouteOptions } from 'fastify';
import FindMyWay, { type HTTPVersion, type Instance } from 'find-my-way';
import type { RouteInfo } from './context/request-context.ts';
import { formatAllow } from './options-route.ts';
import { limits } from './server/limits.ts';

export type KnownUrl = {
  readonly route: RouteInfo;
  /** The Allow field. */
  readonly allow: string;
};

export type KnownUrls = {
  add(route: Pick<RouteOptions, 'url' | 'method'>, info: RouteInfo): void;
  /** Undefined where no route has the path. */
  find(path: string): KnownUrl | undefined;
};

export function createKnownUrls(): KnownUrls {
  const router: Instance<HTTPVersion.V1> = FindMyWay({ maxParamLength: limits.maxParamLength });
  const methodsByUrl = new Map<string, string[]>();
  return {
    add: ({ url, method }, info) => {
      // What answers OPTIONS alone on every path makes none of them known.
      if (url === '*') return;
      const methods = methodsByUrl.get(url) ?? [];
      methods.push(...[method].flat());
      if (methodsByUrl.has(url)) return;
      methodsByUrl.set(url, methods);
      router.on('GET', url, () => {}, { url, info });
    },
    find: (path) => {
      const found = router.find('GET', path);
      if (found === null) return undefined;
      const { url, info } = found.store as { readonly url: string; readonly info: RouteInfo };
      const declared = (methodsByUrl.get(url) ?? []).filter((method) => method !== 'OPTIONS' && method !== 'HEAD');
      // An operation's name is not of those that it refuses.
      return { route: { ...info, operationId: undefined }, allow: formatAllow(declared) };
    },
  };
}
