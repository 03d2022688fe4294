// A computer of the Equipment API: keeps what happened at its units on disk until the service has it, and lets the units
// know what they have to know.

import { authorise } from './authorise.ts';
import { enrol, rotateKey } from './enrolment.ts';
import type { Digests } from './digests.ts';
import { createFollower, type Device } from './follower.ts';
import { streamOf, type Line, type StreamName } from './lines.ts';
import { createListDigests } from './list-digests.ts';
import { createLoop } from './loop.ts';
import { createRequests, type Requests } from './requests.ts';
import { createSender, type HeldLine, type SentAnswer } from './sender.ts';
import { openStore, type Store } from './store.ts';

export type ComputerOptions = {
  /** The file in which the computer keeps its memory: a path on a disk that survives a loss of power. */
  readonly file: string;
  /** Such as `https://api.sund.example`. */
  readonly service: string;
  /** The host of the tenant, where `service` is another address. */
  readonly host?: string;
  /** The certificate that the service shows, in PEM, where no public authority has signed it. */
  readonly ca?: string | undefined;
  readonly serial: string;
  readonly software: string;
  readonly device: Device;
  /** How long the service waits for a change before it answers that there is none. */
  readonly waitSeconds?: number;
  /** How long a computer that has nothing to say is silent. */
  readonly aliveEveryMs?: number;
  /** How often the lists are compared with those of the service, at most. */
  readonly digestsEveryMs?: number;
  /** What the service could not book, and keeps for a manager. */
  readonly onHeld?: (held: readonly HeldLine[]) => void;
  /** What is wrong with the computer itself, such as a full disk. It is tried again. */
  readonly onError?: (error: unknown) => void;
  /** Epoch milliseconds. */
  readonly clock?: () => number;
  /** From 0 to 1. */
  readonly random?: () => number;
};

export type ComputerStatus = {
  readonly isEnrolled: boolean;
  /** How many lines the service does not have yet. */
  readonly buffered: number;
  /** How far the clock here is ahead of the service's; undefined before the first answer. */
  readonly clockOffsetMs: number | undefined;
  readonly version: string | undefined;
  /** The last error of each stream; undefined if its last request was successful. */
  readonly lastErrors: Readonly<Record<StreamName, string | undefined>>;
};

export type Computer = ReturnType<typeof openComputer>;

const defaultWaitSeconds = 55;
const defaultAliveEveryMs = 300_000;
const defaultDigestsEveryMs = 60_000;
/** A list that still differs is not read again at once. */
const resyncEveryMs = 60_000;

export function openComputer(options: ComputerOptions) {
  const { clock = Date.now, software, serial } = options;
  const store = openStore(options.file);
  const requests = createRequests(options);
  const parts = { store, requests };
  const work = createWork(options, { ...parts, clock, record });
  let alive: NodeJS.Timeout | undefined;

  function record(line: Line): number {
    const n = store.append({ ...line, at: line.at ?? new Date(clock()).toISOString() });
    work.loops[streamOf(line)].wake();
    return n;
  }
  return {
    /** Changes the code of a manager into the key. */
    enrol: (code: string) => enrol(parts, { code, serial, software }),
    /** Changes the key into the next one. The present one holds until the next one is used. */
    rotateKey: () => rotateKey(parts),
    /** Keeps a line; when it returns, no loss of power loses it. Returns its number in its stream. */
    record,
    /** Begins to send, and to follow what the units have to know. */
    start: (): void => {
      for (const loop of Object.values(work.loops)) loop.start();
      alive ??= setInterval(() => record({ t: 'alive' }), options.aliveEveryMs ?? defaultAliveEveryMs).unref();
    },
    /** Ends what is under way. What was not sent is kept. */
    stop: async (): Promise<void> => {
      clearInterval(alive);
      const stopped = Object.values(work.loops).map((loop) => loop.stop());
      requests.stop();
      await Promise.all(stopped);
      requests.close();
      store.close();
    },
    /** Whether a key may use a unit now: what the service says or, where it cannot be reached, what is known here. */
    authorise: (unit: string, key: string) => authorise({ ...parts, serverClock: work.serverClock }, unit, key),
    status: (): ComputerStatus => ({
      isEnrolled: store.recall('key') !== undefined,
      buffered: store.bufferedCount(),
      version: store.recall('version'),
      clockOffsetMs: work.clockOffsetMs(),
      lastErrors: work.lastErrors(),
    }),
    /** The things of a kind that the units know, as the service sent them. */
    entries: (kind: string) => store.listEntries(kind).map(({ entry }) => JSON.parse(entry) as Record<string, unknown>),
  };
}

type WorkContext = {
  readonly store: Store;
  readonly requests: Requests;
  readonly clock: () => number;
  readonly record: (line: Line) => number;
};

/** What a computer does all the time: it sends both streams, and follows what the units have to know. */
function createWork(options: ComputerOptions, { store, requests, clock, record }: WorkContext) {
  const { random = Math.random, device, software, waitSeconds = defaultWaitSeconds, onHeld } = options;
  const listDigests = createListDigests(store);
  let clockOffsetMs: number | undefined;
  let lastResyncMs = -Infinity;
  const serverClock = (): number => clock() - (clockOffsetMs ?? 0);
  const onChanged = (): void => listDigests.forget();
  const follower = createFollower({ store, requests, device, serverClock, random, record, onChanged });
  const onAnswer = ({ serverTimeMs, held, resync }: SentAnswer): void => {
    if (serverTimeMs !== undefined) clockOffsetMs = clock() - serverTimeMs;
    if (held.length > 0) onHeld?.(held);
    if (resync.length === 0 || clock() < lastResyncMs + resyncEveryMs) return;
    lastResyncMs = clock();
    follower.resync();
  };
  const { digestsEveryMs = defaultDigestsEveryMs } = options;
  let digestsSentMs = -Infinity;
  const digests = (): Digests | undefined => {
    const nowMs = clock();
    const due = nowMs >= digestsSentMs + digestsEveryMs ? listDigests.read(nowMs) : undefined;
    if (due !== undefined) digestsSentMs = nowMs;
    return due;
  };
  const common = { store, requests, software, clock, random, onAnswer };
  const money = createSender({ ...common, stream: 'money', digests: () => undefined });
  const samples = createSender({ ...common, stream: 'samples', digests });
  const { onError = console.error } = options;
  return {
    serverClock,
    clockOffsetMs: () => clockOffsetMs,
    lastErrors: () => ({ money: money.lastError(), samples: samples.lastError() }),
    loops: {
      money: createLoop(() => money.sendNext(), onError),
      samples: createLoop(() => samples.sendNext(), onError),
      desired: createLoop(() => follower.followNext(waitSeconds), onError),
    },
  };
}
