// Downloads a file of the service: with the token, which an ordinary link would not send.

import { useState, type JSX } from 'react';
import type { Input, ReadId } from '../api/client.ts';
import { toProblem, type Problem } from '../api/problem.ts';
import { useLanguage, usePortal } from '../portal.tsx';
import { Icon } from './icon.tsx';
import { ProblemPanel } from './problem-panel.tsx';

type DownloadButtonProps<Id extends ReadId> = {
  readonly id: Id;
  readonly input: Input<Id>;
  /** The format, such as CSV. */
  readonly format: string;
  /** What is downloaded, for those who do not see where the button is. */
  readonly label?: string;
};

export function DownloadButton<Id extends ReadId>({ id, input, format, label }: DownloadButtonProps<Id>): JSX.Element {
  const { t } = useLanguage();
  const { client } = usePortal();
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem>();

  async function download(): Promise<void> {
    setRunning(true);
    setProblem(undefined);
    try {
      const { blob, fileName } = await client.download(id, input);
      save(blob, fileName);
    } catch (error) {
      setProblem(toProblem(error));
    }
    setRunning(false);
  }

  return (
    <>
      <button type="button" className="button" disabled={isRunning} onClick={() => void download()}>
        <Icon name="download" />
        {t('action.download')} {format}
        <span className="visually-hidden">{label}</span>
      </button>
      {problem === undefined ? undefined : <ProblemPanel error={problem} />}
    </>
  );
}

function save(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser has begun by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
