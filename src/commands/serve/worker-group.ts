// The workers of a supervisor: starts them, starts one again that has ended, passes on what they commit, and stops them.

import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import type { MessageFromWorker, MessageToWorker, WorkerAddress, WorkerQuestions } from './worker-messages.ts';

/** Whoever asks for metrics or health waits for it. */
const answerTimeoutMs = 4000;
/** A worker that has ended sooner is started again after a time that doubles. */
const settledAfterMs = 10_000;
const restartDelaysMs = { first: 100, longest: 30_000 };

type GroupOptions = {
  readonly count: number;
  readonly log: Logger;
  /** Gets whole lines of the workers' logs. */
  readonly writeLines: (lines: string) => void;
};

type RunningWorker = {
  readonly number: number;
  readonly process: Worker;
  address: WorkerAddress | undefined;
  /** Resolves with the exit code when it has ended and all that it wrote has been read. */
  readonly closed: Promise<number>;
};

/** The address at which a worker listens, or the exit code of one that could not start. */
type FirstStart = WorkerAddress | { readonly code: number };

type StartOptions = {
  readonly delayMs: number;
  /** Is called once, as long as the worker with this number has not been ready yet. */
  readonly onFirstStart: ((started: FirstStart) => void) | undefined;
};

type Answer<Q extends keyof WorkerQuestions> = {
  readonly worker: number;
  readonly answer: WorkerQuestions[Q]['answer'];
};

export class WorkerGroup {
  readonly #options: GroupOptions;
  readonly #running = new Map<number, RunningWorker>();
  /** By the number of the worker. */
  readonly #restarts = new Map<number, NodeJS.Timeout>();
  /** By the id of the question. */
  readonly #waiting = new Map<number, (answer: unknown) => void>();
  #lastQuestion = 0;
  #isStopping = false;

  constructor(options: GroupOptions) {
    this.#options = options;
  }

  /**
   * Starts the first worker, and when it is ready the others. Returns where they listen, or the exit code of a worker
   * that could not start.
   */
  async start(): Promise<FirstStart> {
    cluster.setupPrimary({ silent: true });
    const first = await this.#startFirst(1);
    if ('code' in first || this.#isStopping) return first;
    const numbers = Array.from({ length: this.#options.count - 1 }, (_, at) => at + 2);
    const others = await Promise.all(numbers.map((number) => this.#startFirst(number)));
    return others.find((each) => 'code' in each) ?? first;
  }

  /** Asks every worker that is ready. Rejects if one of them does not answer. */
  async ask<Q extends keyof WorkerQuestions>(question: Q, asked?: WorkerQuestions[Q]['asked']): Promise<Answer<Q>[]> {
    const ready = [...this.#running.values()].filter(({ address }) => address !== undefined);
    return Promise.all(
      ready.map(async (each) => {
        const answer = await this.#askOne(each, { question, ...(asked === undefined ? {} : { asked }) });
        return { worker: each.number, answer: answer as WorkerQuestions[Q]['answer'] };
      }),
    );
  }

  /** Lets every worker finish what runs, and ends those that have not done so in time. */
  async stop(timeoutMs: number): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#restarts.values()) clearTimeout(timer);
    await Promise.all([...this.#running.values()].map((each) => stopWorker(each, timeoutMs)));
  }

  async #startFirst(number: number): Promise<FirstStart> {
    const { promise, resolve } = Promise.withResolvers<FirstStart>();
    this.#startWorker(number, { delayMs: 0, onFirstStart: resolve });
    return promise;
  }

  /** Starts a worker, and another one in its place when it has ended; not in place of one that could never start. */
  #startWorker(number: number, { delayMs, onFirstStart }: StartOptions): void {
    const startedAtMs = performance.now();
    const worker = this.#fork(number, onFirstStart);
    void worker.closed.then((code) => {
      this.#running.delete(number);
      const { signalCode: signal } = worker.process.process;
      if (!this.#isStopping) this.#options.log.warn({ worker: number, code, signal }, 'a worker has ended');
      const waiting = worker.address === undefined ? onFirstStart : undefined;
      if (this.#isStopping || (waiting !== undefined && !isEndedByOthers(signal))) waiting?.({ code });
      else this.#restart(number, performance.now() - startedAtMs, { delayMs, onFirstStart: waiting });
    });
  }

  #restart(number: number, livedMs: number, { delayMs: lastDelayMs, onFirstStart }: StartOptions): void {
    const { first, longest } = restartDelaysMs;
    const delayMs = livedMs > settledAfterMs ? first : Math.min(longest, Math.max(first, lastDelayMs * 2));
    const start = (): void => {
      this.#restarts.delete(number);
      this.#startWorker(number, { delayMs, onFirstStart });
    };
    this.#restarts.set(number, setTimeout(start, delayMs));
  }

  #fork(number: number, onReady: StartOptions['onFirstStart']): RunningWorker {
    const forked = cluster.fork();
    const closed = once(forked.process, 'close').then(([code]: (number | null)[]) => code ?? 1);
    const worker: RunningWorker = { number, process: forked, address: undefined, closed };
    this.#running.set(number, worker);
    forked.process.stdout?.on('data', createLineReader(this.#options.writeLines));
    forked.process.stderr?.on('data', (chunk: Buffer) => process.stderr.write(chunk));
    forked.on('message', (message: MessageFromWorker) => {
      if (message.kind === 'ready') {
        worker.address = message.address;
        onReady?.(message.address);
      } else this.#handle(worker, message);
    });
    // A worker that has just ended cannot be told anything.
    forked.on('error', () => {});
    return worker;
  }

  #handle(from: RunningWorker, message: Exclude<MessageFromWorker, { kind: 'ready' }>): void {
    switch (message.kind) {
      case 'started':
        send(from, { kind: 'start', worker: from.number });
        break;
      case 'answer':
        this.#waiting.get(message.id)?.(message.answer);
        break;
      case 'committed':
        for (const each of this.#running.values()) if (each !== from && each.address !== undefined) send(each, message);
    }
  }

  async #askOne(
    worker: RunningWorker,
    question: { readonly question: keyof WorkerQuestions; readonly asked?: string },
  ): Promise<unknown> {
    const id = (this.#lastQuestion += 1);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => reject(new Error(`worker ${worker.number} does not answer`)), answerTimeoutMs);
    const onEnd = (): void => reject(new Error(`worker ${worker.number} has ended`));
    worker.process.once('disconnect', onEnd);
    this.#waiting.set(id, resolve);
    try {
      send(worker, { kind: 'ask', id, ...question });
      return await promise;
    } finally {
      clearTimeout(timer);
      worker.process.off('disconnect', onEnd);
      this.#waiting.delete(id);
    }
  }
}

/** What the system sends for faults of the program itself; the last one also where its memory is used up. */
const faults: ReadonlySet<NodeJS.Signals> = new Set(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP', 'SIGABRT']);

/** A worker that was stopped or killed says nothing of whether it can start. */
const isEndedByOthers = (signal: NodeJS.Signals | null): boolean => signal !== null && !faults.has(signal);

function send({ process: worker }: RunningWorker, message: MessageToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
}

async function stopWorker({ process: worker, closed }: RunningWorker, timeoutMs: number): Promise<void> {
  worker.process.kill('SIGTERM');
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), timeoutMs);
  await closed;
  clearTimeout(timer);
}

/** Cuts what is read into whole lines: those of several workers must not be mixed. */
function createLineReader(writeLines: (lines: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const read = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = read.lastIndexOf(10) + 1;
    rest = read.subarray(end);
    if (end > 0) writeLines(read.toString('utf8', 0, end));
  };
}
