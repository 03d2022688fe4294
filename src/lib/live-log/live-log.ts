// The live log: what this process logged in the last 15 minutes, at most 100 events. It holds nothing secret and nothing
// personal; it ends with the process, and other processes have their own.

export const liveLogLevels = ['Information', 'Warning', 'Error', 'Critical'] as const;
export type LiveLogLevel = (typeof liveLogLevels)[number];

export const maxLiveLogEvents = 100;
export const liveLogMaxAgeMs = 15 * 60_000;

export type LiveLogEvent = {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly level: LiveLogLevel;
  /** A constant text with `{placeholders}`. */
  readonly messageTemplate: string;
  /** The part of the program that the event is of. */
  readonly category: string;
  readonly statusCode?: number | undefined;
  readonly elapsedMilliseconds?: number | undefined;
  readonly bankId?: number | undefined;
  readonly userIds?: readonly number[] | undefined;
  readonly traceId?: string | undefined;
  /** Of chats alone, which this process has none of. */
  readonly question?: string | undefined;
  /** Placeholder -> value. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
};

/** An event of this process; undefined where it is of no tenant. */
export type OwnLiveLogEvent = LiveLogEvent & { readonly tenant: string | undefined };

/** The time of an event is now, unless it is known. */
export type NewLiveLogEvent = Omit<OwnLiveLogEvent, 'at'> & { readonly at?: number | undefined };

export type LiveLog = {
  /** Keeps the event itself where its time is known: members may be made when they are read. */
  add(event: NewLiveLogEvent): void;
  /** The events of a tenant and those of none, the newest first; at the same time, those first that were added last. */
  list(tenant: string): OwnLiveLogEvent[];
};

/** `clock` returns epoch milliseconds. */
export function createLiveLog(clock: () => number): LiveLog {
  /** A new event takes the place of the oldest. */
  const ring: OwnLiveLogEvent[] = [];
  let place = 0;
  return {
    add: (event) => {
      ring[place] = hasTime(event) ? event : { ...event, at: clock() };
      place = (place + 1) % maxLiveLogEvents;
    },
    list: (tenant) => {
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
