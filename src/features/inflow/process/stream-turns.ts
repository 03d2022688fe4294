// Bounds the requests to streams in one process: one request of each stream, and a few requests of each bank at a time.

import { FairQueue, type FairQueueOptions } from '../../../lib/queues/fair-queue.ts';
import { Problem } from '../../../lib/problem.ts';

const maxRetrySeconds = 3;

/** Computers that were refused together do not come back together. */
const createBusyProblem = (): Problem =>
  new Problem('stream-busy', { retryAfterSeconds: 1 + Math.floor(Math.random() * maxRetrySeconds) });

/**
 * The numbers of works at once of all tenants, of a tenant, and of a bank: a bank whose writes wait leaves room for
 * those of others.
 */
const defaultOptions: FairQueueOptions = {
  maxConcurrent: 32,
  maxConcurrentPerKey: [16, 2],
  maxWaiting: 1000,
  maxWaitingPerKey: 100,
  maxWaitMs: 4000,
};

/** A request alone can have so many lines. */
const maxSharedLines = 1000;

type StreamTurn = {
  readonly tenant: string;
  readonly bankId: number;
  readonly computerId: number;
  readonly stream: string;
};

/** What requests do together. Each has a result of its own, or fails for itself. */
type SharedWork<I, R> = (inputs: readonly I[]) => Promise<ReadonlyMap<I, PromiseSettledResult<R>>>;

type SharedRequest<I> = { readonly input: I; readonly lines: number };

export type StreamTurns<I, R> = {
  /** Throws 429 `stream-busy` where a request of the stream is running, or too many wait. */
  run<T>(turn: StreamTurn, work: () => Promise<T>): Promise<T>;
  /** Runs a request whose work can be done together with that of others of its bank and kind of stream. */
  runTogether(turn: StreamTurn, request: SharedRequest<I>, work: SharedWork<I, R>): Promise<R>;
};

type Waiting<I, R> = SharedRequest<I> & {
  /** Ends the waiting for a turn of its own. */
  readonly leaving: AbortController;
  readonly result: PromiseWithResolvers<R>;
};

/**
 * Banks take turns. When the first waiting request of a bank gets its turn, this request shares the turn with other
 * requests of the bank that can share a turn.
 */
export function createStreamTurns<I, R>(options: Partial<FairQueueOptions> = {}): StreamTurns<I, R> {
  const queue = new FairQueue({ ...defaultOptions, ...options, createRefusal: createBusyProblem });
  const running = new Set<string>();
  const waitingByKind = new Map<string, Set<Waiting<I, R>>>();
  const hold = async <T>({ tenant, bankId, computerId, stream }: StreamTurn, work: () => Promise<T>): Promise<T> => {
    const name = `${tenant}/${bankId}/${computerId}/${stream}`;
    if (running.has(name)) throw createBusyProblem();
    running.add(name);
    try {
      return await work();
    } finally {
      running.delete(name);
    }
  };
  const keyOf = ({ tenant, bankId }: StreamTurn): string[] => [tenant, String(bankId)];
  const waitTogether = async (turn: StreamTurn, own: Waiting<I, R>, work: SharedWork<I, R>): Promise<R> => {
    const kind = `${turn.tenant}/${turn.bankId}/${turn.stream}`;
    const waiting = waitingByKind.get(kind) ?? new Set();
    waitingByKind.set(kind, waiting.add(own));
    const leave = (request: Waiting<I, R>): void => {
      waiting.delete(request);
      if (waiting.size === 0 && waitingByKind.get(kind) === waiting) waitingByKind.delete(kind);
    };
    const runAll = async (): Promise<R> => {
      leave(own);
      const others = chooseOthers(own, waiting);
      for (const each of others) {
        leave(each);
        each.leaving.abort();
      }
      await settleAll([own, ...others], work);
      return own.result.promise;
    };
    try {
      return await queue.run(runAll, { key: keyOf(turn), signal: own.leaving.signal });
    } catch (error) {
      // Another one has taken it along.
      if (own.leaving.signal.aborted) return own.result.promise;
      throw error;
    } finally {
      leave(own);
    }
  };
  return {
    run: (turn, work) => hold(turn, () => queue.run(work, { key: keyOf(turn) })),
    runTogether: (turn, request, work) => {
      const own = { ...request, leaving: new AbortController(), result: Promise.withResolvers<R>() };
      return hold(turn, () => waitTogether(turn, own, work));
    },
  };
}

/** Those that have waited for the longest, as far as all have no more lines than one can have. */
function chooseOthers<I, R>(own: Waiting<I, R>, waiting: ReadonlySet<Waiting<I, R>>): Waiting<I, R>[] {
  const others: Waiting<I, R>[] = [];
  let { lines } = own;
  for (const each of waiting) {
    lines += each.lines;
    if (lines > maxSharedLines) break;
    others.push(each);
  }
  return others;
}

/** What fails as a whole fails for each of them. */
async function settleAll<I, R>(requests: readonly Waiting<I, R>[], work: SharedWork<I, R>): Promise<void> {
  try {
    const results = await work(requests.map(({ input }) => input));
    for (const { input, result } of requests) {
      const outcome = results.get(input);
      if (outcome?.status === 'fulfilled') result.resolve(outcome.value);
      else result.reject(outcome?.reason ?? new Error('a request has no result'));
    }
  } catch (error) {
    for (const { result } of requests) result.reject(error);
  }
}
