// Says in a dialog what became of a command that failed: that it was refused, and why, or that nobody knows whether it
// was done, with the ways to look and to try again.

import type { JSX } from 'react';
import type { Problem } from '../api/problem.ts';
import { textsOfProblem } from '../api/problem-texts.ts';
import { Icon } from '../components/icon.tsx';
import { ProblemDetails, ProblemSentence } from '../components/problem-panel.tsx';
import { useLanguage } from '../portal.tsx';
import type { Values } from './command-store.ts';
import type { Command } from './command-types.ts';
import { isInField } from './field-path.ts';

export function CommandProblem<V extends Values, Result>({
  command,
}: {
  readonly command: Command<V, Result>;
}): JSX.Element | undefined {
  const language = useLanguage();
  const { t } = language;
  const { problem, isSending, isUncertain } = command;
  if (isSending) return undefined;
  if (isUncertain) return <Uncertain command={command} />;
  if (problem === undefined || isShownAtFields(problem, Object.keys(command.values))) return undefined;
  return (
    <div className="problem" role="alert">
      <Icon name="warning" />
      <div className="problem-text">
        <p className="problem-title">{t('command.notDone')}</p>
        <p>
          {textsOfProblem(problem, language).map((each) => (
            <ProblemSentence key={each.text} of={each} />
          ))}
        </p>
        <Details problem={problem} />
      </div>
    </div>
  );
}

function Uncertain<V extends Values, Result>({ command }: { readonly command: Command<V, Result> }): JSX.Element {
  const { t } = useLanguage();
  const { problem, isKeyed, isAllowed } = command;
  return (
    <div className="problem" role="alert">
      <Icon name="warning" />
      <div className="problem-text">
        <p className="problem-title">{t('command.uncertain')}</p>
        <p>{t(isKeyed ? 'command.uncertainAdvice' : 'command.uncertainUnkeyed')}</p>
        {problem === undefined ? undefined : <Details problem={problem} />}
        <p className="marks">
          <button
            type="button"
            className="button"
            aria-disabled={!isAllowed}
            onClick={() => {
              if (isAllowed) void command.send();
            }}
          >
            <Icon name="refresh" />
            {t('action.retry')}
          </button>
          <button type="button" className="button" onClick={command.look}>
            <Icon name="search" />
            {t('command.look')}
          </button>
        </p>
      </div>
    </div>
  );
}

const Details = ({
  problem: { code, reason, requestId, status, message },
}: {
  readonly problem: Problem;
}): JSX.Element => (
  <ProblemDetails code={code} reason={reason} requestId={requestId}>
    {status === 0 ? undefined : message}
  </ProblemDetails>
);

/** Nothing is left to say beside the fields. */
const isShownAtFields = ({ errors = [] }: Problem, names: readonly string[]): boolean =>
  errors.length > 0 && errors.every(({ path }) => names.some((name) => isInField(path, name)));
