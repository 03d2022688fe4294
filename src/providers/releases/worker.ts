// The thread that validates packages: it answers each request with the verdict.

import { parentPort } from 'node:worker_threads';
import { validatePackage } from './package/validate-package.ts';
import type { ValidationRequest } from './validate-in-thread.ts';

parentPort?.on('message', ({ path, expected }: ValidationRequest) => {
  void validatePackage(path, expected).then((verdict) => parentPort?.postMessage(verdict));
});
