// Makes the cards of live logs from their events.

import type { LogEvent } from '../../lib/live-log/live-log.ts';
import { formatUtc, toMs2000 } from '../../lib/time/ms2000.ts';
import type { LiveLogErrorCode, LiveLogCard } from './schemas.ts';

export const toLiveLogCard = (
  server: LiveLogCard['server'],
  errorCode: LiveLogErrorCode | null,
  events: readonly LogEvent[] = [],
): LiveLogCard => ({ server, errorCode, events: events.map(toLiveLogEvent) });

/** Members without a value are left out of the JSON. */
function toLiveLogEvent(event: LogEvent): LiveLogCard['events'][number] {
  const { at, level, messageTemplate, category, statusCode, elapsedMilliseconds, bankId, userIds } = event;
  const { traceId, question, fields } = event;
  return {
    timestamp: formatUtc(toMs2000(at)),
    level,
    messageTemplate,
    category,
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(elapsedMilliseconds === undefined ? {} : { elapsedMilliseconds }),
    ...(bankId === undefined ? {} : { bankId }),
    ...(userIds === undefined ? {} : { userIds: [...userIds] }),
    ...(traceId === undefined ? {} : { traceId }),
    ...(question === undefined ? {} : { question }),
    ...(fields === undefined ? {} : { fields: { ...fields } }),
  };
}
