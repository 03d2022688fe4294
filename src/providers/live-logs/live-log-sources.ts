// Fetches the live logs of the operator's other programs, over the guarded JSON client.

import { createJsonClient } from '../http-client/json-client.ts';
import type { LogEvent } from '../../lib/live-log/live-log.ts';
import { version } from '../../version.ts';
import type { LiveLogServer, LiveLogSettings, LiveLogSourceSettings } from './live-log-settings.ts';
import { readSourceEvents } from './read-source-events.ts';

export type SourceAnswer =
  | { readonly ok: true; readonly events: readonly LogEvent[] }
  /** The reason is for the log: it contains nothing of the answer. */
  | { readonly ok: false; readonly reason: string };

/** Never throws. `now` is in epoch milliseconds. */
type LiveLogSource = { read(tenant: string, now: number): Promise<SourceAnswer> };

/** The configured sources. */
export type LiveLogSources = ReadonlyMap<LiveLogServer, LiveLogSource>;

/** Shorter than the interval at which managers ask again. */
const timeoutMs = 2500;
/** A hundred events with the longest questions. */
const maxBodyBytes = 1_048_576;

export const createLiveLogSources = (settings: LiveLogSettings): LiveLogSources =>
  new Map(
    (Object.entries(settings) as [LiveLogServer, LiveLogSourceSettings][]).map(([server, source]) => [
      server,
      createSource(source),
    ]),
  );

function createSource({ url, token, privateNetwork }: LiveLogSourceSettings): LiveLogSource {
  const client = createJsonClient({
    userAgent: `portal-management-service/${version}`,
    allowsPrivateAddresses: privateNetwork,
    timeoutMs,
    maxBodyBytes,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  });
  return {
    read: async (tenant, now) => {
      const answer = await client.get(new URL(url.replaceAll('{tenant}', tenant)));
      if (!answer.ok) return { ok: false, reason: answer.reason };
      const events = readSourceEvents(answer.body, now);
      return events === undefined ? { ok: false, reason: 'no live log as it is documented' } : { ok: true, events };
    },
  };
}
