// The pages of the portal that managers may open, in the reader's words.

import type { TextKey, Translate } from '../language/catalogue.ts';

const tabs: Readonly<Record<string, TextKey>> = {
  Account2: 'bank.account',
  Bookings1: 'bank.bookings',
  Dashboard1: 'tab.dashboard',
  Hosting1: 'nav.metrics',
  Installers1: 'nav.installers',
  Logs1: 'nav.liveLogs',
  Managers1: 'nav.managers',
  Reports1: 'tab.reports',
  Services1: 'nav.services',
  TenantStatus1: 'status.title',
  Units1: 'word.units',
  Users2: 'bank.residents',
  // Each of them opens the same documents.
  WashDoc1: 'bank.documents',
  WashDoc2: 'bank.documents',
  WashDoc3: 'bank.documents',
};

/** Each name once. Later versions of the service may have more Tabs: they keep their own names. */
export const namesOfTabs = (names: readonly string[], t: Translate): readonly string[] => [
  ...new Set(
    names.map((name) => {
      const key = tabs[name];
      return key === undefined ? name : t(key);
    }),
  ),
];
