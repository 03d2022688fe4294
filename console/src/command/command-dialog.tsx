// The dialog of a command: its fields, a preview where the service has one, what went wrong, and the button that does it.
// What was typed stays when the dialog is closed, until it is done or discarded.

import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, type JSX, type ReactNode } from 'react';
import type { Problem } from '../api/problem.ts';
import { ModalDialog } from '../components/modal-dialog.tsx';
import { useLanguage } from '../portal.tsx';
import { CommandProblem } from './command-problem.tsx';
import type { FieldValue, Values } from './command-store.ts';
import { ConflictView } from './conflict-view.tsx';
import type { Command } from './command-types.ts';
import styles from './command-dialog.module.css';

type CommandDialogProps<V extends Values, Result> = {
  readonly command: Command<V, Result>;
  readonly title: string;
  /** What the button says, such as “Cancel the booking”. */
  readonly action: string;
  /** It takes something away. */
  readonly isDanger?: boolean;
  /** What would come of it: until that is there, the button does nothing. */
  readonly preview?: UseQueryResult<unknown, Problem>;
  /** Why it is not possible now, in the service's own words. */
  readonly refusal?: ReactNode;
  /** The names of the fields, for a conflict. */
  readonly labels?: { readonly [Name in keyof V]?: string };
  /** Shows the value of a field as people read it. */
  readonly format?: (name: string, value: FieldValue) => ReactNode;
  /** In place of the fields, once the service has answered something that is shown only here. */
  readonly result?: ReactNode;
  readonly children?: ReactNode;
};

export function CommandDialog<V extends Values, Result>(props: CommandDialogProps<V, Result>): JSX.Element {
  const { command, title } = props;
  return (
    <ModalDialog className={`dialog ${styles.command}`} title={title} onClose={command.close}>
      <Content {...props} />
    </ModalDialog>
  );
}

function Content<V extends Values, Result>(props: CommandDialogProps<V, Result>): JSX.Element {
  const { command, labels = {}, format = formatAsText, result, children } = props;
  const { t } = useLanguage();
  const form = useRef<HTMLFormElement>(null);
  const { problem, theirs, errors } = command;
  useEffect(() => {
    const isWrong = problem !== undefined || Object.keys(errors).length > 0;
    if (isWrong) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problem, errors]);
  if (result !== undefined)
    return (
      <>
        {result}
        <div className="dialog-actions">
          <CloseButton close={command.close} />
        </div>
      </>
    );
  if (theirs !== undefined)
    return (
      <ConflictView
        versions={{ base: command.base, mine: command.values, theirs }}
        labels={labels}
        format={format}
        onResolve={(merged) => command.resolve(merged as V)}
        onDiscard={command.discard}
        onClose={command.close}
      />
    );
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady(props)) void command.send();
      }}
    >
      {command.isResumed && command.isChanged ? <p className="note">{t('command.resumed')}</p> : undefined}
      {children}
      <CommandProblem command={command} />
      <Actions {...props} />
    </form>
  );
}

const formatAsText = (_: string, value: FieldValue): string => String(value);

function isReady<V extends Values, Result>({ command, preview, refusal }: CommandDialogProps<V, Result>): boolean {
  const isPreviewed = preview === undefined || (preview.isSuccess && !preview.isFetching);
  return command.isAllowed && !command.isSending && isPreviewed && refusal === undefined;
}

function Actions<V extends Values, Result>(props: CommandDialogProps<V, Result>): JSX.Element {
  const { command, action, isDanger = false, refusal } = props;
  const { t } = useLanguage();
  return (
    <>
      {command.isAllowed ? undefined : <p className="note note-bad">{t('problem.forbiddenAdvice')}</p>}
      {refusal === undefined ? undefined : (
        <div id="command-refusal" className="note note-bad">
          {refusal}
        </div>
      )}
      <div className="dialog-actions">
        <button
          type="submit"
          className={isDanger ? 'button button-main button-danger' : 'button button-main'}
          aria-disabled={!isReady(props)}
          aria-describedby={refusal === undefined ? undefined : 'command-refusal'}
        >
          {command.isSending ? t('command.sending') : action}
        </button>
        <CloseButton close={command.close} />
        {(command.isChanged || command.isUncertain) && !command.isSending ? (
          <button type="button" className="button button-plain" onClick={command.discard}>
            {t(command.isUncertain ? 'command.forget' : 'command.discard')}
          </button>
        ) : undefined}
      </div>
    </>
  );
}

function CloseButton({ close }: { readonly close: () => void }): JSX.Element {
  const { t } = useLanguage();
  return (
    <button type="button" className="button" onClick={close}>
      {t('action.close')}
    </button>
  );
}
