// The time zones of the places of a housing association: times are shown in that of their place.

import { useRead } from '../api/use-read.ts';

const maxLimit = 200;
const usualZone = 'Europe/Copenhagen';

export type TimeZones = {
  /** False until they have been read, or could not be. */
  readonly isKnown: boolean;
  /** The zone of the whole. */
  readonly ofBank: string;
  readonly of: (locationKid: string | null) => string;
};

export function useTimeZones(bankKid: string, enabled = true): TimeZones {
  const { data, isPending } = useRead('GetBankLocations', { bankKid, limit: maxLimit }, { enabled });
  const items = data?.items ?? [];
  const ofBank = items[0]?.timeZone ?? usualZone;
  return {
    isKnown: !isPending,
    ofBank,
    of: (locationKid) => items.find(({ kid }) => kid === locationKid)?.timeZone ?? ofBank,
  };
}
