// Keeps the live log: what this process logged in the last 15 minutes, at most 100 events.

export const liveLogLevels = ['Information', 'Warning', 'Error', 'Critical'] as const;
export type LiveLogLevel = (typeof liveLogLevels)[number];

export const maxLiveLogEvents = 100;
const liveLogMaxAgeMs = 15 * 60_000;

export type LogEvent = {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly level: LiveLogLevel;
  /** A constant text with `{placeholders}`. */
  readonly messageTemplate: string;
  /** The part of the program that logged the event. */
  readonly category: string;
  readonly statusCode?: number | undefined;
  readonly elapsedMilliseconds?: number | undefined;
  readonly bankId?: number | undefined;
  readonly userIds?: readonly number[] | undefined;
  readonly traceId?: string | undefined;
  /** Only chats have a question, and this process has no chats. */
  readonly question?: string | undefined;
  /** Placeholder -> value. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
};

/** Adds an event of this process; the tenant is undefined where it belongs to none. */
export type OwnLiveLogEvent = LogEvent & { readonly tenant: string | undefined };

/** The time of an event is now, unless it is known. */
type NewLiveLogEvent = Omit<OwnLiveLogEvent, 'at'> & { readonly at?: number | undefined };

export type LiveLog = ReturnType<typeof createLiveLog>;

/**
 * `clock` returns epoch milliseconds. The live log contains no secrets and no personal data. The live log ends with the
 * process, and other processes have their own live logs.
 */
export function createLiveLog(clock: () => number) {
  /** A new event replaces the oldest one. */
  const ring: OwnLiveLogEvent[] = [];
  let place = 0;
  return {
    /** Keeps the same object where its time is known, since its members may be getters. */
    add: (event: NewLiveLogEvent): void => {
      ring[place] = hasTime(event) ? event : { ...event, at: clock() };
      place = (place + 1) % maxLiveLogEvents;
    },
    /** The events of a tenant and those of no tenant, the newest first; of events at the same time, the last added first. */
    list: (tenant: string): OwnLiveLogEvent[] => {
      const now = clock();
      const added = [...ring.slice(place), ...ring.slice(0, place)];
      return added
        .filter((event) => isRecent(event.at, now) && (event.tenant === undefined || event.tenant === tenant))
        .toReversed()
        .toSorted((a, b) => b.at - a.at);
    },
  };
}

const hasTime = (event: NewLiveLogEvent): event is OwnLiveLogEvent => event.at !== undefined;

/** Whether an event is young enough to be shown. */
export const isRecent = (at: number, now: number): boolean => now - at < liveLogMaxAgeMs;
