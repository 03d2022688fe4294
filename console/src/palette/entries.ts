// What the palette finds without asking the service: the screens and places of the manager, and the object of a KID.

import type { OperationId } from '../api/client.ts';
import type { BankAccess, CurrentManager } from '../api/operations.ts';
import { may, nameOfPlace } from '../api/rights.ts';
import { openTabs } from '../banks/bank-page.tsx';
import type { IconName } from '../components/icon-paths.ts';
import { bankKidOf, type FoundKid, type KidType } from '../kid.ts';
import type { TextKey, Translate } from '../language/catalogue.ts';
import { openGroups } from '../layout/navigation.tsx';
import { bankPath, locationPath, pathOfKid } from '../paths.ts';

export type Entry = {
  readonly key: string;
  readonly title: string;
  /** Where it is, or what it belongs to. */
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

/** As lists of the service are filtered: each word that was typed is the beginning of a word, and accents do not count. */
export function matches(typed: string, text: string): boolean {
  const words = wordsOf(text);
  return wordsOf(typed).every((beginning) => words.some((word) => word.startsWith(beginning)));
}

export const listScreens = (manager: CurrentManager, t: Translate): Entry[] => [
  ...openGroups(manager).flatMap(({ title, items }) =>
    items.map(({ to, text, icon }) => ({
      key: to,
      title: t(text),
      ...(title === undefined ? {} : { detail: t(title) }),
      icon,
      to,
    })),
  ),
  { key: '/profile', title: t('nav.profile'), icon: 'manager', to: '/profile' },
];

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
    openTabs(manager, kid).map(({ to, text, icon }) => ({ key: to, title: t(text), detail: name, icon, to })),
  );

type KidScreen = { readonly text: TextKey; readonly icon: IconName; readonly operation: OperationId };

const kidScreens: Readonly<Record<KidType, KidScreen>> = {
  bank: { text: 'word.bank', icon: 'bank', operation: 'GetBankLocations' },
  location: { text: 'word.location', icon: 'location', operation: 'GetLocationUnits' },
  unit: { text: 'word.unit', icon: 'unit', operation: 'GetUnitOverview' },
  document: { text: 'word.document', icon: 'documents', operation: 'GetUnitDocumentTable' },
  resident: { text: 'word.resident', icon: 'manager', operation: 'GetBankUserWorkspace' },
  posting: { text: 'word.posting', icon: 'account', operation: 'GetBankAccount' },
  booking: { text: 'word.booking', icon: 'bookings', operation: 'GetBankBooking' },
  computer: { text: 'word.computer', icon: 'computer', operation: 'GetComputer' },
  heldLine: { text: 'word.heldLine', icon: 'held', operation: 'GetHeldLines' },
  import: { text: 'word.import', icon: 'import', operation: 'GetImport' },
  manager: { text: 'word.manager', icon: 'manager', operation: 'GetManager' },
  installer: { text: 'nav.installers', icon: 'installers', operation: 'GetInstaller' },
  service: { text: 'word.service', icon: 'services', operation: 'GetService' },
};

/** The lists in which an object stands among others show those of every state. */
const searchOf = ({ type }: FoundKid): Record<string, string> => (type === 'heldLine' ? { state: 'all' } : {});

/** The screen of the object, and what the audit log has of it. */
export function listOfKid(manager: CurrentManager, found: FoundKid, t: Translate): Entry[] {
  const { text, icon, operation } = kidScreens[found.type];
  const { kid } = found;
  const to = pathOfKid(found);
  const bankKid = bankKidOf(kid);
  const entries: Entry[] = [];
  if (to !== undefined && may(manager, operation))
    entries.push({
      key: `kid ${kid}`,
      title: `${t(text)} ${kid}`,
      ...(bankKid === '' ? {} : { detail: nameOfPlace(manager, bankKid) }),
      icon,
      to,
      search: searchOf(found),
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
