// How far a change has come on its way to the equipment, in the reader's words.

import type { DeviceSync, DeviceSyncState, DeviceSyncSubject } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import type { StateTexts } from '../components/state-mark.tsx';
import type { TextKey } from '../language/catalogue.ts';

export const syncTexts: StateTexts<DeviceSyncState> = {
  queued: { text: 'sync.queued', tone: 'plain' },
  sent: { text: 'sync.sent', tone: 'warn' },
  acknowledged: { text: 'unit.synced', tone: 'ok' },
  failed: { text: 'sync.failed', tone: 'bad' },
  superseded: { text: 'sync.superseded', tone: 'plain' },
  expired: { text: 'sync.expired', tone: 'warn' },
};

export const subjectTexts: Readonly<Record<DeviceSyncSubject, TextKey>> = {
  posting: 'word.posting',
  setting: 'sync.setting',
  booking: 'word.booking',
  resident: 'word.resident',
  'place-address': 'word.address',
  command: 'word.command',
};

const listed = 50;
/** While something is on its way, its state is read so often. */
const wayMs = 4000;
const restMs = 60_000;
/** An answer that has not come by then comes from equipment that is away: it is waited for in peace. */
const freshMs = 120_000;

/** Whether something was written so recently that the equipment may confirm it at any moment. */
export const isOnItsWay = (changedUtc: string | null): boolean =>
  changedUtc !== null && Date.now() - Date.parse(changedUtc) < freshMs;

export const pollSecondsOf = (isWaiting: boolean): number => (isWaiting ? wayMs : restMs) / 1000;

export function useUnitSyncs({ bankKid, unitKid }: { readonly bankKid: string; readonly unitKid: string }) {
  return useRead(
    'GetDeviceSyncs',
    { bankKid, unitKid, limit: listed },
    { pollSeconds: ({ items }) => pollSecondsOf(items.some(isWaiting)) },
  );
}

const isWaiting = ({ state, changedUtc }: DeviceSync): boolean =>
  (state === 'queued' || state === 'sent') && isOnItsWay(changedUtc);
