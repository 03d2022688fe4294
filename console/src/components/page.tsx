// The frame of a screen: where it is, its heading, what can be done with it as a whole, and its content.

import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, type JSX, type ReactNode } from 'react';
import { useLanguage, useManager } from '../portal.tsx';
import styles from './page.module.css';

export type Crumb = { readonly title: string; readonly to: string };

type PageProps = {
  readonly title: string;
  /** Beside the heading, such as a state. */
  readonly mark?: ReactNode;
  /** Below the heading. */
  readonly note?: ReactNode;
  readonly crumbs?: readonly Crumb[];
  readonly actions?: ReactNode;
  readonly tabs?: ReactNode;
  readonly children: ReactNode;
};

export function Page({ title, mark, note, crumbs = [], actions, tabs, children }: PageProps): JSX.Element {
  const { t } = useLanguage();
  const { tenantName } = useManager();
  useEffect(() => {
    document.title = `${title} – ${tenantName}`;
  }, [title, tenantName]);
  const { pathname, search } = useLocation();
  const { do: _, ...shown } = search as Readonly<Record<string, string>>;
  return (
    <>
      {crumbs.length === 0 ? undefined : (
        <nav className={styles.crumbs} aria-label={t('nav.path')}>
          <ol>
            {crumbs.map((crumb) => (
              <li key={crumb.to}>
                <Link to={crumb.to}>{crumb.title}</Link>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div className={styles.head}>
        <div>
          <h1 tabIndex={-1}>
            {title} {mark}
          </h1>
          {note === undefined ? undefined : <p className={styles.note}>{note}</p>}
        </div>
        {actions === undefined ? undefined : <div className={styles.actions}>{actions}</div>}
      </div>
      {tabs}
      {/* A command that opens changes the address, but not the tab. */}
      {tabs === undefined ? undefined : <CurrentTab key={`${pathname} ${JSON.stringify(shown)}`} />}
      {children}
    </>
  );
}

/**
 * Brings the tab of the screen into the window: on narrow ones it may be beside it. An observer is told where the tab is
 * once the layout is done for painting; to ask at once would lay out a screen that is still being put together.
 */
function CurrentTab(): undefined {
  useEffect(() => {
    const tab = document.querySelector('.tabs [aria-current]');
    if (tab === null) return undefined;
    const observer = new IntersectionObserver(
      ([place]) => {
        observer.disconnect();
        if (place !== undefined && place.intersectionRatio < 1)
          tab.scrollIntoView({ block: 'nearest', inline: 'center' });
      },
      { threshold: 1 },
    );
    observer.observe(tab);
    return () => observer.disconnect();
  }, []);
}

type SectionProps = {
  readonly title: string;
  /** The title is that of the page already: only screen readers get it. */
  readonly isHidden?: boolean;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

export const Section = ({ title, isHidden = false, actions, children }: SectionProps): JSX.Element => (
  <section className="section">
    <div className={isHidden ? 'visually-hidden' : styles.sectionHead}>
      <h2>{title}</h2>
      {actions}
    </div>
    {children}
  </section>
);

/** Names and values, one under the other. Those without a value are left out. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}): JSX.Element {
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value !== undefined && value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

export const Empty = ({ children }: { readonly children: ReactNode }): JSX.Element => (
  <p className="empty">{children}</p>
);

type Tone = 'ok' | 'bad' | 'warn' | 'plain';

export const Mark = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): JSX.Element => (
  <span className={`mark mark-${tone}`}>{children}</span>
);
