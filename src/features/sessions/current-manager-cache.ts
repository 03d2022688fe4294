// Makes the JSON of the current manager, and caches it as long as its principal is cached.

import type { DatabaseAccess, DatabaseAccessIndicator } from '../../database/database-access.ts';
import type { OperationContext } from '../../http/context/operation-context.ts';
import { createPrincipalScope } from '../../http/context/principal-scope.ts';
import type { Principal } from '../../http/context/principal.ts';
import { dayOfMonthAt } from '../icons/day-of-month.ts';
import { isCalendar } from '../icons/rules/current-icon-kid.ts';
import { listGrantedPlaces, type GrantedPlaces } from '../places/queries/granted-places.ts';
import { listOperationRights, type OperationAccessEntry } from './rules/operation-rights.ts';
import { formatCurrentManager } from './schemas.ts';

export type CurrentManagerCache = {
  /** Not a promise where it is cached. */
  getJson(context: OperationContext, principal: Principal): string | Promise<string>;
  /** Makes it of places that were read just now. */
  makeJson(context: OperationContext, principal: Principal, places: GrantedPlaces): Promise<string>;
};

type CurrentManagerDependencies = {
  readonly databaseAccess: DatabaseAccessIndicator;
  /** Every operation of the service. */
  readonly operations: readonly OperationAccessEntry[];
};

type CachedJson = {
  readonly access: DatabaseAccess;
  /** The day of the month that it shows; undefined where none of its icons is a calendar. */
  readonly dayOfMonth: number | undefined;
  readonly json: string;
};

export function createCurrentManagerCache({
  databaseAccess,
  operations,
}: CurrentManagerDependencies): CurrentManagerCache {
  // A principal is a snapshot of its own, of one tenant and environment: when it is dropped, the entry goes with it.
  const jsonByPrincipal = new WeakMap<Principal, CachedJson>();
  const makeJson: CurrentManagerCache['makeJson'] = async (context, principal, places) => {
    const access = await databaseAccess.getAccess(context.tenant.name);
    const { tenant, environment, now } = context;
    const dayOfMonth = dayOfMonthAt(now);
    const json = JSON.stringify(
      formatCurrentManager({
        tenant,
        environment,
        principal,
        ...places,
        operations: listOperationRights(operations, principal),
        databaseAccess: access,
        dayOfMonth,
      }),
    );
    const icons = [principal.profile.personIcon, ...places.banks.map(({ icon }) => icon)];
    const showsDay = icons.some((icon) => icon !== null && isCalendar(icon));
    jsonByPrincipal.set(principal, { access, dayOfMonth: showsDay ? dayOfMonth : undefined, json });
    return json;
  };
  const readJson = async (context: OperationContext, principal: Principal): Promise<string> => {
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
