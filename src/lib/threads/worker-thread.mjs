// Where a thread begins. It is JavaScript so that it can turn on the cache of compiled modules before the first TypeScript
// is read: a thread that has to strip types itself holds twice the memory.

import { enableCompileCache, flushCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

const { module, compileCache } = workerData;
if (compileCache !== undefined) enableCompileCache(compileCache);
await import(module);
// For the threads after this one.
if (compileCache !== undefined) flushCompileCache();
