// The frame of the screens of a housing association: its name, and the way between them.

import { Link, useParams } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import type { OperationId } from '../api/client.ts';
import type { CurrentManager } from '../api/operations.ts';
import { may, mayInBank, nameOfPlace } from '../api/rights.ts';
import type { IconName } from '../components/icon-paths.ts';
import { Icon } from '../components/icon.tsx';
import { Page, type Crumb } from '../components/page.tsx';
import type { TextKey } from '../language/catalogue.ts';
import { bankPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';

export type BankTab =
  | 'locations'
  | 'residents'
  | 'account'
  | 'bookings'
  | 'settlements'
  | 'documents'
  | 'computers'
  | 'held-lines';

type Tab = {
  readonly text: TextKey;
  readonly icon: IconName;
  readonly operation: OperationId;
  /** It needs a grant of the whole housing association. */
  readonly isBankWide?: boolean;
};

const tabs: Readonly<Record<BankTab, Tab>> = {
  locations: { text: 'bank.locations', icon: 'location', operation: 'GetBankLocations' },
  residents: { text: 'bank.residents', icon: 'residents', operation: 'GetBankUsers' },
  account: { text: 'bank.account', icon: 'account', operation: 'GetBankAccount' },
  bookings: { text: 'bank.bookings', icon: 'bookings', operation: 'GetBankBookings' },
  settlements: {
    text: 'bank.settlements',
    icon: 'settlements',
    operation: 'GetBankSettlements',
    isBankWide: true,
  },
  documents: { text: 'bank.documents', icon: 'documents', operation: 'GetBankDocuments' },
  computers: { text: 'bank.computers', icon: 'computer', operation: 'GetComputers' },
  'held-lines': { text: 'bank.heldLines', icon: 'held', operation: 'GetHeldLines' },
};

export const mayOpenTab = (manager: CurrentManager, bankKid: string, name: BankTab): boolean => {
  const { operation, isBankWide } = tabs[name];
  return isBankWide === true ? mayInBank(manager, bankKid, operation) : may(manager, operation);
};

export type OpenTab = { readonly name: BankTab; readonly to: string; readonly text: TextKey; readonly icon: IconName };

/** The screens of a housing association that the manager may open. */
export const openTabs = (manager: CurrentManager, bankKid: string): readonly OpenTab[] =>
  (Object.keys(tabs) as BankTab[])
    .filter((name) => mayOpenTab(manager, bankKid, name))
    .map((name) => ({ ...tabs[name], name, to: bankPath(bankKid, name === 'locations' ? '' : name) }));

/** The value of a placeholder in the address of the screen. */
export function useParameter(name: string): string {
  const parameters: Readonly<Record<string, string>> = useParams({ strict: false });
  return parameters[name] ?? '';
}

type BankPageProps = {
  readonly bankKid: string;
  readonly tab: BankTab;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

export function BankPage({ bankKid, tab, actions, children }: BankPageProps): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const name = nameOfPlace(manager, bankKid);
  return (
    <Page
      title={t(tabs[tab].text)}
      note={name}
      crumbs={[{ title: t('nav.banks'), to: '/banks' }]}
      actions={actions}
      tabs={<BankTabs bankKid={bankKid} manager={manager} />}
    >
      {children}
    </Page>
  );
}

function BankTabs({ bankKid, manager }: { readonly bankKid: string; readonly manager: CurrentManager }): JSX.Element {
  const { t } = useLanguage();
  return (
    <nav className="tabs" aria-label={nameOfPlace(manager, bankKid)}>
      <ul>
        {openTabs(manager, bankKid).map(({ name, to, text, icon }) => (
          <li key={name}>
            <Link to={to} activeOptions={{ exact: name === 'locations', includeSearch: false }}>
              <Icon name={icon} />
              {t(text)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The way from what is in a housing association back to one of its screens. */
export function useBankCrumbs(bankKid: string, tab: BankTab): Crumb[] {
  const { t } = useLanguage();
  const manager = useManager();
  const bank = { title: nameOfPlace(manager, bankKid), to: bankPath(bankKid) };
  const here = { title: t(tabs[tab].text), to: bankPath(bankKid, tab) };
  return [{ title: t('nav.banks'), to: '/banks' }, bank, ...(tab === 'locations' ? [] : [here])];
}
