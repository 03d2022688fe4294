// A dialog over the screen, made of React Aria's hooks: its ready components bring menus and popovers along, which the first
// view would have to load.

import { useLayoutEffect, useRef, type JSX, type ReactNode } from 'react';
import { DismissButton, Overlay } from 'react-aria/Overlay';
import { useDialog } from 'react-aria/useDialog';
import { useModalOverlay } from 'react-aria/useModalOverlay';
import styles from './modal-dialog.module.css';

type ModalDialogProps = {
  readonly className: string | undefined;
  /** What it is about: shown above its content, or only told to those who do not see it. */
  readonly title: string;
  readonly isTitleShown?: boolean;
  /** A press beside it closes it. */
  readonly isDismissable?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

export const ModalDialog = (props: ModalDialogProps): JSX.Element => (
  <Overlay>
    <Modal {...props} />
  </Overlay>
);

/** It does not lie where something was pressed. */
const withoutPoint = { point: null, setPoint: () => {} };

function Modal({ className, isDismissable = false, onClose, ...content }: ModalDialogProps): JSX.Element {
  const modal = useRef<HTMLDivElement>(null);
  const state = { isOpen: true, setOpen: onClose, open: onClose, close: onClose, toggle: onClose, ...withoutPoint };
  const { modalProps, underlayProps } = useModalOverlay({ isDismissable }, state, modal);
  return (
    <div className={styles.overlay} {...underlayProps}>
      <div className={className} {...modalProps} ref={modal}>
        <Content {...content} />
        {isDismissable ? <DismissButton onDismiss={onClose} /> : undefined}
      </div>
    </div>
  );
}

type ContentProps = Pick<ModalDialogProps, 'title' | 'isTitleShown' | 'children'>;

function Content({ title, isTitleShown = true, children }: ContentProps): JSX.Element {
  const dialog = useRef<HTMLElement>(null);
  const { dialogProps, titleProps } = useDialog(isTitleShown ? {} : { 'aria-label': title }, dialog);
  // If fields give way to an answer or to a conflict, the element that had the focus is gone: the dialog takes it, so
  // that Escape and Tab still reach the dialog, and not the page behind it.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) dialog.current?.focus();
  });
  return (
    <section {...dialogProps} ref={dialog}>
      {isTitleShown ? <h2 {...titleProps}>{title}</h2> : undefined}
      {children}
    </section>
  );
}
