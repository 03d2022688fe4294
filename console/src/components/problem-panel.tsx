// Says what went wrong where it happened: what it means, what the reader can do, and the request's id to copy.

import { useState, type JSX, type ReactNode } from 'react';
import { toProblem } from '../api/problem.ts';
import { findProblemText, type ProblemText } from '../api/problem-texts.ts';
import type { TextKey } from '../language/catalogue.ts';
import { useLanguage } from '../portal.tsx';
import { Icon } from './icon.tsx';

const meanings: Readonly<Record<number, readonly [title: TextKey, advice: TextKey]>> = {
  0: ['problem.unreachable', 'problem.unreachableAdvice'],
  400: ['problem.invalid', 'problem.invalidAdvice'],
  401: ['problem.unauthenticated', 'problem.unauthenticatedAdvice'],
  403: ['problem.forbidden', 'problem.forbiddenAdvice'],
  404: ['problem.notFound', 'problem.notFoundAdvice'],
  409: ['problem.conflict', 'problem.conflictAdvice'],
  422: ['problem.invalid', 'problem.invalidAdvice'],
  429: ['problem.tooMany', 'problem.tooManyAdvice'],
  503: ['problem.notKnown', 'problem.notKnownAdvice'],
};

type ProblemPanelProps = { readonly error: unknown; readonly onRetry?: (() => void) | undefined };

export function ProblemPanel({ error, onRetry }: ProblemPanelProps): JSX.Element {
  const { t } = useLanguage();
  const problem = toProblem(error);
  const [title, general] = meanings[problem.status] ?? (['problem.failed', 'problem.failedAdvice'] as const);
  const advice = problem.status === 422 ? (findProblemText(problem.code) ?? general) : general;
  return (
    <div className="problem" role="alert">
      <Icon name="warning" />
      <div className="problem-text">
        <p className="problem-title">{t(title)}</p>
        <p>{t(advice)}</p>
        <ProblemDetails code={problem.code} reason={problem.reason} requestId={problem.requestId}>
          {problem.status === 0 ? undefined : problem.message}
        </ProblemDetails>
        {onRetry === undefined ? undefined : (
          <button type="button" className="button" onClick={onRetry}>
            <Icon name="refresh" />
            {t('action.retry')}
          </button>
        )}
      </div>
    </div>
  );
}

/** A sentence about a problem, marked as English where the reader’s language has none. */
export const ProblemSentence = ({ of: { text, isEnglish } }: { readonly of: ProblemText }): JSX.Element => (
  <span className="line" lang={isEnglish ? 'en' : undefined}>
    {text}
  </span>
);

type DetailsProps = {
  readonly code: string;
  readonly reason: string | undefined;
  readonly requestId: string | undefined;
  /** What the service says, in English. */
  readonly children: ReactNode;
};

export function ProblemDetails({ code, reason, requestId, children }: DetailsProps): JSX.Element | undefined {
  const { t } = useLanguage();
  if (children === undefined && requestId === undefined) return undefined;
  return (
    <details>
      <summary>{t('problem.details')}</summary>
      {children === undefined ? undefined : (
        <p lang="en">
          {children} <code>{reason ?? code}</code>
        </p>
      )}
      {requestId === undefined ? undefined : (
        <p>
          {t('problem.request')} <code>{requestId}</code> <CopyButton text={requestId} />
        </p>
      )}
    </details>
  );
}

export function CopyButton({ text }: { readonly text: string }): JSX.Element {
  const { t } = useLanguage();
  const [isCopied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className="button button-small"
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => setCopied(true));
      }}
    >
      <Icon name={isCopied ? 'ok' : 'copy'} />
      <span role="status">{t(isCopied ? 'action.copied' : 'action.copy')}</span>
    </button>
  );
}
