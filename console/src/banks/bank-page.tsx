// The frame of the screens of a housing association: its name, and the way between them.

import { Link, useParams } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import type { CurrentManager } from '../api/operations.ts';
import { nameOfPlace } from '../api/rights.ts';
import { Icon } from '../components/icon.tsx';
import { Page, type Crumb } from '../components/page.tsx';
import { bankPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';
import { mayOpenScreen, screensIn, type BankTab, type ShownScreen } from '../screens.ts';

const tabs = screensIn('bank').map((screen) => ({
  ...screen,
  tab: screen.path.slice('/banks/$bankKid/'.length),
}));

function screenOf(tab: BankTab): ShownScreen {
  const screen = tabs.find((each) => each.tab === tab);
  if (screen === undefined) throw new Error(`no screen has the tab ${tab}`);
  return screen;
}

export const mayOpenTab = (manager: CurrentManager, bankKid: string, tab: BankTab): boolean =>
  mayOpenScreen(manager, screenOf(tab), bankKid);

export type OpenTab = Pick<ShownScreen, 'title' | 'icon'> & { readonly to: string };

/** The screens of a housing association that the manager may open. */
export const openTabs = (manager: CurrentManager, bankKid: string): readonly OpenTab[] =>
  tabs
    .filter((screen) => mayOpenScreen(manager, screen, bankKid))
    .map(({ tab, title, icon }) => ({ to: bankPath(bankKid, tab), title, icon }));

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
      title={t(screenOf(tab).title)}
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
        {openTabs(manager, bankKid).map(({ to, title, icon }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: to === bankPath(bankKid), includeSearch: false }}>
              <Icon name={icon} />
              {t(title)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The way from what is in a housing association back to one of its screens. */
export function useBankCrumbs(bankKid: string, tab: BankTab = ''): Crumb[] {
  const { t } = useLanguage();
  const manager = useManager();
  const bank = { title: nameOfPlace(manager, bankKid), to: bankPath(bankKid) };
  const here = { title: t(screenOf(tab).title), to: bankPath(bankKid, tab) };
  return [{ title: t('nav.banks'), to: '/banks' }, bank, ...(tab === '' ? [] : [here])];
}
