// Exchanges counts of requests with the other processes through the database of their tenant. No request waits for it,
// and none fails because of it: while the database does not answer, this process goes on with what it knows.

import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Databases } from '../../database/databases.ts';
import {
  deleteOtherRequestCounts,
  listCountsElsewhere,
  storeRequestCounts,
  type RequestCount,
} from './queries/request-counts.ts';
import type { SharedCount } from './shared-window.ts';

const deadlineMs = 2000;
/** After a failure. */
const pauseMs = 3000;

type CountExchangeOptions = {
  readonly databases: Pick<Databases, 'forTenant'>;
  readonly log: Logger;
  /** Others know that `told` were used here, and have used `usedElsewhere` themselves. */
  readonly onExchanged: (count: SharedCount, told: number, usedElsewhere: number) => void;
};

export function createCountExchange({ databases, log, onExchanged }: CountExchangeOptions) {
  const process = randomBytes(12).toString('base64url');
  /** By tenant. One exchange of a tenant runs at a time, each with all counts that became due meanwhile. */
  const due = new Map<string, Set<SharedCount>>();
  const running = new Map<string, Promise<void>>();
  const pauses = new Map<string, NodeJS.Timeout>();
  const cleanedAt = new Map<string, number>();
  let isClosed = false;

  const takeDue = (tenant: string): SharedCount[] => {
    const counts = [...(due.get(tenant) ?? [])];
    due.delete(tenant);
    return counts.filter(({ endsAtMs }) => endsAtMs > performance.now());
  };
  const exchange = async (tenant: string, counts: readonly SharedCount[]): Promise<void> => {
    const told = counts.map(({ windowStart, principal, usedHere: requests }) => ({ windowStart, principal, requests }));
    const elsewhere = await databases.forTenant(tenant).write({ deadlineMs }, async (db) => {
      await storeRequestCounts(db, process, told);
      return listCountsElsewhere(db, process, told);
    });
    for (const [index, count] of counts.entries())
      onExchanged(count, told[index]?.requests ?? 0, sumOf(elsewhere, count));
  };
  const clean = async (tenant: string, [{ windowStart }]: readonly [SharedCount, ...SharedCount[]]): Promise<void> => {
    if (cleanedAt.get(tenant) === windowStart) return;
    cleanedAt.set(tenant, windowStart);
    await databases.forTenant(tenant).write({ deadlineMs }, (db) => deleteOtherRequestCounts(db, windowStart));
  };
  const run = async (tenant: string): Promise<void> => {
    // The counts of requests that have arrived together become due together.
    await nextTurn();
    for (let counts = takeDue(tenant); isFilled(counts); counts = takeDue(tenant)) {
      try {
        await exchange(tenant, counts);
        await clean(tenant, counts);
      } catch (error) {
        log.warn({ tenant, err: error }, 'requests are counted without those at other processes');
        pause(tenant, counts);
        break;
      }
    }
    running.delete(tenant);
  };
  const start = (tenant: string): void => {
    if (!isClosed && !running.has(tenant) && !pauses.has(tenant)) running.set(tenant, run(tenant));
  };
  const add = (count: SharedCount): void => {
    due.getOrInsertComputed(count.tenant, () => new Set()).add(count);
    start(count.tenant);
  };
  const pause = (tenant: string, counts: readonly SharedCount[]): void => {
    // Those that were exchanged before the failure may be due again already.
    due.set(tenant, new Set([...counts, ...(due.get(tenant) ?? [])]));
    const goOn = (): void => {
      pauses.delete(tenant);
      start(tenant);
    };
    pauses.set(tenant, setTimeout(goOn, pauseMs).unref());
  };

  return {
    add,
    /** Waits for what is under way. */
    close: async () => {
      isClosed = true;
      for (const timer of pauses.values()) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
}

const isFilled = <T>(list: readonly T[]): list is readonly [T, ...T[]] => list.length > 0;

const sumOf = (counts: readonly RequestCount[], { windowStart, principal }: SharedCount): number =>
  counts
    .filter((each) => each.windowStart === windowStart && each.principal === principal)
    .reduce((sum, { requests }) => sum + requests, 0);
