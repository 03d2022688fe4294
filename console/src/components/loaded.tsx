// Shows what was read: a skeleton until it is there, the problem if it cannot be read, and what is old as such.

import type { UseQueryResult } from '@tanstack/react-query';
import type { JSX, ReactNode } from 'react';
import type { Problem } from '../api/problem.ts';
import { endsReading } from '../api/use-read.ts';
import { useLanguage } from '../portal.tsx';
import { ProblemPanel } from './problem-panel.tsx';
import styles from './loaded.module.css';

type LoadedProps<Data> = {
  readonly read: UseQueryResult<Data, Problem>;
  /** The number of lines that the skeleton has. */
  readonly lines?: number;
  readonly children: (answer: Data) => ReactNode;
};

export function Loaded<Data>({ read, lines = 8, children }: LoadedProps<Data>): JSX.Element {
  const { data, error, isPlaceholderData, refetch } = read;
  const retry = (): void => void refetch();
  if (error !== null && (data === undefined || endsReading(error)))
    return <ProblemPanel error={error} onRetry={retry} />;
  if (data === undefined) return <Skeleton lines={lines} />;
  return (
    <>
      {error === null ? undefined : <ProblemPanel error={error} onRetry={retry} />}
      <div className={error !== null || isPlaceholderData ? 'is-old' : undefined} aria-busy={isPlaceholderData}>
        {children(data)}
      </div>
    </>
  );
}

/** Holds the place of what is being read. It shows itself only when that takes a while. */
export function Skeleton({ lines }: { readonly lines: number }): JSX.Element {
  const { t } = useLanguage();
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">{t('state.loading')}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={styles.line} />
      ))}
    </div>
  );
}
