// Validates a package in a thread of its own: one of hundreds of megabytes takes seconds, in which others are answered.

import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ExpectedPackage, PackageVerdict } from './package/validate-package.ts';

export type ValidationRequest = { readonly path: string; readonly expected: ExpectedPackage };

export type ValidatePackage = (request: ValidationRequest, signal: AbortSignal) => Promise<PackageVerdict>;

const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

/** When the signal aborts, the thread is ended, and this rejects. */
export const validateInThread: ValidatePackage = async (request, signal) => {
  signal.throwIfAborted();
  const directory = getCompileCacheDir();
  const compileCache = directory === undefined ? undefined : dirname(directory);
  const worker = new Worker(new URL('./thread.mjs', import.meta.url), {
    name: 'release',
    workerData: { ...request, compileCache },
    execArgv: [],
    env: {},
    resourceLimits,
  });
  const end = (): void => void worker.terminate();
  signal.addEventListener('abort', end);
  try {
    return await new Promise<PackageVerdict>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the thread that validates a package has ended')));
    });
  } finally {
    signal.removeEventListener('abort', end);
    await worker.terminate();
  }
};
