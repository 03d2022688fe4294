// What the menu of the manager holds: language, light or dark, density, and the way out.

import { useNavigate } from '@tanstack/react-router';
import { useSyncExternalStore, type JSX, type RefObject } from 'react';
import { Header } from 'react-aria-components/Header';
import { Menu, MenuItem, MenuSection, type Selection } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import type { CurrentManager } from '../api/operations.ts';
import { Icon } from '../components/icon.tsx';
import { isLanguage, languageNames } from '../language/languages.ts';
import { useLanguage, usePortal } from '../portal.tsx';
import { themeTexts } from './display.ts';
import { useOwnActions } from './own-actions.ts';

/** The key that a menu of one choice has chosen; empty if none. */
const chosenKey = (keys: Selection): string => (keys === 'all' ? '' : String([...keys][0] ?? ''));

/** The target of the focus: the menu itself after a click, to an item after a key. */
export type FirstFocus = true | 'first' | 'last';

type OpenAccountMenuProps = {
  readonly manager: CurrentManager;
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly buttonId: string;
  readonly firstFocus: FirstFocus;
  readonly onClose: () => void;
};

export function OpenAccountMenu({ manager, button, buttonId, firstFocus, onClose }: OpenAccountMenuProps): JSX.Element {
  const { t, language } = useLanguage();
  const { languages } = usePortal();
  return (
    <Popover
      className="popover"
      placement="bottom end"
      triggerRef={button}
      aria-labelledby={buttonId}
      isOpen
      onOpenChange={onClose}
    >
      <Menu className="menu" aria-labelledby={buttonId} autoFocus={firstFocus} onClose={onClose}>
        <OwnItems manager={manager} />
        <MenuSection
          selectionMode="single"
          selectedKeys={[language]}
          onSelectionChange={(keys) => {
            const chosen = chosenKey(keys);
            if (isLanguage(chosen)) void languages.choose(chosen);
          }}
        >
          <Header>{t('menu.language')}</Header>
          {Object.entries(languageNames).map(([code, name]) => (
            <MenuItem key={code} id={code} textValue={name}>
              <span lang={code}>{name}</span>
            </MenuItem>
          ))}
        </MenuSection>
      </Menu>
    </Popover>
  );
}

/** What concerns this manager and this browser. */
function OwnItems({ manager }: { readonly manager: CurrentManager }): JSX.Element {
  const { t } = useLanguage();
  const { display } = usePortal();
  const { chooseTheme, logOut } = useOwnActions(manager);
  const navigate = useNavigate();
  const density = useSyncExternalStore(display.subscribe, display.density);

  return (
    <>
      <MenuSection>
        <Header>{manager.name}</Header>
        <MenuItem id="profile" onAction={() => void navigate({ to: '/profile' })}>
          <Icon name="manager" />
          {t('nav.profile')}
        </MenuItem>
        <MenuItem id="log-out" onAction={() => void logOut()}>
          <Icon name="logout" />
          {t('session.logOut')}
        </MenuItem>
      </MenuSection>
      <MenuSection
        selectionMode="single"
        selectedKeys={[`theme-${manager.theme}`]}
        onSelectionChange={(keys) => void chooseTheme(Number(chosenKey(keys).slice('theme-'.length)))}
      >
        <Header>{t('menu.theme')}</Header>
        {themeTexts.map((key, theme) => (
          <MenuItem key={key} id={`theme-${theme}`}>
            {t(key)}
          </MenuItem>
        ))}
      </MenuSection>
      <MenuSection
        selectionMode="single"
        selectedKeys={[density]}
        onSelectionChange={(keys) =>
          display.setDensity(keys !== 'all' && keys.has('compact') ? 'compact' : 'comfortable')
        }
      >
        <Header>{t('menu.density')}</Header>
        <MenuItem id="comfortable">{t('density.comfortable')}</MenuItem>
        <MenuItem id="compact">{t('density.compact')}</MenuItem>
      </MenuSection>
    </>
  );
}
