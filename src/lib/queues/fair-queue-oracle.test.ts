// Whatever comes, ends, stops waiting or waits for too long: the queue does what a scheduler does that keeps plain lists
// and goes through all of them each time.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import { FairQueue, type FairQueueOptions } from './fair-queue.ts';

type State = 'waiting' | 'running' | 'done' | 'refused' | 'left';
type Work = { readonly key: readonly string[]; readonly isPreferred: boolean; state: State; sinceMs: number };

const startsWith = (key: readonly string[], path: readonly string[]): boolean =>
  path.every((name, level) => key[level] === name);
const isSameKey = (a: Work, b: Work): boolean => a.key.join() === b.key.join();

class ListScheduler {
  readonly works: Work[] = [];
  readonly #options: FairQueueOptions;
  /** When a key last joined a lane, or had a turn there and went to the end. */
  readonly #stamps = new Map<string, number>();
  #now = 0;
  #nowMs = 0;
  #preferredInSequence = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  waiting(isPreferred?: boolean): Work[] {
    return this.works.filter(
      (work) => work.state === 'waiting' && (isPreferred === undefined || work.isPreferred === isPreferred),
    );
  }

  running(path: readonly string[] = []): Work[] {
    return this.works.filter((work) => work.state === 'running' && startsWith(work.key, path));
  }

  hasRoom({ key }: Work): boolean {
    const limits = [this.#options.maxConcurrent, ...(this.#options.maxConcurrentPerKey ?? [])];
    return limits.every((limit, level) => this.running(key.slice(0, level)).length < limit);
  }

  add(key: readonly string[], isPreferred: boolean): void {
    const work: Work = { key, isPreferred, state: 'refused', sinceMs: this.#nowMs };
    if (this.hasRoom(work)) work.state = 'running';
    else if (this.#mayWait(work)) {
      this.#stamp(work, (joined) => !this.waiting(isPreferred).some((each) => startsWith(each.key, joined)));
      work.state = 'waiting';
    }
    this.works.push(work);
  }

  end(work: Work): void {
    work.state = 'done';
    const next = this.#next();
    if (next === undefined) return;
    next.state = 'running';
    this.#stamp(next, () => true);
  }

  pass(ms: number): void {
    this.#nowMs += ms;
    const { maxWaitMs = Infinity } = this.#options;
    for (const work of this.waiting()) if (this.#nowMs - work.sinceMs >= maxWaitMs) work.state = 'refused';
  }

  #mayWait(work: Work): boolean {
    const { maxWaiting = Infinity, maxWaitingPerKey = Infinity, maxWaitMs } = this.#options;
    const own = this.waiting().filter((each) => isSameKey(each, work));
    if (maxWaitMs === 0 || own.length >= maxWaitingPerKey) return false;
    if (this.waiting().length < maxWaiting) return true;
    const lane = work.isPreferred && this.waiting(false).length > 0 ? false : work.isPreferred;
    const inTurn = this.waiting(lane).toSorted((a, b) => this.#compare(a, b, false));
    const waitingOf = (other: Work): Work[] => inTurn.filter((each) => isSameKey(each, other));
    const most = Math.max(0, ...inTurn.map((each) => waitingOf(each).length));
    const last = inTurn
      .map(waitingOf)
      .find(({ length }) => length === most)
      ?.at(-1);
    const isFairer = lane !== work.isPreferred || most >= waitingOf(work).length + 2;
    if (last === undefined || !isFairer) return false;
    last.state = 'refused';
    return true;
  }

  #next(): Work | undefined {
    const ready = this.waiting().filter((work) => this.hasRoom(work));
    const first = (isPreferred: boolean): Work | undefined =>
      ready.filter((work) => work.isPreferred === isPreferred).toSorted((a, b) => this.#compare(a, b, true))[0];
    const [preferred, other] = [first(true), first(false)];
    if (preferred === undefined || this.#preferredInSequence === 3) {
      this.#preferredInSequence = 0;
      return other ?? preferred;
    }
    this.#preferredInSequence = this.waiting(false).length > 0 ? this.#preferredInSequence + 1 : 0;
    return preferred;
  }

  /** By level: the fewest running, where that counts, then the stamp; at last the order in which they came. */
  #compare(a: Work, b: Work, counts: boolean): number {
    for (let level = 1; level <= a.key.length; level += 1) {
      const [pathA, pathB] = [a.key.slice(0, level), b.key.slice(0, level)];
      const isCounted = counts && this.#options.order === 'fewest-running';
      const fewer = isCounted ? this.running(pathA).length - this.running(pathB).length : 0;
      const earlier = this.#stampOf(pathA, a.isPreferred) - this.#stampOf(pathB, b.isPreferred);
      if (fewer !== 0 || earlier !== 0) return fewer || earlier;
    }
    return this.works.indexOf(a) - this.works.indexOf(b);
  }

  #stampOf(path: readonly string[], isPreferred: boolean): number {
    return this.#stamps.get(stampKey(path, isPreferred)) ?? 0;
  }

  #stamp({ key, isPreferred }: Work, isDue: (path: readonly string[]) => boolean): void {
    this.#now += 1;
    const paths = key.map((_, level) => key.slice(0, level + 1)).filter(isDue);
    for (const path of paths) this.#stamps.set(stampKey(path, isPreferred), this.#now);
  }
}

const stampKey = (path: readonly string[], isPreferred: boolean): string => `${isPreferred} ${path.join('/')}`;

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });
const keys = fc.constantFrom(['a', '1'], ['a', '2'], ['b', '1'], ['b', '2'], ['c', '1']);
const options = fc.record({
  maxConcurrent: fc.integer({ min: 1, max: 5 }),
  maxConcurrentPerKey: fc.oneof(
    fc.constant([]),
    fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 2 })),
  ),
  order: fc.constantFrom('round-robin', 'fewest-running'),
  maxWaiting: maybe(fc.nat({ max: 8 })),
  maxWaitingPerKey: maybe(fc.nat({ max: 3 })),
  maxWaitMs: fc.constantFrom(undefined, undefined, 200, 200, 0),
});
const add = fc.record({ key: keys, isPreferred: fc.boolean(), form: fc.constantFrom('run', 'acquire') });
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ add }) },
    { weight: 2, arbitrary: fc.record({ end: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ leave: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ pass: fc.integer({ min: 1, max: 40 }) }) },
  ),
  { minLength: 20, maxLength: 120, size: 'max' },
);

/** The same works in the real queue, which are ended and stopped from outside. */
function createRealWorks(limits: FairQueueOptions) {
  const refusal = new Error('refused');
  const queue = new FairQueue({ ...limits, createRefusal: () => refusal });
  const works: { state: State; end(): void; readonly controller: AbortController }[] = [];
  return {
    queue,
    works,
    add: ({ key, isPreferred, form }: typeof add extends fc.Arbitrary<infer A> ? A : never): void => {
      const controller = new AbortController();
      const { promise, resolve } = Promise.withResolvers<void>();
      const work = { state: 'waiting' as State, end: resolve, controller };
      works.push(work);
      const turn = { key, isPreferred, signal: controller.signal };
      const begin = (): void => {
        assert.equal(work.state, 'waiting', 'a work begins once');
        work.state = 'running';
      };
      const ended =
        form === 'run'
          ? queue.run(async () => {
              begin();
              await promise;
            }, turn)
          : queue.acquire(turn).then(async (release) => {
              begin();
              await promise;
              release();
            });
      ended.then(
        () => (work.state = 'done'),
        (error: unknown) => {
          assert.equal(work.state, 'waiting', 'what is refused, or has left, has not begun');
          work.state = error === refusal ? 'refused' : 'left';
        },
      );
    },
  };
}

test('the queue does what the lists say, passes no limit, leaves no room unused, and everybody gets a turn or is told', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  await fc.assert(
    fc.asyncProperty(options, steps, async (limits, all) => {
      const oracle = new ListScheduler(limits as FairQueueOptions);
      const real = createRealWorks(limits as FairQueueOptions);
      const end = (work: Work): void => {
        oracle.end(work);
        real.works[oracle.works.indexOf(work)]?.end();
      };
      const check = async (): Promise<void> => {
        await settle();
        assert.deepEqual(
          real.works.map(({ state }) => state),
          oracle.works.map(({ state }) => state),
        );
        const [perTenant = Infinity, perManager = Infinity] = limits.maxConcurrentPerKey;
        assert.ok(oracle.running().length <= limits.maxConcurrent);
        for (const { key } of oracle.running())
          assert.ok(oracle.running(key.slice(0, 1)).length <= perTenant && oracle.running(key).length <= perManager);
        for (const work of oracle.waiting()) assert.ok(!oracle.hasRoom(work));
        assert.equal(real.queue.waiting, oracle.waiting().length);
      };
      for (const step of all) {
        if ('add' in step) {
          oracle.add(step.add.key, step.add.isPreferred);
          real.add(step.add);
        } else if ('end' in step) {
          const running = oracle.running();
          if (running.length > 0) end(running[step.end % running.length]!);
        } else if ('leave' in step) {
          // Those that run do not notice it.
          const at = step.leave % Math.max(1, oracle.works.length);
          if (oracle.works[at]?.state === 'waiting') oracle.works[at].state = 'left';
          real.works[at]?.controller.abort();
        } else {
          oracle.pass(step.pass);
          mock.timers.tick(step.pass);
        }
        await check();
      }
      for (let [work] = oracle.running(); work !== undefined; [work] = oracle.running()) {
        end(work);
        await check();
      }
      assert.deepEqual(oracle.waiting(), []);
    }),
    { numRuns: 300 },
  );
});

test('no key has two turns while another one waits, at any level', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(keys, fc.constant(undefined)), { maxLength: 60, size: 'max' }), async (all) => {
      const queue = new FairQueue({ maxConcurrent: 1 });
      const waiting: string[] = [];
      /** The paths that had a turn since another one, which waits, had its last or joined. */
      const overtaken = new Map<string, Set<string>>();
      const pathsOf = (key: string): string[] => [key.slice(0, 1), key];
      const isWaiting = (path: string): boolean => waiting.some((key) => pathsOf(key).includes(path));
      const isSibling = (a: string, b: string): boolean =>
        a !== b && a.length === b.length && (a.length === 1 || a.startsWith(b.slice(0, 1)));
      const ends: (() => void)[] = [];
      const begin = (key: string): Promise<void> => {
        waiting.splice(waiting.indexOf(key), 1);
        for (const path of pathsOf(key)) {
          overtaken.delete(path);
          for (const [other, by] of overtaken) {
            if (!isSibling(path, other) || !isWaiting(other)) continue;
            assert.ok(!by.has(path), `${path} had two turns while ${other} waited`);
            by.add(path);
          }
          overtaken.set(path, new Set());
        }
        return new Promise((resolve) => ends.push(resolve));
      };
      const runs: Promise<void>[] = [];
      for (const key of all) {
        if (key === undefined) ends.shift()?.();
        else {
          const name = key.join('/');
          for (const path of pathsOf(name)) if (!isWaiting(path)) overtaken.set(path, new Set());
          waiting.push(name);
          runs.push(queue.run(() => begin(name), { key }));
        }
        await settle();
      }
      for (; ends.length > 0; await settle()) ends.shift()?.();
      await Promise.all(runs);
      assert.deepEqual(waiting, []);
    }),
    { numRuns: 200 },
  );
});
