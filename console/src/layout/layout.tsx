// The frame around every screen: the bar at the top, the navigation, and the screen itself. It shows nothing without a
// session, and loads who the manager is and what they may do.

import { Link, Outlet } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore, type JSX } from 'react';
import { Button } from 'react-aria-components/Button';
import type { CurrentManager } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import { ToastRegion } from '../command/toast-region.tsx';
import { Icon } from '../components/icon.tsx';
import { Loaded } from '../components/loaded.tsx';
import { ModalDialog } from '../components/modal-dialog.tsx';
import { ManagerContext, useLanguage, usePortal } from '../portal.tsx';
import { AccountMenu } from './account-menu.tsx';
import { KeyHelp } from './key-help.tsx';
import { Navigation } from './navigation.tsx';
import { PaletteButton } from './palette-button.tsx';
import styles from './layout.module.css';

export function Layout(): JSX.Element | undefined {
  const { session } = usePortal();
  const token = useSyncExternalStore(session.subscribe, session.token);
  // What was shown goes at once, before the login screen comes.
  return token === undefined ? undefined : <Shell />;
}

function Shell(): JSX.Element {
  const { t } = useLanguage();
  const { display, commands } = usePortal();
  const me = useRead('GetCurrentManager', {});
  const theme = me.data?.theme;
  const owner = me.data?.kid;
  useEffect(() => {
    if (theme !== undefined) display.showTheme(theme);
  }, [display, theme]);
  useEffect(() => {
    if (owner !== undefined) commands.belongTo(owner);
  }, [commands, owner]);
  return (
    <div className={styles.shell}>
      <a
        className={styles.skip}
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        {t('nav.skip')}
      </a>
      <TopBar manager={me.data} />
      {me.data === undefined ? (
        <div className={styles.sidebar} />
      ) : (
        <nav className={styles.sidebar} aria-label={t('nav.main')}>
          <Navigation manager={me.data} />
        </nav>
      )}
      <main id="main" tabIndex={-1}>
        <Loaded read={me}>
          {(manager) => (
            <ManagerContext value={manager}>
              <Outlet />
            </ManagerContext>
          )}
        </Loaded>
      </main>
      <ToastRegion />
      <KeyHelp />
    </div>
  );
}

function TopBar({ manager }: { readonly manager: CurrentManager | undefined }): JSX.Element {
  const { t } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <header className={styles.bar}>
      <Button
        className={`button button-plain ${styles.narrowOnly}`}
        aria-label={t('nav.menu')}
        onPress={() => setOpen(true)}
      >
        <Icon name="menu" />
      </Button>
      {isOpen && manager !== undefined ? (
        <ModalDialog className={styles.drawer} title={t('nav.main')} isTitleShown={false} isDismissable onClose={close}>
          <Button className="button button-plain" aria-label={t('action.close')} onPress={close}>
            <Icon name="close" />
          </Button>
          <Navigation manager={manager} onFollow={close} />
        </ModalDialog>
      ) : undefined}
      <Link to="/" className={styles.brand}>
        <Brand />
        {manager?.tenantName ?? ''}
        {manager?.environment === 'beta' ? <span className="mark mark-warn">beta</span> : undefined}
      </Link>
      {manager === undefined ? undefined : (
        <>
          <PaletteButton manager={manager} />
          <AccountMenu manager={manager} />
        </>
      )}
    </header>
  );
}

/** The symbol of the portal, as on its other pages. */
export const Brand = (): JSX.Element => (
  <svg className={styles.symbol} viewBox="0 0 16 16" aria-hidden="true">
    <path d="M0 16V8a8 8 0 0 1 16 0v8h-4V8a4 4 0 0 0-8 0v8zM6 16v-4a2 2 0 0 1 4 0v4z" />
  </svg>
);
