// Opens the palette, by its button or Ctrl+K. It is loaded when it is first opened.

import { lazy, Suspense, useEffect, useState, type JSX } from 'react';
import { Button } from 'react-aria-components/Button';
import type { CurrentManager } from '../api/operations.ts';
import { Icon } from '../components/icon.tsx';
import { useLanguage } from '../portal.tsx';
import styles from './palette-button.module.css';

const Palette = lazy(async () => {
  const { Palette: loaded } = await import('../palette/palette.tsx');
  return { default: loaded };
});

/** The key as the reader's keyboard has it. */
export const paletteKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ K' : 'Ctrl K';

const isPaletteKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey;

export function PaletteButton({ manager }: { readonly manager: CurrentManager }): JSX.Element {
  const { t } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const follow = (event: KeyboardEvent): void => {
      if (!isPaletteKey(event)) return;
      event.preventDefault();
      // What is typed in another dialog stays.
      setOpen((before) => !before && document.querySelector('[role="dialog"], [role="alertdialog"]') === null);
    };
    document.addEventListener('keydown', follow, true);
    return () => document.removeEventListener('keydown', follow, true);
  }, []);
  return (
    <>
      <Button className={`button ${styles.button}`} onPress={() => setOpen(true)}>
        <Icon name="search" />
        <span className={styles.text}>{t('palette.title')}</span>
        <kbd className="wide-only">{paletteKey}</kbd>
      </Button>
      {isOpen ? (
        <Suspense>
          <Palette manager={manager} onClose={() => setOpen(false)} />
        </Suspense>
      ) : undefined}
    </>
  );
}
