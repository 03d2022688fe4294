// Runs work after all requests that have arrived by now were read, so that clients are woken once for several responses.

export function createDeferredRunner(): (work: () => void) => void {
  let pendingWork: (() => void)[] = [];
  const runPendingWork = (): void => {
    const batch = pendingWork;
    pendingWork = [];
    for (const work of batch) work();
  };
  return (work) => {
    if (pendingWork.length === 0) setImmediate(runPendingWork);
    pendingWork.push(work);
  };
}
