// The operations that anyone may ask for a picture, found by the target alone: for the express lane, which has no
// framework to find them.

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
  /** Throws Problem, or rejects with one, where the picture cannot be had. */
  render(place: TenantHost): Representation | Promise<Representation>;
};

export type ImageRouter = {
  /** Whether the target begins as those of pictures do: most do not, and that is soon seen. */
  mayMatch(target: string): boolean;
  findRoute(target: string): MatchedImageRoute | undefined;
};

type ImageRoute = {
  readonly route: string;
  readonly operationId: string;
  render(params: Record<string, string | undefined>, place: TenantHost): Representation | Promise<Representation>;
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
      render: (params, place) =>
        operation.render(validate({ params, search: '', body: undefined }, place.tenant.name).params, place),
    };
    router.on('GET', route, () => {}, store);
  }
  const firstSegments = new Set(operations.map(({ path }) => firstSegmentOf(path)));
  return {
    mayMatch: (target) => firstSegments.has(firstSegmentOf(target)),
    findRoute: (target) => {
      // A picture is described by its path alone.
      if (target.includes('?')) return undefined;
      const found = router.find('GET', target);
      if (found === null) return undefined;
      const { route, operationId, render } = found.store as ImageRoute;
      return { route, operationId, render: (place) => render(found.params, place) };
    },
  };
}

const apiPrefix = '/api/v1/';

/** The first segment behind the prefix. */
const firstSegmentOf = (target: string): string =>
  target.slice(apiPrefix.length, target.indexOf('/', apiPrefix.length));
