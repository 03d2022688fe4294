// Says that an address leads nowhere, or that a screen has failed.

import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import type { JSX } from 'react';
import { Problem } from '../api/problem.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useLanguage } from '../portal.tsx';
import styles from './missing.module.css';

export function Missing(): JSX.Element {
  const { t } = useLanguage();
  return (
    <div className={styles.alone}>
      <ProblemPanel error={new Problem(404, {})} />
      <Link to="/" className="button">
        {t('nav.home')}
      </Link>
    </div>
  );
}

export const ScreenFailure = ({ error, reset }: ErrorComponentProps): JSX.Element => (
  <ProblemPanel
    error={error instanceof Problem ? error : new Problem(500, { detail: String(error) })}
    onRetry={reset}
  />
);
