// Follows what a computer has to know: reads changes and snapshots, and applies them as a computer does.

import { formatCanonicalJson } from '../../src/lib/text/canonical-json.ts';
import type { CallOptions, HttpReply } from './call.ts';
import type { TestService } from './service.ts';

export type Thing = Readonly<Record<string, unknown>> & { readonly kind: string };
export type Change = Thing & { readonly v: number };
export type Changes = { readonly version: number; readonly more: boolean; readonly changes: Change[] };
export type Snapshot = { readonly things: Thing[]; readonly version: number; readonly digests: Record<string, string> };

type Caller = Pick<TestService, 'call'>;

export const readDesired = (
  { call }: Caller,
  token: string,
  after: number,
  { wait = 0, ...options }: CallOptions & { readonly wait?: number } = {},
): Promise<HttpReply> => call('GET', `/equipment/v1/desired?after=${after}&wait=${wait}`, { token, ...options });

export async function readSnapshot({ call }: Caller, token: string): Promise<Snapshot> {
  const { status, text } = await call('GET', '/equipment/v1/snapshot', { token });
  if (status !== 200) throw new Error(text);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { end, version, digests } = lines.pop();
  if (end !== true) throw new Error('the snapshot has no end');
  return { things: lines, version, digests };
}

/** What a computer keeps, by what names each thing. */
export type DeviceMemory = Map<string, Thing>;

const nameOf = ({ kind, unit, name, key, bookingKid, kid, posting, id }: Thing): string =>
  kind === 'setting'
    ? `${kind} ${String(unit)} ${String(name)}`
    : `${kind} ${String(key ?? bookingKid ?? kid ?? posting ?? id ?? unit)}`;

export function applyThings(memory: DeviceMemory, things: readonly Thing[]): void {
  for (const thing of things) {
    if (thing['removed'] === true || (thing.kind === 'booking' && thing['state'] !== 'Booked'))
      memory.delete(nameOf(thing));
    else memory.set(nameOf(thing), thing);
  }
}

/** The things that last, without what says where they were changed. */
export const listLasting = (memory: DeviceMemory): string[] =>
  [...memory.values()]
    .filter(({ kind }) => kind !== 'command' && kind !== 'posting')
    .map((thing) => formatCanonicalJson(thing, new Set(['v', 'revision'])))
    .toSorted();

/** Reads all changes after a version. */
export async function follow(service: Caller, token: string, memory: DeviceMemory, after: number): Promise<number> {
  for (let from = after; ;) {
    const { status, json, text } = await readDesired(service, token, from);
    if (status !== 200) throw new Error(text);
    const { version, more, changes } = json as Changes;
    applyThings(memory, changes);
    from = version;
    if (!more) return version;
  }
}
