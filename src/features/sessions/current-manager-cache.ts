// Makes the JSON of the current manager, and caches it as long as its principal is cached.

import type { DatabaseAccess, DatabaseAccessIndicator } from '../../database/database-access.ts';
import type { OperationContext } from '../../http/context/operation-context.ts';
import { createPrincipalScope } from '../../http/context/principal-scope.ts';
import type { Principal } from '../../http/context/principal.ts';
import { listCoveredLocations, listGrantedBanks } from '../places/queries/granted-places.ts';
import { listOperationRights, type OperationAccessEntry } from './rules/operation-rights.ts';
import { formatCurrentManager } from './schemas.ts';

export type CurrentManagerCache = {
  /** Not a promise where it is cached. */
  getJson(context: OperationContext, principal: Principal): string | Promise<string>;
};

type CurrentManagerDependencies = {
  readonly databaseAccess: DatabaseAccessIndicator;
  /** Every operation of the service. */
  readonly operations: readonly OperationAccessEntry[];
};

type CachedJson = { readonly access: DatabaseAccess; readonly json: string };

export function createCurrentManagerCache({
  databaseAccess,
  operations,
}: CurrentManagerDependencies): CurrentManagerCache {
  // A principal is a snapshot of its own: when it is dropped, the entry goes with it.
  const jsonByPrincipal = new WeakMap<Principal, CachedJson>();
  const makeJson = async (context: OperationContext, principal: Principal): Promise<string> => {
    const access = await databaseAccess.getAccess(context.tenant.name);
    const places = await readGrantedPlaces(context, principal);
    const { tenant, environment } = context;
    const json = JSON.stringify(
      formatCurrentManager({
        tenant,
        environment,
        principal,
        ...places,
        operations: listOperationRights(operations, principal),
        databaseAccess: access,
      }),
    );
    jsonByPrincipal.set(principal, { access, json });
    return json;
  };
  return {
    getJson: (context, principal) => {
      const access = databaseAccess.getAccess(context.tenant.name);
      const cached = jsonByPrincipal.get(principal);
      return cached !== undefined && cached.access === access ? cached.json : makeJson(context, principal);
    },
  };
}

function readGrantedPlaces(context: OperationContext, principal: Principal) {
  const scope = createPrincipalScope(context, principal);
  return context.read(async (db) => {
    const banks = await listGrantedBanks(db, scope);
    const bankIds = banks.map(({ bank_id }) => bank_id);
    return { banks, locations: await listCoveredLocations(db, scope, bankIds) };
  });
}
