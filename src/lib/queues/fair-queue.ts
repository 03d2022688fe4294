// Bounds how many works run at the same time, in all and of each key: a semaphore with fair queueing.

import { TurnQueue, type KeyPath } from './turn-queue.ts';

export type Turn = {
  /** Whose work it is, the outermost key first, such as a tenant and then its manager: at each level keys take turns. */
  readonly key?: KeyPath;
  /** Has three of four turns for which others wait as well. */
  readonly isPreferred?: boolean;
  /** It goes on with something that has begun: it waits for as long as it takes, and is never refused. */
  readonly isContinued?: boolean;
  /** Ends the waiting with its reason. Work that has begun watches the signal itself. */
  readonly signal?: AbortSignal | undefined;
};

export type FairQueueOptions = {
  readonly maxConcurrent: number;
  /** The most works at once of each key, for every level of the paths: of a tenant, then of a manager. */
  readonly maxConcurrentPerKey?: readonly number[];
  /** Which key is next at its level. Among those that have as few running, keys take turns. For works that take long. */
  readonly order?: 'round-robin' | 'fewest-running';
  /** When so many wait, a work is refused; preferably one of the key that has the most waiting. */
  readonly maxWaiting?: number;
  readonly maxWaitingPerKey?: number;
  /** A work that waits for longer is refused; with 0 nothing waits. */
  readonly maxWaitMs?: number;
  /** Makes the error of a work that is refused. */
  readonly createRefusal?: () => Error;
};

/** Ends a work. Later calls do nothing. */
export type Release = () => void;

/** Works whose turn names no key share this one. */
const noKey: KeyPath = [''];

/** After so many works that are preferred comes one that is not: however many are preferred, none waits for ever. */
const maxPreferredInSequence = 3;

type WaitingWork = { start(): void; refuse(): void };
type Lane = TurnQueue<WaitingWork>;

/**
 * Works that wait take turns by key, so that a key with many works does not make the works of other keys wait long. A
 * work that waits for too long, or finds too many works waiting, is refused.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #preferred: Lane = new TurnQueue();
  readonly #others: Lane = new TurnQueue();
  /** How many works run, of each path and of all that begin with it. */
  readonly #runningByPath = new Map<string, number>();
  /** While others waited. */
  #preferredInSequence = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#preferred.size + this.#others.size;
  }

  /** Runs the work when it is its turn: at once, in this very call, if there is room. */
  async run<T>(work: () => Promise<T>, turn: Turn = {}): Promise<T> {
    const waiting = this.#enter(turn);
    if (waiting !== undefined) await waiting;
    try {
      turn.signal?.throwIfAborted();
      return await work();
    } finally {
      this.#end(turn);
    }
  }

  /** Waits for the turn of a work that ends when it is released. */
  async acquire(turn: Turn = {}): Promise<Release> {
    await this.#enter(turn);
    let isReleased = false;
    const release = (): void => {
      if (!isReleased) this.#end(turn);
      isReleased = true;
    };
    if (turn.signal?.aborted === true) {
      release();
      throw turn.signal.reason;
    }
    return release;
  }

  /** Returns undefined where the work may begin at once. */
  #enter(turn: Turn): Promise<void> | undefined {
    turn.signal?.throwIfAborted();
    const { key = noKey } = turn;
    if (!pathsOf(key).every(this.#hasRoom)) return this.#wait(key, turn);
    this.#count(key, 1);
    return undefined;
  }

  /** The next work takes over the room. Only one can: it takes up what any other lacked. */
  #end({ key = noKey }: Turn): void {
    this.#count(key, -1);
    this.#takeNext()?.start();
  }

  readonly #hasRoom = (path: KeyPath): boolean => {
    const { maxConcurrent, maxConcurrentPerKey = [] } = this.#options;
    return this.#runningOf(path) < ([maxConcurrent, ...maxConcurrentPerKey][path.length] ?? Infinity);
  };

  #runningOf(path: KeyPath): number {
    return this.#runningByPath.get(JSON.stringify(path)) ?? 0;
  }

  #count(key: KeyPath, change: 1 | -1): void {
    for (const path of pathsOf(key)) {
      const running = this.#runningOf(path) + change;
      if (running === 0) this.#runningByPath.delete(JSON.stringify(path));
      else this.#runningByPath.set(JSON.stringify(path), running);
    }
  }

  #takeNext(): WaitingWork | undefined {
    const areOthersFirst = this.#preferredInSequence >= maxPreferredInSequence;
    const preferred = areOthersFirst ? undefined : this.#takeFrom(this.#preferred);
    const isInSequence = preferred !== undefined && !this.#others.isEmpty;
    this.#preferredInSequence = isInSequence ? this.#preferredInSequence + 1 : 0;
    return preferred ?? this.#takeFrom(this.#others) ?? this.#takeFrom(this.#preferred);
  }

  #takeFrom(lane: Lane): WaitingWork | undefined {
    const byRunning = (a: KeyPath, b: KeyPath): number => this.#runningOf(a) - this.#runningOf(b);
    const compare = this.#options.order === 'fewest-running' ? byRunning : undefined;
    return lane.shift({ mayTake: this.#hasRoom, compare });
  }

  #wait(key: KeyPath, { isPreferred = false, isContinued = false, signal }: Turn): Promise<void> {
    const lane = isPreferred ? this.#preferred : this.#others;
    if (!isContinued && !this.#mayWait(lane, key)) throw this.#createRefusal();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stopWaiting = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const leave = (reason: unknown): void => {
      lane.delete(work, key);
      stopWaiting();
      reject(reason);
    };
    const onAbort = (): void => leave(signal?.reason);
    const work: WaitingWork = {
      start: () => {
        stopWaiting();
        this.#count(key, 1);
        resolve();
      },
      refuse: () => {
        if (!isContinued) leave(this.#createRefusal());
      },
    };
    const maxWaitMs = isContinued ? undefined : this.#options.maxWaitMs;
    const timer = maxWaitMs === undefined ? undefined : setTimeout(work.refuse, maxWaitMs);
    signal?.addEventListener('abort', onAbort);
    lane.add(work, key);
    return promise;
  }

  #mayWait(lane: Lane, key: KeyPath): boolean {
    const { maxWaiting = Infinity, maxWaitingPerKey = Infinity, maxWaitMs } = this.#options;
    if (maxWaitMs === 0 || this.#preferred.count(key) + this.#others.count(key) >= maxWaitingPerKey) return false;
    return this.waiting < maxWaiting || this.#makeRoom(lane, key);
  }

  /** Refuses the last work of the key that has the most waiting. Returns false where that would be no fairer. */
  #makeRoom(lane: Lane, key: KeyPath): boolean {
    const displacesOthers = lane === this.#preferred && !this.#others.isEmpty;
    const longest = (displacesOthers ? this.#others : lane).longest();
    if (!displacesOthers && longest.length < lane.count(key) + 2) return false;
    longest.at(-1)?.refuse();
    return true;
  }

  #createRefusal(): Error {
    return this.#options.createRefusal?.() ?? new Error('too many works wait for their turn');
  }
}

/** The path of all works, that of the first key, and so on to the key itself. */
const pathsOf = (key: KeyPath): KeyPath[] => [[], ...key.map((_, level) => key.slice(0, level + 1))];
