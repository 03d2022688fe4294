// Finds the image operation of a request target, for the fast path, which works without the framework's router.

import FindMyWay, { type HTTPVersion, type Instance } from 'find-my-way';
import { limits } from './server/limits.ts';
import type { ImageOperation } from './operation.ts';
import { toRouterPath } from './router-path.ts';
import type { Representation } from './representation.ts';
import type { TenantHost } from './context/tenancy.ts';
import { createSchemaCompiler, createValidator } from './validation.ts';

export type MatchedImageRoute = {
  readonly route: string;
  readonly operationId: string;
  /** Throws a Problem, or rejects with one, where the image cannot be rendered. */
  render(tenantHost: TenantHost, clientAddress: string): Representation | Promise<Representation>;
};

export type ImageRouter = {
  /** A cheap check that most targets fail: whether the target begins like one of an image. */
  mayMatch(target: string): boolean;
  findRoute(target: string): MatchedImageRoute | undefined;
};

type ImageRoute = {
  readonly route: string;
  readonly operationId: string;
  render(
    params: Record<string, string | undefined>,
    tenantHost: TenantHost,
    clientAddress: string,
  ): Representation | Promise<Representation>;
};

export function createImageRouter(operations: readonly ImageOperation[]): ImageRouter {
  const router: Instance<HTTPVersion.V1> = FindMyWay({ maxParamLength: limits.maxParamLength });
  const compile = createSchemaCompiler();
  for (const operation of operations) {
    const validate = createValidator(operation, compile);
    const route = toRouterPath(operation.path);
    const store: ImageRoute = {
      route,
      operationId: operation.id,
      render: (params, tenantHost, clientAddress) => {
        const { params: parsed } = validate({ params, search: '', body: undefined }, tenantHost.tenant.name);
        return operation.render(parsed, tenantHost, clientAddress);
      },
    };
    router.on('GET', route, () => {}, store);
  }
  const firstSegments = new Set(operations.map(({ path }) => firstSegmentOf(path)));
  return {
    mayMatch: (target) => firstSegments.has(firstSegmentOf(target)),
    findRoute: (target) => {
      // An image URL takes no query string.
      if (target.includes('?')) return undefined;
      const found = router.find('GET', target);
      if (found === null) return undefined;
      const { route, operationId, render } = found.store as ImageRoute;
      return {
        route,
        operationId,
        render: (tenantHost, clientAddress) => render(found.params, tenantHost, clientAddress),
      };
    },
  };
}

const apiPrefix = '/api/v1/';

/** The first segment after the prefix. */
const firstSegmentOf = (target: string): string =>
  target.slice(apiPrefix.length, target.indexOf('/', apiPrefix.length));
