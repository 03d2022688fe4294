// The connection to MariaDB is slow, is cut, or hangs during every write: each answer says what happened, and the pool
// serves others as soon as the connection works again.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createSeededRandom, type Random } from '../../demo/random.ts';
import type { ProxyAction } from '../database/support/mysql-proxy.ts';
import type { Round, RoundFigures } from '../rounds/run-rounds.ts';
import { waitUntil } from '../support/async.ts';
import type { HttpReply } from '../support/call.ts';
import { isReplay } from '../support/idempotent-operations.ts';
import {
  sendAgain,
  severalTransactions,
  startWriteBench,
  type ReadyWrite,
  type WriteBench,
} from './support/write-bench.ts';

type Fault = {
  readonly name: string;
  readonly action: ProxyAction;
  /** All statements, the first one that changes a row, or the COMMIT after one. */
  readonly at: 'every-statement' | 'first-change' | 'commit';
  readonly outcome: 'stored' | 'not-stored' | 'unknown, stored' | 'unknown, not stored';
  /** So long takes every write of it. */
  readonly hangs?: true;
};

const faults: readonly Fault[] = [
  { name: 'delayed', action: 'delay', at: 'every-statement', outcome: 'stored' },
  { name: 'byte by byte', action: 'drip', at: 'every-statement', outcome: 'stored' },
  { name: 'cut before a change', action: 'cut-before', at: 'first-change', outcome: 'not-stored' },
  { name: 'cut before COMMIT', action: 'cut-before', at: 'commit', outcome: 'unknown, not stored' },
  { name: 'cut after COMMIT', action: 'cut-answer', at: 'commit', outcome: 'unknown, stored' },
  { name: 'hanging at a change', action: 'keep-statement', at: 'first-change', outcome: 'not-stored', hangs: true },
  {
    name: 'hanging before COMMIT',
    action: 'keep-statement',
    at: 'commit',
    outcome: 'unknown, not stored',
    hangs: true,
  },
  { name: 'hanging after COMMIT', action: 'keep-answer', at: 'commit', outcome: 'unknown, stored', hangs: true },
];

/** So many of the ten connections of the pool hang at the same time. */
const togetherCount = 6;
/** What the pool opens at most, of both groups, and those that kill queries. */
const maxConnections = 10 + 2 + togetherCount;
/** In the short form a fault that lasts as long as the deadline is tried on so many writes. */
const shortHanging = togetherCount;

export const failingConnection: Round = {
  name: 'failing connection to mariadb',
  needs: ['mariadbd', 'mariadb-install-db'],
  run: async ({ isLong, seed }) => {
    const bench = await startWriteBench('mariadb');
    const random = createSeededRandom(seed);
    const figures: Record<string, number | string> = {};
    try {
      for (const fault of faults) {
        const ids = startAnywhere(bench.operationIds, random);
        const chosen = fault.hangs === true && !isLong ? ids.slice(0, shortHanging) : ids;
        figures[fault.name] = await tryFault(bench, fault, chosen);
      }
      await bench.verify();
    } finally {
      await bench.stop();
    }
    return { ...figures, 'acknowledged and lost': 0, 'stored twice': 0 } satisfies RoundFigures;
  },
};

async function tryFault(bench: WriteBench, fault: Fault, operationIds: readonly string[]): Promise<string> {
  let longestMs = 0;
  let answeredInTime = 0;
  for (const together of groupWrites(operationIds)) {
    const writes: ReadyWrite[] = [];
    for (const operationId of together) writes.push(await bench.prepare(operationId));
    arm(bench, fault);
    const sent = await Promise.all(writes.map((write) => sendTimed(write)));
    bench.proxy!.decide = () => 'pass';
    for (const { write, requestId, reply, ms } of sent) {
      longestMs = Math.max(longestMs, ms);
      if (reply.status < 300) answeredInTime += 1;
      await judge(bench, fault, { write, requestId, reply });
    }
    await Promise.all(Array.from({ length: togetherCount * 2 }, () => bench.requireReads()));
    await bench.requireHealthy();
    await waitUntil('the pool closes what it gave up', async () => (await bench.countConnections()) <= maxConnections);
  }
  assert.ok(fault.outcome !== 'stored' || answeredInTime > operationIds.length / 2, 'most slow writes are answered');
  return `${operationIds.length} writes, ${answeredInTime} answered 2xx, the longest ${Math.round(longestMs)} ms`;
}

/** Those of services are of the same one, and would conflict. */
function groupWrites(operationIds: readonly string[]): string[][] {
  const groups: string[][] = operationIds.filter((id) => id.includes('Service')).map((id) => [id]);
  const others = operationIds.filter((id) => !id.includes('Service'));
  for (let at = 0; at < others.length; at += togetherCount) groups.push(others.slice(at, at + togetherCount));
  return groups;
}

function arm({ proxy }: WriteBench, { action, at }: Fault): void {
  /** Connections whose transaction has changed something. */
  const changing = new Set<number>();
  proxy!.decide = (statement, connection) => {
    const isChange = /^(?:insert|update|delete) /.test(statement);
    if (at === 'every-statement') return action;
    if (at === 'first-change') return isChange ? action : 'pass';
    if (isChange) changing.add(connection);
    return statement === 'commit' && changing.delete(connection) ? action : 'pass';
  };
}

/** The same writes in the same order, from one of them on. */
function startAnywhere(ids: readonly string[], random: Random): string[] {
  const at = random.int(0, ids.length - 1);
  return [...ids.slice(at), ...ids.slice(0, at)];
}

type Sent = { readonly write: ReadyWrite; readonly requestId: string; readonly reply: HttpReply };

async function sendTimed(write: ReadyWrite): Promise<Sent & { readonly ms: number }> {
  const requestId = randomUUID();
  const from = performance.now();
  const reply = await write.send(requestId);
  return { write, requestId, reply, ms: performance.now() - from };
}

async function judge(bench: WriteBench, fault: Fault, { write, requestId, reply }: Sent): Promise<void> {
  const isSeveral = severalTransactions.has(write.operationId);
  const effects = await bench.countEffects(write, requestId);
  const place = `${write.operationId}, ${fault.name}: ${reply.status} ${reply.text}, effects: ${effects}`;
  if (reply.status < 300 && fault.outcome === 'stored') {
    assert.ok(effects === 1 || (isSeveral && effects > 0), place);
    return;
  }
  assert.equal(reply.status, 503, place);
  const { code } = reply.json as { readonly code: string };
  // Writes that wait for the locks of others that are slow or hang can end before their own COMMIT.
  const waits = fault.hangs === true || fault.outcome === 'stored';
  const isUnknown = waits ? code === 'storage-outcome-unknown' : fault.outcome.startsWith('unknown');
  // The group of services has one code for both.
  const hasOneCode = code === 'services-unavailable';
  if (!hasOneCode && !isSeveral) assert.equal(code === 'storage-outcome-unknown', isUnknown, place);
  const isStored = waits ? (isUnknown || hasOneCode) && effects > 0 : fault.outcome === 'unknown, stored';
  if (!isSeveral) assert.equal(effects, isStored ? 1 : 0, place);
  if (!write.isKeyed && isStored) return;
  const again = await sendAgain(bench, write);
  assert.ok(again.status < 300, `${place}; the same request: ${again.status} ${again.text}`);
  if (isSeveral) return;
  assert.equal(isReplay(again), isStored, place);
}
