// Follows what the units have to know: the snapshot first, then each change as it comes. A change is confirmed only after
// the device has applied it.

import { createAttempts, type Next } from './attempts.ts';
import { formatEntry } from './digests.ts';
import { idOf, isKept, toRemoval, toStoredEntry, type Change } from './entries.ts';
import { parseAnswer, type Requests } from './requests.ts';
import type { Line } from './lines.ts';
import type { Store } from './store.ts';

/** What became of a change at the device. `code` is the device's own, which managers see. */
export type Applied = { readonly ok: true } | { readonly ok: false; readonly code: string };

/**
 * The machines, doors and meters. A change may come again after a loss of power, and then has to be applied again; only
 * a command is never carried out twice.
 */
export type Device = { apply(change: Change): Applied | Promise<Applied> };

type FollowerOptions = {
  readonly store: Store;
  readonly requests: Requests;
  readonly device: Device;
  /** Epoch milliseconds, as the service counts them. */
  readonly serverClock: () => number;
  readonly random: () => number;
  readonly record: (line: Line) => void;
  readonly onChanged: () => void;
};

export type Follower = {
  /** `waitSeconds` is how long the service waits for a change. */
  followNext(waitSeconds: number): Promise<Next>;
  /** The lists have drifted: the next turn reads the snapshot. */
  resync(): void;
};

/** How long the service is waited for besides its own waiting. */
const graceMs = 20_000;

type Outcome = { readonly change: Change; readonly applied: Applied };

export function createFollower(options: FollowerOptions): Follower {
  const { store, requests, random } = options;
  const attempts = createAttempts(random);
  const readSnapshot = async (): Promise<Next> => {
    const answer = await requests.send('GET', '/equipment/v1/snapshot', {
      key: store.recall('key'),
      timeoutMs: 120_000,
    });
    const snapshot = answer.status === 200 ? parseSnapshot(answer.body) : undefined;
    if (snapshot === undefined) return attempts.failed(answer);
    await applySnapshot(options, snapshot);
    return attempts.succeeded();
  };
  return {
    resync: () => store.remember('version', ''),
    async followNext(waitSeconds) {
      const version = store.recall('version') ?? '';
      if (version === '') return readSnapshot();
      const answer = await requests.send('GET', `/equipment/v1/desired?after=${version}&wait=${waitSeconds}`, {
        key: store.recall('key'),
        timeoutMs: waitSeconds * 1000 + graceMs,
        isPoll: true,
      });
      if (answer.status === 410) return readSnapshot();
      const { version: next, changes } = parseAnswer(answer);
      if (answer.status !== 200 || !Array.isArray(changes)) return attempts.failed(answer);
      await applyChanges(options, changes as Change[], { from: version, to: Number(next) });
      return attempts.succeeded();
    },
  };
}

async function applyChanges(
  options: FollowerOptions,
  changes: readonly Change[],
  { from, to }: { readonly from: string; readonly to: number },
): Promise<void> {
  const { store, record, onChanged } = options;
  const outcomes: Outcome[] = [];
  for (const change of changes) outcomes.push({ change, applied: await applyChange(options, change) });
  store.transaction(() => {
    for (const { change, applied } of outcomes) {
      keep(store, { change, applied });
      record({ t: 'applied', v: change.v, ...applied });
    }
    // Another turn may have asked for the snapshot meanwhile.
    if (store.recall('version') === from) store.remember('version', String(to));
  });
  if (changes.length > 0) onChanged();
}

async function applyChange(options: FollowerOptions, change: Change): Promise<Applied> {
  return change.kind === 'command' ? runCommand(options, change) : apply(options, change);
}

/** A device that throws has not applied the change. */
async function apply({ device }: FollowerOptions, change: Change): Promise<Applied> {
  try {
    return await device.apply(change);
  } catch (error) {
    return { ok: false, code: error instanceof Error ? error.name : 'error' };
  }
}

/** What the device refused is not in its lists: then the digests show it. */
function keep(store: Store, { change, applied }: Outcome): void {
  if (!applied.ok) return;
  if (isKept(change)) store.putEntry(toStoredEntry(change));
  else store.deleteEntry(change.kind, idOf(change));
}

/** Begun at most once: one that a loss of power has interrupted is reported, and not carried out again. */
async function runCommand(options: FollowerOptions, change: Change): Promise<Applied> {
  const { store, record, serverClock } = options;
  const id = idOf(change);
  const earlier = store.commandResult(id);
  if (typeof earlier === 'string') return { ok: true };
  let result: Applied;
  if (earlier === null) result = { ok: false, code: 'interrupted' };
  else if (Date.parse(String(change['expiresAt'])) <= serverClock()) result = { ok: false, code: 'expired' };
  else {
    store.beginCommand(id);
    result = await apply(options, change);
  }
  store.transaction(() => {
    store.beginCommand(id);
    store.endCommand(id, JSON.stringify(result));
    record({ t: 'result', unit: change['unit'], command: id, ...result });
  });
  return { ok: true };
}

type Snapshot = { readonly things: readonly Change[]; readonly version: number };

/** Undefined where the end is missing: the answer was cut. */
function parseSnapshot(body: string): Snapshot | undefined {
  const lines = body.split('\n').filter((line) => line !== '');
  const end = JSON.parse(lines.pop() ?? '{}') as { readonly end?: boolean; readonly version: number };
  if (end.end !== true) return undefined;
  return { things: lines.map((line) => JSON.parse(line) as Change), version: end.version };
}

/** Applies what differs from what is known, in both directions. */
async function applySnapshot(options: FollowerOptions, { things, version }: Snapshot): Promise<void> {
  const { store, record, onChanged } = options;
  const kept = things.filter(isKept);
  const known = new Set(kept.map((thing) => `${thing.kind} ${idOf(thing)}`));
  const gone = store.listEntries().filter(({ kind, id }) => !known.has(`${kind} ${id}`));
  const differing = things.filter((thing) => store.findEntry(thing.kind, idOf(thing)) !== formatEntry(thing));
  const outcomes: Outcome[] = [];
  for (const change of [...gone.map(toRemoval), ...differing])
    outcomes.push({ change, applied: await applyChange(options, change) });
  const isComplete = outcomes.every(({ applied }) => applied.ok);
  store.transaction(() => {
    for (const outcome of outcomes) keep(store, outcome);
    // If the snapshot is not recorded as applied, the digests show what is missing, and it is tried again.
    if (isComplete) record({ t: 'applied', snapshot: version, ok: true });
    store.remember('version', String(version));
  });
  onChanged();
}
