// Reads the sources of the tenant status at the same time, each on its own connection, so that a failure of one does
// not affect the others.

import type { Logger } from 'pino';
import type { Db } from '../../database/db.ts';
import { StorageError } from '../../database/errors.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import { PreparedJson } from '../../http/representations/results.ts';
import { Problem } from '../../lib/problem.ts';
import { pairItems } from '../../lib/values/pair-items.ts';
import { SharedReads } from '../../lib/caches/shared-reads.ts';
import { createTenantCacheKey } from '../../lib/caches/tenant-cache.ts';
import { formatGrants } from '../../permissions/coverage.ts';
import type { Scope } from '../../permissions/scope.ts';
import { dayOfMonthAt } from '../icons/rules/day-of-month.ts';
import { listClockWrongComputers, listSyncStaleComputers } from './queries/sync-stale-computers.ts';
import { listHeldLineUnits } from './queries/held-line-units.ts';
import { listOfflineUnits } from './queries/offline-units.ts';
import { listOutOfOrderUnits } from './queries/out-of-order-units.ts';
import type { AlertUnitRow, LookupOptions } from './queries/visible-units.ts';
import { compareAlerts, type StatusKind } from './rules/status-kinds.ts';
import { createItemFormatter, toTenantStatus, type StatusAlert } from './answers.ts';
import {
  statusSourceUnavailable,
  type TenantStatus,
  type TenantStatusItem,
  type TenantStatusSource,
} from './schemas.ts';

export type StatusReading = {
  /** MS2000. */
  readonly measuredAt: number;
  readonly sources: readonly TenantStatusSource[];
  /** The items of all sources, in the order of the response. */
  readonly items: readonly TenantStatusItem[];
};

type Lookup = (db: Db, scope: Scope, options: LookupOptions) => Promise<StatusAlert[]>;

const lookups: readonly (readonly [kind: StatusKind, lookUp: Lookup])[] = [
  ['Offline', toAlerts('Offline', listOfflineUnits)],
  ['AutoOutOfOrder', lookUpOutOfOrder],
  ['HeldLines', toAlerts('HeldLines', (db, scope, { limit }) => listHeldLineUnits(db, scope, limit))],
  ['ClockWrong', toAlerts('ClockWrong', listClockWrongComputers)],
  ['SyncStale', toAlerts('SyncStale', listSyncStaleComputers)],
];

/** Both read at most `limit` items of each source, and throw 503 if no source could be read. */
export type StatusReader = {
  read(context: ManagerContext, limit: number): Promise<StatusReading>;
  /** All items as they are sent; of one kind, only its source is read. */
  readJson(context: ManagerContext, limit: number, kind?: StatusKind): Promise<PreparedJson<TenantStatus>>;
};

/** Requests that come at the same time for the same grants, language, limit and kind share one reading, or its text. */
export function createStatusReader(log: Logger): StatusReader {
  const sharedReadings = new SharedReads<StatusReading>();
  const sharedTexts = new SharedReads<PreparedJson<TenantStatus>>();
  return {
    read: (context, limit) =>
      sharedReadings.get(keyOf(context, limit), () => readStatus(context, { limit, asked: lookups }, log)),
    readJson: (context, limit, kind) =>
      sharedTexts.get(keyOf(context, limit, kind), async () => {
        const asked = kind === undefined ? lookups : lookups.filter(([each]) => each === kind);
        const reading = await readStatus(context, { limit, asked }, log);
        const status = toTenantStatus(reading, reading.items);
        const text = JSON.stringify(status);
        // A monitor that polls learns of what has changed, and not of each time that was looked.
        return new PreparedJson(text, undefined, text.replace(status.measuredAtUtc, ''));
      }),
  };
}

const keyOf = ({ scope, language }: ManagerContext, limit: number, kind = '') =>
  createTenantCacheKey(scope, language, limit, kind, formatGrants(scope.grants));

async function readStatus(
  context: ManagerContext,
  { limit, asked }: { readonly limit: number; readonly asked: typeof lookups },
  log: Logger,
): Promise<StatusReading> {
  const { scope, now, language } = context;
  // One further row shows whether there are more.
  const options = { now, limit: limit + 1 };
  const results = await Promise.allSettled(asked.map(([, lookUp]) => context.read((db) => lookUp(db, scope, options))));
  const failures = pairItems(asked, results).flatMap(([[kind], result]) =>
    result.status === 'rejected' ? [{ kind, err: result.reason as unknown }] : [],
  );
  for (const failure of failures) logFailure(log, failure, context);
  if (failures.length === results.length) throw new Problem('tenant-status-unavailable', { cause: failures[0]?.err });
  const found = results.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
  const formatItem = createItemFormatter({ tenant: scope.tenant, language, dayOfMonth: dayOfMonthAt(now) });
  const alerts = found.flatMap((each = []) => each.slice(0, limit));
  const entries = alerts.map((alert) => {
    const item = formatItem(alert);
    return { at: alert.at, kind: alert.kind, kid: item.kid, item };
  });
  return {
    measuredAt: now,
    sources: pairItems(asked, found).map(([[kind], each]) => toSource(kind, each, limit)),
    items: entries.toSorted(compareAlerts).map(({ item }) => item),
  };
}

type Failure = { readonly kind: StatusKind; readonly err: unknown };

function logFailure(log: Logger, { kind, err }: Failure, { scope, requestId, trace }: ManagerContext): void {
  // Any other error is a defect.
  const level = err instanceof StorageError ? 'warn' : 'error';
  const { tenant } = scope;
  log[level]({ err, tenant, requestId, traceId: trace.traceId, kind }, 'a source of the tenant status failed');
}

const toSource = (kind: StatusKind, found: readonly StatusAlert[] | undefined, limit: number): TenantStatusSource =>
  found === undefined
    ? { kind, count: 0, hasMore: false, errorCode: statusSourceUnavailable }
    : { kind, count: Math.min(found.length, limit), hasMore: found.length > limit, errorCode: null };

async function lookUpOutOfOrder(db: Db, scope: Scope, { limit }: LookupOptions): Promise<StatusAlert[]> {
  const units = await listOutOfOrderUnits(db, scope, limit);
  return units.map((unit) => ({
    kind: 'AutoOutOfOrder',
    at: unit.changed_at,
    errorId: Number(unit.error_id),
    errorText: unit.error_text,
    unit,
  }));
}

/** The alerts of a kind that has neither the number nor the text of an error. */
function toAlerts(
  kind: StatusKind,
  list: (db: Db, scope: Scope, options: LookupOptions) => Promise<AlertUnitRow[]>,
): Lookup {
  return async (db, scope, options) => {
    const units = await list(db, scope, options);
    return units.map((unit) => ({ kind, at: unit.alert_at, errorId: null, errorText: null, unit }));
  };
}
