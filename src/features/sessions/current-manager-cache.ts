// Makes the JSON of the current manager, and caches it as long as its principal is cached.

import type { DatabaseAccess, DatabaseAccessIndicator } from '../../database/database-access.ts';
import type { OperationContext } from '../../http/context/operation-context.ts';
import { createPrincipalScope } from '../../http/context/principal-scope.ts';
import type { Principal } from '../../http/context/principal.ts';
import { dayOfMonthAt } from '../icons/day-of-month.ts';
import { isCalendar } from '../icons/rules/current-icon-kid.ts';
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
  const makeJson = async (context: OperationContext, principal: Principal): Promise<string> => {
    const access = await databaseAccess.getAccess(context.tenant.name);
    const places = await readGrantedPlaces(context, principal);
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
  return {
    getJson: (context, principal) => {
      const access = databaseAccess.getAccess(context.tenant.name);
      const cached = jsonByPrincipal.get(principal);
      return cached !== undefined && cached.access === access && isOfToday(cached, context)
        ? cached.json
        : makeJson(context, principal);
    },
  };
}

const isOfToday = ({ dayOfMonth }: CachedJson, context: OperationContext): boolean =>
  dayOfMonth === undefined || dayOfMonth === dayOfMonthAt(context.now);

function readGrantedPlaces(context: OperationContext, principal: Principal) {
  const scope = createPrincipalScope(context, principal);
  return context.read(async (db) => {
    // Sent together.
    const [banks, locations] = await Promise.all([listGrantedBanks(db, scope), listCoveredLocations(db, scope)]);
    return { banks, locations };
  });
}
