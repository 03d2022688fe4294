// Tells clients in every answer of a deprecated operation since when it is deprecated, and when it ends.

import type { onRequestHookHandler } from 'fastify';
import type { Operation } from '../operations/operation.ts';

/** No hook for an operation that stays. Throws if the end is announced too late. */
export function createDeprecationHooks({ id, deprecation }: Operation): onRequestHookHandler[] {
  if (deprecation === undefined) return [];
  const since = Temporal.PlainDate.from(deprecation.since);
  const sunset = Temporal.PlainDate.from(deprecation.sunset);
  if (Temporal.PlainDate.compare(since.add({ months: 6 }), sunset) > 0)
    throw new Error(`${id} would end less than six months after its deprecation`);
  const startOf = (day: Temporal.PlainDate): number => day.toZonedDateTime('UTC').epochMilliseconds;
  const headers = {
    // A date of RFC 9651: seconds since 1970.
    deprecation: `@${startOf(since) / 1000}`,
    sunset: new Date(startOf(sunset)).toUTCString(),
  };
  return [
    (_request, reply, done) => {
      reply.headers(headers);
      done();
    },
  ];
}
