// Shows the results of commands at the edge of the screen. They go by themselves after a while, unless the reader is on
// them; one that failed to be undone stays.

import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore, type JSX } from 'react';
import { clearShown } from '../api/clear-refused.ts';
import { toProblem, type Problem } from '../api/problem.ts';
import { Icon } from '../components/icon.tsx';
import { ProblemDetails } from '../components/problem-panel.tsx';
import { useLanguage, usePortal } from '../portal.tsx';
import { isUncertain, newKey } from './outcome.ts';
import type { AnyRequest, Toast } from './toast-store.ts';
import styles from './toast-region.module.css';

/** Long enough to read it. */
const shownMs = 15_000;
/** Long enough to think about it, and to reach it by keyboard. */
const shownWithActionMs = 60_000;

export function ToastRegion(): JSX.Element {
  const { t } = useLanguage();
  const { toasts } = usePortal();
  const shown = useSyncExternalStore(toasts.subscribe, toasts.current);
  return (
    // What lies above the page would hide it from screen readers otherwise.
    <section className={styles.toasts} aria-label={t('toast.region')} data-react-aria-top-layer="true">
      <div role="status">
        {shown.map((toast) => (
          <ToastItem key={toast.id} toast={toast} />
        ))}
      </div>
    </section>
  );
}

function ToastItem({ toast }: { readonly toast: Toast }): JSX.Element {
  const { t } = useLanguage();
  const { toasts } = usePortal();
  const [isHeld, setHeld] = useState(false);
  const { isRunning, problem, run } = useUndo(toast);
  const { text, link, undo } = toast;
  const hasAction = link !== undefined || undo !== undefined;
  const isStaying = isHeld || isRunning || problem !== undefined;
  useEffect(() => {
    const lastsMs = hasAction ? shownWithActionMs : shownMs;
    const timer = isStaying ? undefined : setTimeout(() => toasts.close(toast.id), lastsMs);
    return () => clearTimeout(timer);
  }, [isStaying, hasAction, toast.id, toasts]);
  return (
    <div
      className={styles.toast}
      data-toast
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={problem === undefined ? 'ok' : 'warning'} />
      <div className={styles.text}>
        <p>{text}</p>
        {problem === undefined ? undefined : <UndoProblem problem={problem} />}
        <p className="marks">
          {link === undefined ? undefined : (
            <Link to={link.to} search={link.search ?? {}} onClick={() => toasts.close(toast.id)}>
              {link.text}
            </Link>
          )}
          {undo === undefined ? undefined : (
            <button type="button" className="button button-small" aria-disabled={isRunning} onClick={() => run(undo)}>
              {t('toast.undo')}
            </button>
          )}
        </p>
      </div>
      <button
        type="button"
        className="button button-plain button-small"
        aria-label={t('action.close')}
        onClick={() => toasts.close(toast.id)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

type Undo = {
  readonly isRunning: boolean;
  readonly problem: Problem | undefined;
  readonly run: (request: AnyRequest) => void;
};

/** Every try has the same key: it is undone once. */
function useUndo({ id, invalidates }: Toast): Undo {
  const { t } = useLanguage();
  const { client, toasts } = usePortal();
  const queries = useQueryClient();
  const [key] = useState(newKey);
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem>();

  async function undo({ id: operation, input, body }: AnyRequest): Promise<void> {
    setRunning(true);
    setProblem(undefined);
    try {
      await client.call(operation, input, { body: body as never, key });
      toasts.close(id);
      toasts.show({ text: t('toast.undone'), invalidates });
    } catch (error) {
      const failure = toProblem(error);
      setProblem(failure);
      if (failure.status === 403) clearShown(queries);
    }
    setRunning(false);
    await queries.invalidateQueries({ predicate: ({ queryKey: [read] }) => invalidates.includes(read as never) });
  }

  return {
    isRunning,
    problem,
    run: (request) => {
      if (!isRunning) void undo(request);
    },
  };
}

function UndoProblem({ problem }: { readonly problem: Problem }): JSX.Element {
  const { t } = useLanguage();
  const { code, reason, requestId, status, message } = problem;
  return (
    <>
      <p role="alert">{t(isUncertain(problem) ? 'command.uncertain' : 'toast.notUndone')}</p>
      <ProblemDetails code={code} reason={reason} requestId={requestId}>
        {status === 0 ? undefined : message}
      </ProblemDetails>
    </>
  );
}
