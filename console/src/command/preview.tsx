// What would come of a command, as the service says without doing it (`dryRun`, `check`). A dialog takes what `usePreview`
// returns as its `preview`: its button does nothing until the answer is there.

import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { JSX, ReactNode } from 'react';
import type { Answer, Body, Input, OperationId } from '../api/client.ts';
import type { Problem } from '../api/problem.ts';
import { textsOfProblem } from '../api/problem-texts.ts';
import { Skeleton } from '../components/loaded.tsx';
import { ProblemDetails, ProblemPanel, ProblemSentence } from '../components/problem-panel.tsx';
import { useLanguage, usePortal } from '../portal.tsx';

type PreviewOptions<Id extends OperationId> = { readonly body?: Body<Id>; readonly enabled?: boolean };

export function usePreview<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  { body, enabled = true }: PreviewOptions<Id> = {},
): UseQueryResult<Answer<Id>, Problem> {
  const { client } = usePortal();
  const { language } = useLanguage();
  return useQuery<Answer<Id>, Problem>({
    queryKey: ['preview', id, input, body, language],
    queryFn: ({ signal }) => client.call(id, input, { body, signal }),
    enabled,
    // What was true when it was asked may be wrong by now.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

type PreviewProps<Data> = {
  readonly preview: UseQueryResult<Data, Problem>;
  readonly children: (answer: Data) => ReactNode;
};

/** Shows the preview; if the service refuses, its reason. */
export function Preview<Data>({ preview: { data, error, refetch }, children }: PreviewProps<Data>): JSX.Element {
  if (error !== null && isRefusal(error)) return <Refusal problem={error} />;
  if (error !== null) return <ProblemPanel error={error} onRetry={() => void refetch()} />;
  return data === undefined ? <Skeleton lines={3} /> : <>{children(data)}</>;
}

const isRefusal = ({ status }: Problem): boolean => status === 409 || status === 422;

function Refusal({ problem }: { readonly problem: Problem }): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  const { message, code, reason, requestId } = problem;
  const refused = t('command.notPossible');
  return (
    <div className="note note-bad">
      <p>
        {refused}
        {textsOfProblem(problem, language)
          .filter(({ text }) => text !== refused)
          .map((each) => (
            <ProblemSentence key={each.text} of={each} />
          ))}
      </p>
      <ProblemDetails code={code} reason={reason} requestId={requestId}>
        {message}
      </ProblemDetails>
    </div>
  );
}
