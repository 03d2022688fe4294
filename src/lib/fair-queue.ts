// Runs a bounded number of works at a time. Those that wait take turns by key, so that nobody who asks for much keeps
// the others waiting, and when too many wait, those are refused who have the most waiting. What is preferred comes first,
// and never keeps all that is not from its turn.

export type Turn = {
  /** Whose work it is. */
  readonly key: string;
  /** Has three of four turns for which others wait as well. */
  readonly isPreferred?: boolean;
};

export type FairQueueOptions = {
  readonly maxConcurrent: number;
  /** Of one key; as many as of all keys unless told otherwise. */
  readonly maxConcurrentPerKey?: number;
  readonly maxWaiting: number;
  /** A work that waits for longer is refused; without this it waits for its turn. */
  readonly maxWaitMs?: number;
  /** Makes the error of a work that is refused. */
  readonly createRefusal: () => Error;
};

/** After so many works that are preferred comes one that is not: however many are preferred, none waits for ever. */
const maxPreferredInSequence = 3;

type WaitingWork = { start(): void; refuse(): void };

/** The works that wait, by key. The key whose turn is next comes first. */
type Lane = Map<string, WaitingWork[]>;

export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #maxConcurrentPerKey: number;
  readonly #preferred: Lane = new Map();
  readonly #others: Lane = new Map();
  readonly #runningByKey = new Map<string, number>();
  #running = 0;
  #waiting = 0;
  /** While others waited. */
  #preferredInSequence = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#maxConcurrentPerKey = options.maxConcurrentPerKey ?? options.maxConcurrent;
  }

  /** Runs the work when it is its turn. */
  async run<T>({ key, isPreferred = false }: Turn, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#options.maxConcurrent && this.#hasPlaceFor(key)) this.#begin(key);
    else await this.#wait(isPreferred ? this.#preferred : this.#others, key);
    try {
      return await work();
    } finally {
      this.#end(key);
    }
  }

  #hasPlaceFor(key: string): boolean {
    return (this.#runningByKey.get(key) ?? 0) < this.#maxConcurrentPerKey;
  }

  #begin(key: string): void {
    this.#running += 1;
    this.#runningByKey.set(key, (this.#runningByKey.get(key) ?? 0) + 1);
  }

  /** The next work takes over the place. */
  #end(key: string): void {
    this.#running -= 1;
    const left = (this.#runningByKey.get(key) ?? 0) - 1;
    if (left > 0) this.#runningByKey.set(key, left);
    else this.#runningByKey.delete(key);
    this.#takeNext()?.start();
  }

  #takeNext(): WaitingWork | undefined {
    const areOthersFirst = this.#preferredInSequence >= maxPreferredInSequence;
    const preferred = areOthersFirst ? undefined : this.#takeFrom(this.#preferred);
    if (preferred !== undefined) {
      this.#preferredInSequence = this.#others.size > 0 ? this.#preferredInSequence + 1 : 0;
      return preferred;
    }
    this.#preferredInSequence = 0;
    return this.#takeFrom(this.#others) ?? this.#takeFrom(this.#preferred);
  }

  #wait(lane: Lane, key: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = (): void => reject(this.#options.createRefusal());
      if (this.#waiting >= this.#options.maxWaiting && !this.#makeRoom(lane, key)) {
        refuse();
        return;
      }
      const { maxWaitMs } = this.#options;
      const timer =
        maxWaitMs === undefined
          ? undefined
          : setTimeout(() => {
              this.#remove(lane, key, work);
              refuse();
            }, maxWaitMs);
      const work: WaitingWork = {
        start: () => {
          clearTimeout(timer);
          this.#begin(key);
          resolve();
        },
        refuse: () => {
          clearTimeout(timer);
          refuse();
        },
      };
      const works = lane.get(key);
      if (works === undefined) lane.set(key, [work]);
      else works.push(work);
      this.#waiting += 1;
    });
  }

  /** Refuses the last work of the key that has the most waiting. Returns false where that would be no fairer. */
  #makeRoom(lane: Lane, key: string): boolean {
    const displacesOthers = lane === this.#preferred && this.#others.size > 0;
    const from = displacesOthers ? this.#others : lane;
    const [longestKey, works] = longestOf(from);
    const last = works?.at(-1);
    if (works === undefined || last === undefined) return false;
    if (!displacesOthers && works.length < (lane.get(key)?.length ?? 0) + 2) return false;
    this.#remove(from, longestKey, last);
    last.refuse();
    return true;
  }

  /** The first work of the next key that has a place left. The key has its next turn after the others. */
  #takeFrom(lane: Lane): WaitingWork | undefined {
    for (const [key, works] of lane) {
      const [work] = works;
      if (work === undefined || !this.#hasPlaceFor(key)) continue;
      this.#remove(lane, key, work);
      if (works.length > 0) {
        lane.delete(key);
        lane.set(key, works);
      }
      return work;
    }
    return undefined;
  }

  #remove(lane: Lane, key: string, work: WaitingWork): void {
    const works = lane.get(key) ?? [];
    works.splice(works.indexOf(work), 1);
    if (works.length === 0) lane.delete(key);
    this.#waiting -= 1;
  }
}

function longestOf(lane: Lane): [key: string, works: WaitingWork[] | undefined] {
  let longest: [string, WaitingWork[] | undefined] = ['', undefined];
  for (const entry of lane) if (entry[1].length > (longest[1]?.length ?? 0)) longest = entry;
  return longest;
}
