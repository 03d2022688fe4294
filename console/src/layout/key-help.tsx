// The keys of the console: `/` goes to the filter, and `?` lists all of them.

import { useEffect, useState, type JSX } from 'react';
import { Button } from 'react-aria-components/Button';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import type { TextKey } from '../language/catalogue.ts';
import { useLanguage } from '../portal.tsx';

const keys: readonly (readonly [key: string, text: TextKey])[] = [
  ['/', 'keys.filter'],
  ['↑ ↓', 'keys.rows'],
  ['Enter', 'keys.open'],
  ['Esc', 'keys.close'],
  ['?', 'keys.help'],
];

export function KeyHelp(): JSX.Element {
  const { t } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const follow = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
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
  return (
    <ModalOverlay className="overlay" isDismissable isOpen={isOpen} onOpenChange={setOpen}>
      <Modal className="dialog">
        <Dialog>
          <Heading slot="title">{t('keys.title')}</Heading>
          <dl className="keys">
            {keys.map(([key, text]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{t(text)}</dd>
              </div>
            ))}
          </dl>
          <Button className="button" onPress={() => setOpen(false)}>
            {t('action.close')}
          </Button>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], [role="menu"]') !== null;
