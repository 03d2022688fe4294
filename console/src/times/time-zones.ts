// The time zones of the places of a housing association: times are shown in that of their place.

import type { UseQueryResult } from '@tanstack/react-query';
import { use } from 'react';
import type { Problem } from '../api/problem.ts';
import { may } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { unknownZone } from '../language/formats.ts';
import { ManagerContext } from '../portal.tsx';
import { zonesInput } from './start-time-zones.ts';

export type TimeZones = {
  /** False until they have been read, or could not be. */
  readonly isKnown: boolean;
  readonly isFailed: boolean;
  /** The zone of the whole. */
  readonly ofBank: string;
  readonly of: (locationKid: string | null) => string;
  /** For what cannot be read without them: shows why they could not be read, if so, in place of the read. */
  readonly before: <Data>(read: UseQueryResult<Data, Problem>) => UseQueryResult<Data, Problem>;
  /** For what shows times: there is nothing of it before the zones are known, since times would change while they are read. */
  readonly after: <Data>(read: UseQueryResult<Data, Problem>) => UseQueryResult<Data, Problem>;
};

/** Those who may not read the locations see times in UTC, which say so. */
export function useTimeZones(bankKid: string, enabled = true): TimeZones {
  // The palette lies outside the screens: it learns what it may not read from the answer.
  const manager = use(ManagerContext);
  const isAllowed = manager === undefined || may(manager, 'GetBankLocations');
  const zones = useRead('GetBankLocations', zonesInput(bankKid), { enabled: enabled && isAllowed });
  const { data } = zones;
  const isFailed = zones.isError && data === undefined;
  const items = data?.items ?? [];
  const isKnown = data !== undefined || !isAllowed;
  const ofBank = items[0]?.timeZone ?? unknownZone;
  return {
    isKnown,
    isFailed,
    ofBank,
    of: (locationKid) => items.find(({ kid }) => kid === locationKid)?.timeZone ?? ofBank,
    // It has failed, so that nobody reads data of it.
    before: (read) => (isFailed ? (zones as unknown as typeof read) : read),
    after: (read) => (isKnown || isFailed ? read : ({ ...read, data: undefined } as typeof read)),
  };
}
