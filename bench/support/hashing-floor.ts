// A floor of logins: verifies passwords as fast as the hasher of the service does, without anything around it. Prints one line
// of JSON: `hashing-floor.ts CONCURRENCY SECONDS`.

import { createPasswordHasher } from '../../src/features/passwords/process/password-hasher.ts';

const [concurrency, seconds] = process.argv.slice(2).map(Number);
const passwords = createPasswordHasher();
const stored = await passwords.hash('violet teapots sing');
const began = performance.now();
const until = began + (seconds ?? 1) * 1000;
let verified = 0;

async function verifyUntilEnd(): Promise<void> {
  while (performance.now() < until) {
    await passwords.verify('violet teapots sing', stored);
    verified += 1;
  }
}

await Promise.all(Array.from({ length: concurrency ?? 1 }, verifyUntilEnd));
process.stdout.write(`${JSON.stringify({ perSecond: (verified * 1000) / (performance.now() - began) })}\n`);
