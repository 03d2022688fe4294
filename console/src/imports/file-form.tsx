// A form that sends a file: the file is only in this tab, and the answer comes when the service has read it.

import { useEffect, useId, useRef, useState, type JSX, type ReactNode } from 'react';
import { toProblem, type Problem } from '../api/problem.ts';
import { Icon } from '../components/icon.tsx';
import type { IconName } from '../components/icon-paths.ts';
import { ProblemDetails } from '../components/problem-panel.tsx';
import { useLanguage } from '../portal.tsx';

type FileFormProps = {
  /** What the button says. */
  readonly action: string;
  readonly icon: IconName;
  /** What comes of it. */
  readonly advice: string;
  readonly send: (file: File, signal: AbortSignal) => Promise<void>;
  /** What the problem means for what was sent. */
  readonly titleOf: (problem: Problem) => string;
  readonly whatNext?: (problem: Problem) => ReactNode;
  /** What is chosen besides the file. */
  readonly children: ReactNode;
};

export function FileForm({ action, icon, advice, send, children, ...failure }: FileFormProps): JSX.Element {
  const { t } = useLanguage();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
  const [isNeeded, setNeeded] = useState(false);
  const upload = useUpload(send);
  const isMissing = isNeeded && file === undefined;
  return (
    <form
      className="panel fields"
      onSubmit={(event) => {
        event.preventDefault();
        setNeeded(file === undefined);
        if (file === undefined) field.current?.focus();
        else if (!upload.isRunning) void upload.start(file);
      }}
    >
      {children}
      <div className="field">
        <label htmlFor={id}>{t('import.chooseFile')}</label>
        <input
          id={id}
          ref={field}
          type="file"
          aria-invalid={isMissing ? true : undefined}
          aria-describedby={`${id}-help`}
          onChange={({ target }) => setFile(target.files?.[0])}
        />
        <span id={`${id}-help`} className={isMissing ? 'field-errors' : 'field-help'}>
          {isMissing ? t('import.fileNeeded') : advice}
        </span>
      </div>
      <UploadState upload={upload} {...failure} />
      <p className="marks">
        <button type="submit" className="button button-main" aria-disabled={upload.isRunning}>
          <Icon name={icon} />
          {action}
        </button>
        {upload.isRunning ? (
          <button type="button" className="button" onClick={upload.stop}>
            {t('import.stop')}
          </button>
        ) : undefined}
      </p>
    </form>
  );
}

type Upload = {
  readonly isRunning: boolean;
  readonly problem: Problem | undefined;
  readonly start: (file: File) => Promise<void>;
  readonly stop: () => void;
};

/** For a large file the answer takes as long as sending it. */
function useUpload(send: FileFormProps['send']): Upload {
  const running = useRef<AbortController>(undefined);
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => () => running.current?.abort(), []);

  async function start(file: File): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setRunning(true);
    setProblem(undefined);
    try {
      await send(file, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) setProblem(toProblem(error));
    }
    if (running.current === controller) setRunning(false);
  }

  return { isRunning, problem, start, stop: () => running.current?.abort() };
}

type UploadStateProps = Pick<FileFormProps, 'titleOf' | 'whatNext'> & { readonly upload: Upload };

function UploadState({ upload: { isRunning, problem }, titleOf, whatNext }: UploadStateProps): ReactNode {
  const { t } = useLanguage();
  return (
    <>
      <p role="status">{isRunning ? t('import.sending') : ''}</p>
      {problem === undefined ? undefined : (
        <div className="problem" role="alert">
          <Icon name="warning" />
          <div className="problem-text">
            <p className="problem-title">{titleOf(problem)}</p>
            <ProblemDetails code={problem.code} reason={problem.reason} requestId={problem.requestId}>
              {problem.status === 0 ? undefined : problem.message}
            </ProblemDetails>
            {whatNext?.(problem)}
          </div>
        </div>
      )}
    </>
  );
}
