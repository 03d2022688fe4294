// The operations that anyone may ask for a picture, found by the target alone: for the express lane, which has no
// framework to find them.

import FindMyWay, { type HTTPVersion, type Instance } from 'find-my-way';
import { limits } from './limits.ts';
import type { PictureOperation } from './operation.ts';
import { routeOf } from './route-of.ts';
import type { Representation } from './representation.ts';
import type { Place } from './tenancy.ts';
import { schemaCompiler, validatorOf } from './validation.ts';

export type FoundPicture = {
  readonly route: string;
  readonly operationId: string;
  /** Throws Problem, or rejects with one, where the picture cannot be had. */
  draw(place: Place): Representation | Promise<Representation>;
};

export type Pictures = {
  /** Whether the target begins as those of pictures do: most do not, and that is soon seen. */
  mayBe(target: string): boolean;
  find(target: string): FoundPicture | undefined;
};

type Stored = {
  readonly route: string;
  readonly operationId: string;
  draw(params: Record<string, string | undefined>, place: Place): Representation | Promise<Representation>;
};

export function picturesOf(operations: readonly PictureOperation[]): Pictures {
  const router: Instance<HTTPVersion.V1> = FindMyWay({ maxParamLength: limits.maxParamLength });
  const compile = schemaCompiler();
  for (const operation of operations) {
    const validate = validatorOf(operation, compile);
    const route = routeOf(operation.path);
    const store: Stored = {
      route,
      operationId: operation.id,
      draw: (params, place) =>
        operation.draw(validate({ params, search: '', body: undefined }, place.tenant.name).params, place),
    };
    router.on('GET', route, () => {}, store);
  }
  const families = new Set(operations.map(({ path }) => familyOf(path)));
  return {
    mayBe: (target) => families.has(familyOf(target)),
    find: (target) => {
      // A picture is described by its path alone.
      if (target.includes('?')) return undefined;
      const found = router.find('GET', target);
      if (found === null) return undefined;
      const { route, operationId, draw } = found.store as Stored;
      return { route, operationId, draw: (place) => draw(found.params, place) };
    },
  };
}

const prefix = '/api/v1/';

/** The first segment behind the prefix. */
const familyOf = (target: string): string => target.slice(prefix.length, target.indexOf('/', prefix.length));
