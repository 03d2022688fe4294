// Preloaded into every test process. Keeps node:test from following every promise: it would hear of the beginning and of the
// end of each, which takes a tenth of the processor time of all tests. An error that nobody handles still fails the run, but
// may be told of the file, or of another test of it.
import hooks, { type HookCallbacks } from 'node:async_hooks';

const { createHook } = hooks;
Object.assign(hooks, {
  createHook: (callbacks: HookCallbacks) => createHook({ trackPromises: false, ...callbacks }),
});
