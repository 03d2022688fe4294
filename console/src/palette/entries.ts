// What the palette finds without asking the service: the screens and places of the manager, and the object of a KID.

import type { BankAccess, CurrentManager } from '../api/operations.ts';
import { may, nameOfPlace } from '../api/rights.ts';
import { openTabs } from '../banks/bank-page.tsx';
import type { IconName } from '../components/icon-paths.ts';
import { bankKidOf, type FoundKid } from '../kid.ts';
import type { Translate } from '../language/catalogue.ts';
import { openGroups } from '../layout/navigation.tsx';
import { bankPath, locationPath, pathOfKid } from '../paths.ts';
import { mayOpenScreen, screenOfKid, screensIn, type ShownScreen } from '../screens.ts';

export type Entry = {
  readonly key: string;
  readonly title: string;
  /** The place of the entry, or what it belongs to. */
  readonly detail?: string;
  readonly icon: IconName;
} & ({ readonly to: string; readonly search?: Readonly<Record<string, string>> } | { readonly run: () => void });

export type EntryGroup = { readonly title: string; readonly entries: readonly Entry[] };

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/**
 * Filters as the lists of the service do: each word that was typed is the beginning of a word, and accents do not
 * count.
 */
export function matches(typed: string, text: string): boolean {
  const words = wordsOf(text);
  return wordsOf(typed).every((beginning) => words.some((word) => word.startsWith(beginning)));
}

export const listScreens = (manager: CurrentManager, t: Translate): Entry[] => [
  ...openGroups(manager).flatMap(({ title, items }) =>
    items.map((screen) => ({ ...entryOf(screen, t), ...(title === undefined ? {} : { detail: t(title) }) })),
  ),
  ...screensIn('menu').map((screen) => entryOf(screen, t)),
];

const entryOf = ({ path, title, icon }: ShownScreen, t: Translate): Entry => ({
  key: path,
  title: t(title),
  icon,
  to: path,
});

/** The housing association of the screen goes first. */
export const orderBanks = ({ access }: CurrentManager, currentKid: string): BankAccess[] =>
  access.banks.toSorted((a, b) => Number(b.kid === currentKid) - Number(a.kid === currentKid));

export const listBanks = (manager: CurrentManager, banks: readonly BankAccess[]): Entry[] =>
  may(manager, 'GetBankLocations')
    ? banks.map(({ kid, name }) => ({ key: kid, title: name, detail: kid, icon: 'bank', to: bankPath(kid) }))
    : [];

export const listLocations = (manager: CurrentManager, banks: readonly BankAccess[]): Entry[] =>
  may(manager, 'GetLocationUnits')
    ? banks.flatMap(({ name: bankName, locations }) =>
        locations.map(({ kid, name }) => ({
          key: kid,
          title: name,
          detail: bankName,
          icon: 'location' as const,
          to: locationPath(kid),
        })),
      )
    : [];

export const listBankScreens = (manager: CurrentManager, banks: readonly BankAccess[], t: Translate): Entry[] =>
  banks.flatMap(({ kid, name }) =>
    openTabs(manager, kid).map(({ to, title, icon }) => ({ key: to, title: t(title), detail: name, icon, to })),
  );

/** The screen of the object, and what the audit log has of it. */
export function listOfKid(manager: CurrentManager, found: FoundKid, t: Translate): Entry[] {
  const { kid } = found;
  const screen = screenOfKid(found);
  const to = pathOfKid(found);
  const bankKid = bankKidOf(kid);
  const entries: Entry[] = [];
  if (to !== undefined && screen?.kid !== undefined && mayOpenScreen(manager, screen))
    entries.push({
      key: `kid ${kid}`,
      title: `${t(screen.kid.text)} ${kid}`,
      ...(bankKid === '' ? {} : { detail: nameOfPlace(manager, bankKid) }),
      icon: screen.kid.icon,
      to,
      search: screen.kid.search ?? {},
    });
  if (may(manager, 'GetAuditLog'))
    entries.push({
      key: `audit ${kid}`,
      title: t('palette.auditOf', { kid }),
      icon: 'audit',
      to: '/audit',
      search: { object: kid },
    });
  return entries;
}
