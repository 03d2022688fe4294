// A login takes as long for a user who does not exist as for one who does: as many hashes, and as much processor time,
// over 1,000 logins taken in turns. Nothing here depends on how fast or busy the machine is.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPasswordHasher } from '../../src/features/passwords/process/password-hasher.ts';
import { insertTestManager } from '../support/factories.ts';
import { createHashCounter } from '../support/password-hashing.ts';
import { startInstance, type TestInstance } from '../support/instances.ts';
import { serviceFixture } from '../support/service-suite.ts';

const samples = 1000;
/** So that no account has more failures than it may. */
const accounts = 100;
// Cheap, and still most of what a login costs.
const passwords = createPasswordHasher({ memory: 1024, passes: 2, parallelism: 1, tagLength: 32 });

const { service, started, onStop } = serviceFixture('sqlite', { manager: false });
let instance: TestInstance;

before(async () => {
  await started;
  instance = await startInstance(service, { passwordHasher: passwords });
  onStop(instance.stop);
  const passwordHash = await passwords.hash('violet teapots sing');
  await service.write('sund', async (db) => {
    for (let at = 0; at < accounts; at += 1) await insertTestManager(db, { userName: `known${at}`, passwordHash });
  });
});

/** The processor time of a login that fails, in microseconds, of all threads of this process. */
async function failLogin(userName: string, at: number): Promise<number> {
  const earlier = process.cpuUsage();
  const { statusCode } = await instance.app.inject({
    method: 'POST',
    url: '/api/v1/session/login',
    remoteAddress: `198.51.${100 + Math.floor(at / 250)}.${at % 250}`,
    headers: { host: 'api.sund.localhost' },
    payload: { userName, password: 'amber kettles hum' },
  });
  const { user, system } = process.cpuUsage(earlier);
  assert.equal(statusCode, 401);
  return user + system;
}

/**
 * How often a value of the one sample is greater than one of the other: 0.5 if they cannot be distinguished (Mann and
 * Whitney).
 */
function shareOfGreater(one: readonly number[], other: readonly number[]): number {
  let greater = 0;
  for (const a of one) for (const b of other) greater += a > b ? 1 : a === b ? 0.5 : 0;
  return greater / (one.length * other.length);
}

test('[auth.27] over 1,000 logins, known and unknown users cost one hash each and cannot be told apart by their cost', async () => {
  const hashings = createHashCounter();
  after(() => hashings.stop());
  const costs: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  // What is compiled and read first.
  for (let at = 0; at < 20; at += 1) await failLogin(`${at % 2 === 0 ? 'known' : 'unknown'}${at}`, 900 + at);
  const hashes = await hashings.countDuring(async () => {
    for (let at = 0; at < samples; at += 1) {
      // Whoever comes first in a pair may pay for what the other finds ready.
      const kind = (at + Math.floor(at / 2)) % 2 === 0 ? 'known' : 'unknown';
      costs[kind].push(await failLogin(`${kind}${at % accounts}`, at));
    }
  });
  assert.equal(hashes, samples);
  assert.deepEqual([costs.known.length, costs.unknown.length], [samples / 2, samples / 2]);
  // Without a hash the share is 0; by mere chance it leaves 0.5 by 0.02.
  const share = shareOfGreater(costs.unknown, costs.known);
  assert.ok(share > 0.3 && share < 0.7, `an unknown user costs more than a known one in ${share.toFixed(3)} of pairs`);
});
