// Preloaded into every test process. Prints where an error came from that nobody handled: of one that comes after its test,
// node:test tells only the message.
import { basename } from 'node:path';
import { inspect } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import { onFileStart } from './file-starts.ts';

let running = basename(process.argv[1] ?? '');
onFileStart((file) => (running = file));
if (isMainThread)
  for (const event of ['unhandledRejection', 'uncaughtException'] as const)
    process.on(event, (error: unknown) => console.error(`while ${running} ran, ${event}: ${inspect(error)}`));
