// Where a thread that renders documents begins. It is JavaScript so that it can turn on the cache of compiled modules
// before the first TypeScript is read.

import { enableCompileCache, flushCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

const { compileCache } = workerData;
if (compileCache !== undefined) enableCompileCache(compileCache);
await import('./worker.ts');
// For the threads after this one.
if (compileCache !== undefined) flushCompileCache();
