// The general rate limit: requests per minute of a client address, and of a principal. Every response reports both in
// the RateLimit fields (draft-ietf-httpapi-ratelimit-headers).

import type { Logger } from 'pino';
import type { Databases } from '../../database/databases.ts';
import type { RateLimit } from '../../setting-parsers.ts';
import { Problem } from '../../lib/problem.ts';
import { createCountExchange } from './count-exchange.ts';
import { FixedWindow, type WindowState } from './fixed-window.ts';
import { appendToListHeader, type HeaderTarget } from '../protocol/list-header.ts';
import { SharedWindow } from './shared-window.ts';

export type RateLimiter = {
  /** Counts a request and sets the header fields. Throws a Problem if the limit is used up. */
  countAddress(address: string, reply: HeaderTarget): void;
  countPrincipal(tenant: string, principal: string, reply: HeaderTarget): void;
  /**
   * Counts a request of an address, for a caller that writes the header fields itself. Returns their names and values,
   * alternating, or undefined if the limit is used up.
   */
  tryCountAddress(address: string): readonly string[] | undefined;
  /** Waits for counts that are being exchanged with other processes. */
  close(): Promise<void>;
};

/** The parts that find other processes which count the same principals. */
type Sharing = {
  readonly databases: Pick<Databases, 'forTenant'>;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly clock: () => number;
};

/** This process is alone if there is no `sharing`. */
export function createRateLimiter(limit: RateLimit | undefined, sharing?: Sharing): RateLimiter {
  if (limit === undefined)
    return { countAddress: () => {}, countPrincipal: () => {}, tryCountAddress: () => [], close: async () => {} };
  const addresses = new FixedWindow(limit.addressPerMinute, 60);
  const addressReporter = createReporter('address', addresses);
  const principals = createPrincipalWindow(limit.principalPerMinute, sharing);
  const principalReporter = createReporter('principal', principals);
  return {
    countAddress: (address, reply) => addressReporter.report(addresses.take(address), reply),
    countPrincipal: (tenant, principal, reply) => principalReporter.report(principals.take(tenant, principal), reply),
    tryCountAddress: (address) => {
      const state = addresses.take(address);
      return state.allowed ? addressReporter.fieldsOf(state) : undefined;
    },
    close: principals.close,
  };
}

type Window = { readonly limit: number; readonly windowSeconds: number };

type PrincipalWindow = Window & { take(tenant: string, principal: string): WindowState; close(): Promise<void> };

function createPrincipalWindow(limit: number, sharing: Sharing | undefined): PrincipalWindow {
  if (sharing === undefined) {
    const window = new FixedWindow(limit, 60);
    const take: PrincipalWindow['take'] = (tenant, principal) => window.take(`${tenant}/${principal}`);
    return { limit, windowSeconds: 60, take, close: async () => {} };
  }
  const { databases, log, clock } = sharing;
  const window = new SharedWindow(limit, { clock, onDue: (count) => exchange.add(count) });
  const exchange = createCountExchange({
    databases,
    log,
    onExchanged: (count, told, usedElsewhere) => window.exchanged(count, told, usedElsewhere),
  });
  const take: PrincipalWindow['take'] = (tenant, principal) => window.take(tenant, principal);
  return { limit, windowSeconds: window.windowSeconds, take, close: exchange.close };
}

function createReporter(name: string, { limit, windowSeconds }: Window) {
  const policy = `"${name}";q=${limit};w=${windowSeconds}`;
  const format = ({ remaining, resetSeconds }: WindowState): string => `"${name}";r=${remaining};t=${resetSeconds}`;
  return {
    /** Names and values, alternating. */
    fieldsOf: (state: WindowState): readonly string[] => ['ratelimit-policy', policy, 'ratelimit', format(state)],
    /** Throws a Problem if the limit is used up. */
    report: (state: WindowState, reply: HeaderTarget): void => {
      appendToListHeader(reply, 'ratelimit-policy', policy);
      appendToListHeader(reply, 'ratelimit', format(state));
      if (!state.allowed) throw new Problem('too-many-requests', { retryAfterSeconds: state.resetSeconds });
    },
  };
}
