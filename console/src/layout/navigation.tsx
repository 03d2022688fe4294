// The main navigation: only what the manager may open.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { CurrentManager } from '../api/operations.ts';
import { Icon } from '../components/icon.tsx';
import type { TextKey } from '../language/catalogue.ts';
import { useLanguage } from '../portal.tsx';
import { mayOpenScreen, screensIn, type ShownScreen } from '../screens.ts';
import styles from './navigation.module.css';

const titles = { start: undefined, administration: 'nav.administration', operation: 'nav.operation' } as const;

type Group = { readonly title: TextKey | undefined; readonly items: readonly ShownScreen[] };

/** What the manager may open. */
export const openGroups = (manager: CurrentManager): readonly Group[] =>
  (Object.keys(titles) as (keyof typeof titles)[])
    .map((place) => ({
      title: titles[place],
      items: screensIn(place).filter((screen) => mayOpenScreen(manager, screen)),
    }))
    .filter(({ items }) => items.length > 0);

type NavigationProps = { readonly manager: CurrentManager; readonly onFollow?: () => void };

export function Navigation({ manager, onFollow }: NavigationProps): JSX.Element {
  const { t } = useLanguage();
  return (
    <>
      {openGroups(manager).map(({ title, items }) => (
        <div key={title ?? ''} className={styles.group}>
          {title === undefined ? undefined : <p className={styles.title}>{t(title)}</p>}
          <ul>
            {items.map(({ path, title: name, icon }) => (
              <li key={path}>
                <Link to={path} activeOptions={{ exact: path === '/', includeSearch: false }} onClick={onFollow}>
                  <Icon name={icon} />
                  {t(name)}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}
