// The main navigation: only what the manager may open.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { OperationId } from '../api/client.ts';
import type { CurrentManager } from '../api/operations.ts';
import { may } from '../api/rights.ts';
import type { IconName } from '../components/icon-paths.ts';
import { Icon } from '../components/icon.tsx';
import type { TextKey } from '../language/catalogue.ts';
import { useLanguage } from '../portal.tsx';

type Item = {
  readonly to: string;
  readonly text: TextKey;
  readonly icon: IconName;
  /** What the screen reads; without it everybody may open the screen. */
  readonly operation?: OperationId;
};

type Group = { readonly title?: TextKey; readonly items: readonly Item[] };

const groups: readonly Group[] = [
  {
    items: [
      { to: '/', text: 'nav.home', icon: 'home' },
      { to: '/banks', text: 'nav.banks', icon: 'bank', operation: 'GetBankIcons' },
      { to: '/statistics', text: 'nav.statistics', icon: 'statistics' },
    ],
  },
  {
    title: 'nav.administration',
    items: [
      { to: '/managers', text: 'nav.managers', icon: 'managers', operation: 'GetManagers' },
      { to: '/installers', text: 'nav.installers', icon: 'installers', operation: 'GetInstallers' },
      { to: '/services', text: 'nav.services', icon: 'services', operation: 'GetServices' },
      { to: '/imports', text: 'nav.imports', icon: 'import', operation: 'GetImports' },
      { to: '/audit', text: 'nav.audit', icon: 'audit', operation: 'GetAuditLog' },
    ],
  },
  {
    title: 'nav.operation',
    items: [
      { to: '/logs/live', text: 'nav.liveLogs', icon: 'liveLogs', operation: 'GetLiveLogs' },
      { to: '/logs/hosting', text: 'nav.hostingLogs', icon: 'hosting', operation: 'GetHostingLogs' },
      { to: '/metrics', text: 'nav.metrics', icon: 'metrics', operation: 'GetHostingMetrics' },
    ],
  },
];

/** What the manager may open. */
export const openGroups = (manager: CurrentManager): readonly Group[] =>
  groups
    .map(({ items, ...group }) => ({
      ...group,
      items: items.filter(({ operation }) => operation === undefined || may(manager, operation)),
    }))
    .filter(({ items }) => items.length > 0);

type NavigationProps = { readonly manager: CurrentManager; readonly onFollow?: () => void };

export function Navigation({ manager, onFollow }: NavigationProps): JSX.Element {
  const { t } = useLanguage();
  return (
    <>
      {openGroups(manager).map(({ title, items }) => (
        <div key={title ?? ''} className="nav-group">
          {title === undefined ? undefined : <p className="nav-title">{t(title)}</p>}
          <ul>
            {items.map(({ to, text, icon }) => (
              <li key={to}>
                <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }} onClick={onFollow}>
                  <Icon name={icon} />
                  {t(text)}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}
