// Starts a TypeScript module in a thread of its own, with little memory.

import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Bodies lie outside of the heap, and what is on it is gone with the next message. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 };

export function startThread(module: URL, { name, settings }: { name: string; settings: object }): Worker {
  const workerData = { ...settings, module: module.href, compileCache: compileCacheDirectory() };
  // A thread needs neither the flags nor the environment of the process.
  return new Worker(new URL('./thread.mjs', import.meta.url), {
    name,
    workerData,
    execArgv: [],
    env: {},
    resourceLimits,
  });
}

/** What enableCompileCache takes; undefined where this process keeps none. The directory in use has its version below. */
function compileCacheDirectory(): string | undefined {
  const directory = getCompileCacheDir();
  return directory === undefined ? undefined : dirname(directory);
}
