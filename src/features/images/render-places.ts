// Bounds how many images of one group are rendered at the same time. A first burst waits for a moment instead of being
// refused, and large pictures leave most of the places to small ones.

import { FairQueue } from '../../lib/fair-queue.ts';
import { Problem } from '../../lib/problem.ts';

const maxConcurrent = 16;
const maxWaiting = 48;
const maxConcurrentHeavy = 4;
const maxConcurrentHeavyPerClient = 2;
const maxWaitingHeavy = 8;
const defaultMaxWaitMs = 3000;

export type RenderTurn = {
  /** The client's address as rate limits count it: addresses take turns. */
  readonly clientAddress: string;
  /** Takes long to render. Has one of the few places of its kind, of which an address never holds all. */
  readonly isHeavy: boolean;
};

export class RenderPlaces {
  readonly #all: FairQueue;
  readonly #heavy: FairQueue;

  /** Who waits for longer than `maxWaitMs` is refused with Problem `too-many-renders`. */
  constructor(maxWaitMs = defaultMaxWaitMs) {
    const createRefusal = (): Problem => new Problem('too-many-renders');
    this.#all = new FairQueue({ maxConcurrent, maxWaiting, maxWaitMs, createRefusal });
    this.#heavy = new FairQueue({
      maxConcurrent: maxConcurrentHeavy,
      maxConcurrentPerKey: maxConcurrentHeavyPerClient,
      maxWaiting: maxWaitingHeavy,
      maxWaitMs,
      createRefusal,
    });
  }

  /** Renders when it is the client's turn. */
  render<T>({ clientAddress: key, isHeavy }: RenderTurn, work: () => Promise<T>): Promise<T> {
    const run = (): Promise<T> => this.#all.run({ key }, work);
    return isHeavy ? this.#heavy.run({ key }, run) : run();
  }

  /** Reads an image from disk, which takes least: it comes before most of what is rendered. */
  read<T>(work: () => Promise<T>): Promise<T> {
    return this.#all.run({ key: '', isPreferred: true }, work);
  }
}
