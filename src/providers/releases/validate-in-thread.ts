// Validates a package in its own thread: one of hundreds of megabytes takes seconds, in which the service answers other
// requests.

import { WorkerThread } from '../../lib/threads/worker-thread.ts';
import type { ExpectedPackage, PackageVerdict } from './package/validate-package.ts';

export type ValidationRequest = { readonly path: string; readonly expected: ExpectedPackage };

export type ValidatePackage = (request: ValidationRequest, signal: AbortSignal) => Promise<PackageVerdict>;

/** When the signal aborts, the thread is terminated, and the promise rejects. */
export const validateInThread: ValidatePackage = async (request, signal) => {
  signal.throwIfAborted();
  const thread = new WorkerThread({
    module: new URL('./worker.ts', import.meta.url),
    name: 'releases',
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 },
  });
  try {
    return await thread.request<PackageVerdict>(request, signal);
  } finally {
    await thread.end();
  }
};
