// While one item of an iteration is used, the next one is being made.

import { setImmediate as endOfTurn } from 'node:timers/promises';

export async function* prefetchNext<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (let next = iterator.next(); ;) {
      const { done, value } = await next;
      if (done === true) return;
      next = iterator.next();
      // The consumer may stop here, and then nobody awaits it.
      next.catch(() => {});
      // What is asked in this turn of the event loop is sent at its end, and the consumer may take long without one.
      await endOfTurn();
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
