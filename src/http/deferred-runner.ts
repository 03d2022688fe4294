// Runs work after all requests that have arrived by now were read, so that clients are woken once for several responses.

export type DeferredRunner = {
  run(work: () => void): void;
  /** For work that takes the processor for long: it comes after all other that was put off with it. */
  runLast(work: () => void): void;
};

export function createDeferredRunner(): DeferredRunner {
  let pendingWork: (() => void)[] = [];
  let lastWork: (() => void)[] = [];
  const runPendingWork = (): void => {
    const [batch, last] = [pendingWork, lastWork];
    pendingWork = [];
    lastWork = [];
    for (const work of batch) work();
    for (const work of last) work();
  };
  const schedule = (): void => {
    if (pendingWork.length === 0 && lastWork.length === 0) setImmediate(runPendingWork);
  };
  return {
    run: (work) => {
      schedule();
      pendingWork.push(work);
    },
    runLast: (work) => {
      schedule();
      lastWork.push(work);
    },
  };
}
