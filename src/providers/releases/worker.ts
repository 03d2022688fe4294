// The thread that validates a package: it answers with the verdict, and ends.

import { parentPort, workerData } from 'node:worker_threads';
import { validatePackage } from './package/validate-package.ts';
import type { ValidationRequest } from './validate-in-thread.ts';

const { path, expected } = workerData as ValidationRequest;
parentPort?.postMessage(await validatePackage(path, expected));
