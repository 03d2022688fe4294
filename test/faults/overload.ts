// Ten times as many clients as the service has capacity for: it answers nearly as many requests as without them, refuses
// the others cleanly, and is as quick as before within seconds of their end.

import assert from 'node:assert/strict';
import type { Engine } from '../support/service.ts';
import type { Round, RoundFigures } from '../rounds/run-rounds.ts';
import { startLoadedService } from './support/loaded-service.ts';
import { sendLoad, type LoadResult, type LoadTarget } from './support/steady-load.ts';

/** So many that each waits only for answers use the whole capacity. */
const fullClients = 40;
const overloadClients = fullClients * 10;
const goodShare = 0.8;
const recoveryWithinSeconds = 10;

const cleanRefusals = /^(?:429|503) [a-z-]+$/;

export const overload = (engine: Engine): Round => ({
  name: `overload on ${engine}`,
  needs: engine === 'mariadb' ? ['mariadbd', 'mariadb-install-db'] : [],
  run: async ({ isLong }) => {
    const service = await startLoadedService(engine, { clients: overloadClients });
    try {
      return await overloadService(service.target, isLong ? 30 : 6);
    } finally {
      await service.stop();
    }
  },
});

async function overloadService(target: LoadTarget, seconds: number): Promise<RoundFigures> {
  // The first requests compile what all later ones use.
  await sendLoad(target, { clients: fullClients, seconds: 3 });
  const before = await sendLoad(target, { clients: fullClients, seconds });
  const calm = await sendLoad(target, { clients: 2, seconds: 2 });
  const during = await sendLoad(target, { clients: overloadClients, seconds: seconds * 1.5 });
  const recoverySeconds = await measureRecovery(target, calm);
  const after = await sendLoad(target, { clients: fullClients, seconds });
  // The machine may have been slower all the while: both sides of the overload count.
  const capacity = Math.min(before.goodPerSecond, after.goodPerSecond);
  for (const name of during.answers.keys()) assert.match(name, /^20[01]$|^(?:429|503) [a-z-]+$/);
  assert.equal(during.broken, 0, 'broken connections');
  assert.ok(
    during.goodPerSecond >= capacity * goodShare,
    `${during.goodPerSecond} of ${before.goodPerSecond} before and ${after.goodPerSecond} after`,
  );
  const refusals = [...during.answers].filter(([name]) => cleanRefusals.test(name));
  return {
    'capacity before and after, answers per second': `${before.goodPerSecond}, ${after.goodPerSecond}`,
    'with ten times the clients, good answers per second': during.goodPerSecond,
    'good answers in % of capacity': Math.round((100 * during.goodPerSecond) / capacity),
    'refused with 429 or 503': refusals.reduce((sum, [, count]) => sum + count, 0),
    'p50 and p99 of good answers without and with overload, ms': `${before.p50Ms}, ${before.p99Ms}; ${during.p50Ms}, ${during.p99Ms}`,
    'recovery, seconds': recoverySeconds,
  };
}

/** Until two clients are answered as before. */
async function measureRecovery(target: LoadTarget, calm: LoadResult): Promise<number> {
  const from = performance.now();
  for (;;) {
    const probe = await sendLoad(target, { clients: 2, seconds: 0.5 });
    const seconds = Math.round((performance.now() - from) / 100) / 10;
    if (probe.broken === 0 && probe.p50Ms <= Math.max(10, calm.p50Ms * 3)) return seconds;
    assert.ok(seconds < recoveryWithinSeconds, `not recovered: ${probe.p50Ms} ms, ${calm.p50Ms} ms before`);
  }
}
