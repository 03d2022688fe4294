// The keys of the console: `/` goes to the filter, from there an arrow to the rows, and `?` lists all keys.

import { useEffect, useState, type JSX } from 'react';
import { Button } from 'react-aria-components/Button';
import type { TextKey } from '../language/catalogue.ts';
import { focusFirstRow } from '../components/data-table.tsx';
import { ModalDialog } from '../components/modal-dialog.tsx';
import { useLanguage } from '../portal.tsx';
import { paletteKey } from './palette-button.tsx';
import styles from './key-help.module.css';

const keys: readonly (readonly [key: string, text: TextKey])[] = [
  [paletteKey, 'keys.palette'],
  ['/', 'keys.filter'],
  ['↑ ↓', 'keys.rows'],
  ['Home End', 'keys.ends'],
  ['Enter', 'keys.open'],
  ['Esc', 'keys.close'],
  ['?', 'keys.help'],
];

export function KeyHelp(): JSX.Element | undefined {
  const { t } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const follow = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'ArrowDown' && isFilter(event.target) && focusFirstRow()) event.preventDefault();
      if (isTyping(event.target)) return;
      if (event.key === '?') setOpen(true);
      else if (event.key === '/') {
        const filter = document.querySelector<HTMLInputElement>('[data-filter]');
        if (filter === null) return;
        event.preventDefault();
        filter.select();
      }
    };
    document.addEventListener('keydown', follow);
    return () => document.removeEventListener('keydown', follow);
  }, []);
  if (!isOpen) return undefined;
  const close = (): void => setOpen(false);
  return (
    <ModalDialog className="dialog" title={t('keys.title')} isDismissable onClose={close}>
      <dl className={styles.keys}>
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
      <Button className="button" onPress={close}>
        {t('action.close')}
      </Button>
    </ModalDialog>
  );
}

const isFilter = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('[data-filter]');

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], [role="menu"]') !== null;
