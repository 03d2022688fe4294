// Finds out whether somebody may use a unit now: what the service says or, where it cannot be reached, what is known here.

import {
  decideOffline,
  offlinePolicies,
  type BookingEntry,
  type Decision,
  type KeyEntry,
} from './offline-authorisation.ts';
import { parseAnswer, textOf, type Requests } from './requests.ts';
import type { Store } from './store.ts';

type AuthoriseContext = {
  readonly store: Store;
  readonly requests: Requests;
  /** Epoch milliseconds, as the service counts them. */
  readonly serverClock: () => number;
};

/** Somebody stands at the machine. */
const timeoutMs = 3000;

export async function authorise(
  context: AuthoriseContext,
  unit: string,
  key: string,
): Promise<Decision & { readonly isOffline: boolean }> {
  const { store, requests } = context;
  const request = { key: store.recall('key'), json: { unit, key }, timeoutMs };
  const answer = await requests.send('POST', '/equipment/v1/authorise', request);
  if (answer.status !== 200) return { ...decideFromStore(context, unit, key), isOffline: true };
  return {
    allowed: parseAnswer(answer)['allowed'] === true,
    reason: textOf(answer, 'reason') ?? '',
    isOffline: false,
  };
}

function decideFromStore({ store, serverClock }: AuthoriseContext, unit: string, key: string): Decision {
  const entry = store.findEntry('key', key);
  return decideOffline({
    policy:
      offlinePolicies.find((policy) => policy === settingOf(store, unit, 'OfflineAuthorisation')) ?? 'ListWithLimit',
    limitMinor: Number(settingOf(store, unit, 'OfflineLimit') ?? 0),
    unit,
    entry: entry === undefined ? undefined : (JSON.parse(entry) as KeyEntry),
    bookings: store.listEntries('booking').map((booking) => JSON.parse(booking.entry) as BookingEntry),
    spentMinor: store.unsentConsumption(unit, key),
    nowMs: serverClock(),
  });
}

/** Undefined where the setting has never been sent. */
function settingOf(store: Store, unit: string, name: string): unknown {
  const entry = store.findEntry('setting', `${unit}/${name}`);
  return (JSON.parse(entry ?? '{}') as { readonly value?: unknown }).value;
}
