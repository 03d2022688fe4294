// The settings for keys while the computer of a unit cannot ask the service whether a resident may use the unit.

import { setting } from './value-definition.ts';

export const offlineSettings = [
  /** By the list of keys that the computer has; by the list, up to a limit; or nobody. */
  setting('Network', 'OfflineAuthorisation', 'enum', {
    options: ['List', 'ListWithLimit', 'Deny'],
    fallback: 'ListWithLimit',
  }),
  /** What a resident may use of the unit, in all, before the computer reaches the service again. */
  setting('Network', 'OfflineLimit', 'money', { min: 0, max: 100_000_000 }),
] as const;
