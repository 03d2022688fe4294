// The button of the manager's menu. The menu itself is loaded when the button is about to be pressed.

import { lazy, startTransition, Suspense, useId, useRef, useState, type JSX } from 'react';
import { Button } from 'react-aria-components/Button';
import type { CurrentManager } from '../api/operations.ts';
import { Icon } from '../components/icon.tsx';
import { useLanguage } from '../portal.tsx';
import type { FirstFocus } from './open-account-menu.tsx';

const loadMenu = async () => {
  const { OpenAccountMenu } = await import('./open-account-menu.tsx');
  return { default: OpenAccountMenu };
};
const OpenAccountMenu = lazy(loadMenu);

const beginLoading = (): void => void loadMenu().catch(() => {});

const focusOfKeys: Readonly<Record<string, FirstFocus>> = { ArrowDown: 'first', ArrowUp: 'last' };

export function AccountMenu({ manager }: { readonly manager: CurrentManager }): JSX.Element {
  const { t } = useLanguage();
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const [firstFocus, setFirstFocus] = useState<FirstFocus>();
  // The press is shown before the many items are made. The next key after the menu has been closed is not for it.
  const open = (focus: FirstFocus): void => startTransition(() => setFirstFocus(focus));
  const isOpen = firstFocus !== undefined;
  return (
    <>
      <Button
        ref={button}
        id={id}
        className="button button-plain"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onHoverStart={beginLoading}
        onFocus={beginLoading}
        onPressStart={beginLoading}
        onPress={({ pointerType }) => open(pointerType === 'keyboard' || pointerType === 'virtual' ? 'first' : true)}
        onKeyDown={(event) => {
          const focus = focusOfKeys[event.key];
          if (focus === undefined) event.continuePropagation();
          else open(focus);
        }}
      >
        <Icon name="manager" />
        <span className="wide-only">{manager.name}</span>
        <span className="visually-hidden">{t('menu.account')}</span>
        <Icon name="expand" />
      </Button>
      {firstFocus === undefined ? undefined : (
        <Suspense>
          <OpenAccountMenu
            manager={manager}
            button={button}
            buttonId={id}
            firstFocus={firstFocus}
            onClose={() => setFirstFocus(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
