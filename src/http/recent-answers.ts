// What was just answered to anyone, by the tenant and the target it was asked under: pages show the same few pictures
// over and over, and a target says all there is to say about them.

import { LRUCache } from 'lru-cache';
import type { Representation } from './representation.ts';
import type { Place } from './tenancy.ts';

const keptMs = 2000;
const minuteMs = 60_000;
const maxAnswers = 2000;
const maxBytes = 8_000_000;
const maxAnswerBytes = 100_000;

export type RecentAnswer = {
  readonly representation: Representation;
  readonly route: string;
  readonly operationId: string;
};

export type RecentAnswers = {
  get(place: Place, target: string): RecentAnswer | undefined;
  /** Keeps an answer, unless it is too large or made for this request alone. */
  keep(place: Place, target: string, answer: RecentAnswer): void;
};

type Kept = RecentAnswer & { readonly keptAtMs: number };

/** A declared cache: two seconds, and never into another minute, which may be of another day. `clock` in epoch ms. */
export function recentAnswers(clock: () => number): RecentAnswers {
  const kept = new LRUCache<string, Kept>({ max: maxAnswers, maxSize: maxBytes, sizeCalculation: bytesOf });
  return {
    get: (place, target) => {
      const found = kept.get(keyOf(place, target));
      return found !== undefined && isRecent(found.keptAtMs, clock()) ? found : undefined;
    },
    keep: (place, target, answer) => {
      const { body, isNew } = answer.representation;
      if (isNew !== true && body.length <= maxAnswerBytes)
        kept.set(keyOf(place, target), { ...answer, keptAtMs: clock() });
    },
  };
}

// Tenants see their own KIDs alone.
const keyOf = ({ tenant }: Place, target: string): string => `${tenant.name}${target}`;

const isRecent = (thenMs: number, nowMs: number): boolean =>
  Math.abs(nowMs - thenMs) < keptMs && Math.floor(nowMs / minuteMs) === Math.floor(thenMs / minuteMs);

const bytesOf = ({ representation: { body } }: Kept, key: string): number => body.length + key.length + 500;
