// Where the thread that validates a package begins. It is JavaScript so that it can turn on the cache of compiled modules
// before the first TypeScript is read.

import { enableCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

const { compileCache } = workerData;
if (compileCache !== undefined) enableCompileCache(compileCache);
await import('./worker.ts');
