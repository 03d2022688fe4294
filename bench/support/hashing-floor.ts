// A floor of logins: computes Argon2id with only node:crypto, at the parameters of the service, and compares the tag.
// Prints one line of JSON: `hashing-floor.ts CONCURRENCY SECONDS`.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const [concurrency, seconds] = process.argv.slice(2).map(Number);
const parameters = { nonce: randomBytes(16), memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const argon2Async = promisify(argon2);
const hash = (): Promise<Buffer> => argon2Async('argon2id', { message: 'violet teapots sing', ...parameters });
const stored = await hash();
const began = performance.now();
const until = began + (seconds ?? 1) * 1000;
let verified = 0;

async function verifyUntilEnd(): Promise<void> {
  while (performance.now() < until) {
    if (!timingSafeEqual(await hash(), stored)) throw new Error('the same password has another hash');
    verified += 1;
  }
}

await Promise.all(Array.from({ length: concurrency ?? 1 }, verifyUntilEnd));
process.stdout.write(`${JSON.stringify({ perSecond: (verified * 1000) / (performance.now() - began) })}\n`);
