// Limits how many images of one group are rendered at the same time. A first burst waits for a moment instead of being
// refused, and large images leave most of the slots to small ones.

import { FairQueue } from '../../../lib/queues/fair-queue.ts';
import { Problem } from '../../../lib/problem.ts';

const limits = { maxConcurrent: 16, maxWaiting: 48 };
const heavyLimits = { maxConcurrent: 4, maxConcurrentPerKey: [2], maxWaiting: 8 };
const defaultMaxWaitMs = 3000;

export type ImageRenderRequest = {
  /** The client's address as rate limits count it; the queue is fair between addresses. */
  readonly clientAddress: string;
  /**
   * Whether the image takes long to render. Few of these are rendered at the same time, and never all for one address.
   */
  readonly isHeavy: boolean;
};

export class RenderQueue {
  readonly #all: FairQueue;
  readonly #heavy: FairQueue;

  /** A request that waits longer than `maxWaitMs` is refused with Problem `too-many-renders`. */
  constructor(maxWaitMs = defaultMaxWaitMs) {
    const createRefusal = (): Problem => new Problem('too-many-renders');
    this.#all = new FairQueue({ ...limits, maxWaitMs, createRefusal });
    this.#heavy = new FairQueue({ ...heavyLimits, maxWaitMs, createRefusal });
  }

  /** Renders when the queue gives the client a slot. */
  render<T>({ clientAddress, isHeavy }: ImageRenderRequest, work: () => Promise<T>): Promise<T> {
    const turn = { key: [clientAddress] };
    const run = (): Promise<T> => this.#all.run(work, turn);
    return isHeavy ? this.#heavy.run(run, turn) : run();
  }

  /** Reads an image from disk. That is fast, so it comes before most renderings. */
  read<T>(work: () => Promise<T>): Promise<T> {
    return this.#all.run(work, { isPreferred: true });
  }
}
