// Formats the JSON of the current manager, and caches it as long as the principal is cached.

import type { DatabaseAccess, DatabaseAccessIndicator } from '../../../database/checks/database-access.ts';
import type { OperationContext } from '../../../http/context/operation-context.ts';
import { createPrincipalScope } from '../../../http/context/principal-scope.ts';
import type { Principal } from '../../../http/context/principal.ts';
import { PreparedJson } from '../../../http/representations/results.ts';
import { dayOfMonthAt } from '../../icons/rules/day-of-month.ts';
import { isCalendar } from '../../icons/rules/current-icon-kid.ts';
import { listGrantedPlaces, type GrantedPlaces } from '../../places/queries/granted-places.ts';
import { toCurrentManager } from '../answers.ts';
import type { CurrentManager } from '../schemas.ts';
import { isAuthorized } from '../../../http/requests/authorize.ts';
import type { Operation } from '../../../http/operations/operation.ts';
import { isOfComputers } from '../../../http/operations/operation-properties.ts';
import type { Rights } from '../../../permissions/needs.ts';

type CurrentManagerJson = PreparedJson<CurrentManager>;

export type CurrentManagerCache = {
  /** Not a promise if it is cached. */
  getJson(context: OperationContext, principal: Principal): CurrentManagerJson | Promise<CurrentManagerJson>;
  /** Formats it from places that were just read. */
  makeJson(context: OperationContext, principal: Principal, places: GrantedPlaces): Promise<CurrentManagerJson>;
};

type CurrentManagerDependencies = {
  readonly databaseAccess: DatabaseAccessIndicator;
  /** Every operation of the service. */
  readonly operations: readonly OperationAccessEntry[];
};

type CachedJson = {
  readonly access: DatabaseAccess;
  /** The day of the month that it shows; undefined if none of its icons is a calendar. */
  readonly dayOfMonth: number | undefined;
  readonly json: CurrentManagerJson;
};

export function createCurrentManagerCache({
  databaseAccess,
  operations,
}: CurrentManagerDependencies): CurrentManagerCache {
  // Each principal is a snapshot for one tenant and environment. When it is dropped, its entry is dropped as well.
  const jsonByPrincipal = new WeakMap<Principal, CachedJson>();
  const makeJson: CurrentManagerCache['makeJson'] = async (context, principal, places) => {
    const access = await databaseAccess.getAccess(context.tenant.name);
    const { tenant, environment, now } = context;
    const dayOfMonth = dayOfMonthAt(now);
    const manager = toCurrentManager({
      tenant,
      environment,
      principal,
      ...places,
      operations: listOperationRights(operations, principal),
      databaseAccess: access,
      dayOfMonth,
    });
    const json = new PreparedJson<CurrentManager>(JSON.stringify(manager));
    const icons = [principal.profile.personIcon, ...places.banks.map(({ icon }) => icon)];
    const showsDay = icons.some((icon) => icon !== null && isCalendar(icon));
    jsonByPrincipal.set(principal, { access, dayOfMonth: showsDay ? dayOfMonth : undefined, json });
    return json;
  };
  const readJson = async (context: OperationContext, principal: Principal): Promise<CurrentManagerJson> => {
    const scope = createPrincipalScope(context, principal);
    return makeJson(context, principal, await context.read((db) => listGrantedPlaces(db, scope)));
  };
  return {
    makeJson,
    getJson: (context, principal) => {
      const access = databaseAccess.getAccess(context.tenant.name);
      const cached = jsonByPrincipal.get(principal);
      return cached !== undefined && cached.access === access && isOfToday(cached, context)
        ? cached.json
        : readJson(context, principal);
    },
  };
}

const isOfToday = ({ dayOfMonth }: CachedJson, context: OperationContext): boolean =>
  dayOfMonth === undefined || dayOfMonth === dayOfMonthAt(context.now);

type OperationAccessEntry = Pick<Operation, 'id' | 'access' | 'openApiDocuments'>;

/** For each operation id, whether the rights are enough for at least one object. */
const listOperationRights = (operations: readonly OperationAccessEntry[], rights: Rights): Record<string, boolean> =>
  Object.fromEntries(
    operations.flatMap((operation) => {
      const { id, access } = operation;
      if (access === 'computer' || isOfComputers(operation)) return [];
      return [[id, access === 'anyone' || isAuthorized(access, rights)]];
    }),
  );
