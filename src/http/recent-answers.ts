// What was just answered to anyone, by the tenant and the target it was asked under: pages show the same few pictures
// over and over, and a target says all there is to say about them.

import { LRUCache } from 'lru-cache';
import type { FastifyReply } from 'fastify';
import type { Representation } from './representation.ts';
import type { Place } from './tenancy.ts';
import { placeOf } from './visit.ts';

const keptMs = 2000;
const minuteMs = 60_000;
const maxAnswers = 2000;
const maxBytes = 8_000_000;
const maxAnswerBytes = 100_000;

export type RecentAnswer = {
  readonly answer: Representation;
  /** Names and values, in turns, of the fields that every such answer has. */
  readonly fields: readonly string[];
  readonly route: string;
  readonly operationId: string | undefined;
};

export type RecentAnswers = {
  get(place: Place, target: string): RecentAnswer | undefined;
  /** Keeps an answer as it stands in the reply that is about to be sent, unless it is too large. */
  keep(answer: Representation, reply: FastifyReply): void;
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
    keep: (answer, reply) => {
      const { request } = reply;
      const { route, operationId } = request.visit;
      if (answer.body.length > maxAnswerBytes) return;
      kept.set(keyOf(placeOf(request), request.raw.url ?? ''), {
        answer,
        fields: fieldsOf(reply, answer),
        route,
        operationId,
        keptAtMs: clock(),
      });
    },
  };
}

// Tenants see their own KIDs alone.
const keyOf = ({ tenant }: Place, target: string): string => `${tenant.name}${target}`;

const isRecent = (thenMs: number, nowMs: number): boolean =>
  Math.abs(nowMs - thenMs) < keptMs && Math.floor(nowMs / minuteMs) === Math.floor(thenMs / minuteMs);

const bytesOf = ({ answer }: Kept, key: string): number => answer.body.length + key.length + 1000;

/** These are of one request alone. */
const ofOneRequest = new Set(['x-request-id', 'traceparent', 'ratelimit', 'ratelimit-policy']);

function fieldsOf(reply: FastifyReply, { body }: Representation): string[] {
  const fields = Object.entries(reply.getHeaders()).filter(([name]) => !ofOneRequest.has(name));
  return [...fields.flat().map(String), 'content-length', String(Buffer.byteLength(body))];
}
