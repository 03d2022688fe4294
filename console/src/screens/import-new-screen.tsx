// Sends a file of data to be imported, of which the service makes a plan; and the templates of such files, and exports.
// What is chosen is in the address; the file itself is only in this tab.

import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState, type JSX, type ReactNode } from 'react';
import type { Input } from '../api/client.ts';
import type { CurrentManager, ImportKind } from '../api/operations.ts';
import { toProblem, type Problem } from '../api/problem.ts';
import { may } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { isUncertain } from '../command/outcome.ts';
import { DownloadButton } from '../components/download-button.tsx';
import { ChoiceFilter } from '../components/filters.tsx';
import { Icon } from '../components/icon.tsx';
import { choiceIn, useListState, type ListState, type Search } from '../components/list-state.ts';
import { Empty, Page, Section } from '../components/page.tsx';
import { ProblemDetails } from '../components/problem-panel.tsx';
import { importKinds, listExportable, listImportable } from '../imports/import-kinds.ts';
import { importPath } from '../paths.ts';
import { useLanguage, useManager, usePortal } from '../portal.tsx';

const encodings = ['utf-8', 'windows-1252', 'iso-8859-15'] as const;
const formats = ['csv', 'json-lines'] as const;
const separators = { semicolon: ';', comma: ',', tab: '\t' } as const;

export function ImportNewScreen(): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const list = useListState();
  const importable = listImportable(manager);
  const exportable = listExportable(manager);
  const chosen = choiceIn(list.search, 'kind', exportable) ?? importable[0] ?? exportable[0];
  return (
    <Page title={t('import.new')} crumbs={[{ title: t('nav.imports'), to: '/imports' }]}>
      {chosen === undefined ? (
        <Empty>{t('import.noKinds')}</Empty>
      ) : (
        <>
          <Section title={t('import.what')}>
            <div className="panel fields">
              <KindField list={list} kinds={exportable} chosen={chosen} />
              <BankField list={list} kind={chosen} />
              <p className="marks">
                {may(manager, 'GetImportTemplate') ? (
                  <DownloadButton id="GetImportTemplate" input={{ kind: chosen }} format={t('import.template')} />
                ) : undefined}
                <DownloadButton
                  id="ExportData"
                  input={{ kind: chosen, bankKid: bankOf(manager, chosen, list.search) }}
                  format={t('import.export')}
                />
              </p>
            </div>
          </Section>
          {importable.includes(chosen) ? <FileSection list={list} kind={chosen} /> : undefined}
        </>
      )}
    </Page>
  );
}

const banksOf = ({ access }: CurrentManager) => access.banks.filter(({ bankWide }) => bankWide || access.tenantWide);

/** Undefined for data of the whole portal. */
function bankOf(manager: CurrentManager, kind: ImportKind, search: Search): string | undefined {
  if (importKinds[kind].isOfPortal === true) return undefined;
  return search['bankKid'] ?? banksOf(manager)[0]?.kid;
}

type KindFieldProps = { readonly list: ListState; readonly kinds: readonly ImportKind[]; readonly chosen: ImportKind };

/** The profiles and what may be missing are those of a kind. */
function KindField({ list, kinds, chosen }: KindFieldProps): JSX.Element {
  const { t } = useLanguage();
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{t('import.kind')}</label>
      <select
        id={id}
        value={chosen}
        onChange={({ target }) => list.change({ kind: target.value, profile: undefined, missing: undefined })}
      >
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {t(importKinds[kind].text)}
          </option>
        ))}
      </select>
    </div>
  );
}

function BankField({ list, kind }: { readonly list: ListState; readonly kind: ImportKind }): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  if (importKinds[kind].isOfPortal === true) return <p className="soft">{t('import.ofPortal')}</p>;
  return (
    <ChoiceFilter
      list={list}
      label={t('word.bank')}
      name="bankKid"
      choices={banksOf(manager).map(({ kid, name }) => [kid, name] as const)}
    />
  );
}

function FileSection({ list, kind }: { readonly list: ListState; readonly kind: ImportKind }): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
  const [isNeeded, setNeeded] = useState(false);
  const upload = useUpload();
  const input = inputOf(manager, kind, list.search);

  return (
    <Section title={t('import.file')}>
      <form
        className="panel fields"
        onSubmit={(event) => {
          event.preventDefault();
          setNeeded(file === undefined);
          if (file === undefined) field.current?.focus();
          else if (!upload.isRunning) void upload.send(input, file);
        }}
      >
        <ProfileField list={list} kind={kind} />
        {importKinds[kind].isDeactivatable === true ? <MissingField list={list} /> : undefined}
        <Detection list={list} />
        <div className="field">
          <label htmlFor={id}>{t('import.chooseFile')}</label>
          <input
            id={id}
            ref={field}
            type="file"
            aria-invalid={isNeeded && file === undefined ? true : undefined}
            aria-describedby={`${id}-help`}
            onChange={({ target }) => setFile(target.files?.[0])}
          />
          <span id={`${id}-help`} className={isNeeded && file === undefined ? 'field-errors' : 'field-help'}>
            {t(isNeeded && file === undefined ? 'import.fileNeeded' : 'import.planAdvice')}
          </span>
        </div>
        <UploadState upload={upload} />
        <p className="marks">
          <button type="submit" className="button button-main" aria-disabled={upload.isRunning}>
            <Icon name="import" />
            {t('import.makePlan')}
          </button>
          {upload.isRunning ? (
            <button type="button" className="button" onClick={upload.stop}>
              {t('import.stop')}
            </button>
          ) : undefined}
        </p>
      </form>
    </Section>
  );
}

function inputOf(manager: CurrentManager, kind: ImportKind, search: Search): Input<'CreateImport'> {
  const separator = choiceIn(search, 'separator', Object.keys(separators) as (keyof typeof separators)[]);
  return {
    kind,
    bankKid: bankOf(manager, kind, search),
    profile: search['profile'],
    missing: search['missing'] === 'deactivate' ? 'deactivate' : undefined,
    format: choiceIn(search, 'format', formats),
    encoding: choiceIn(search, 'encoding', encodings),
    separator: separator === undefined ? undefined : separators[separator],
  };
}

function ProfileField({
  list,
  kind,
}: {
  readonly list: ListState;
  readonly kind: ImportKind;
}): JSX.Element | undefined {
  const { t } = useLanguage();
  const manager = useManager();
  const profiles = useRead('GetImportProfiles', {}, { enabled: may(manager, 'GetImportProfiles') });
  const names = (profiles.data?.items ?? []).filter((profile) => profile.kind === kind).map(({ name }) => name);
  return (
    <ChoiceFilter
      list={list}
      label={t('import.source')}
      name="profile"
      choices={[['', t('import.noProfile')], ...names.map((name) => [name, name] as const)]}
    />
  );
}

function MissingField({ list }: { readonly list: ListState }): JSX.Element {
  const { t } = useLanguage();
  return (
    <ChoiceFilter
      list={list}
      label={t('import.missingObjects')}
      name="missing"
      choices={[
        ['keep', t('import.keepMissing')],
        ['deactivate', t('import.deactivateMissing')],
      ]}
    />
  );
}

/** What the service detects by itself, for files of which it cannot. */
function Detection({ list }: { readonly list: ListState }): JSX.Element {
  const { t } = useLanguage();
  const detected = ['', t('import.detected')] as const;
  return (
    <details>
      <summary>{t('import.detection')}</summary>
      <div className="filters">
        <ChoiceFilter
          list={list}
          label={t('import.format')}
          name="format"
          choices={[detected, ['csv', 'CSV'], ['json-lines', 'JSON Lines']]}
        />
        <ChoiceFilter
          list={list}
          label={t('import.encoding')}
          name="encoding"
          choices={[detected, ...encodings.map((encoding) => [encoding, encoding] as const)]}
        />
        <ChoiceFilter
          list={list}
          label={t('import.separator')}
          name="separator"
          choices={[detected, ['semicolon', ';'], ['comma', ','], ['tab', 'Tab']]}
        />
      </div>
    </details>
  );
}

type Upload = {
  readonly isRunning: boolean;
  readonly problem: Problem | undefined;
  readonly send: (input: Input<'CreateImport'>, file: File) => Promise<void>;
  readonly stop: () => void;
};

/** The answer comes when the plan has been made: for a large file that takes as long as sending it. */
function useUpload(): Upload {
  const { client } = usePortal();
  const navigate = useNavigate();
  const running = useRef<AbortController>(undefined);
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => () => running.current?.abort(), []);

  async function send(input: Input<'CreateImport'>, file: File): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setRunning(true);
    setProblem(undefined);
    try {
      const { kid } = await client.call('CreateImport', input, { body: file, signal: controller.signal });
      await navigate({ to: importPath(kid) });
    } catch (error) {
      if (!controller.signal.aborted) setProblem(toProblem(error));
    }
    if (running.current === controller) setRunning(false);
  }

  return { isRunning, problem, send, stop: () => running.current?.abort() };
}

function UploadState({ upload: { isRunning, problem } }: { readonly upload: Upload }): ReactNode {
  const { t } = useLanguage();
  return (
    <>
      <p role="status">{isRunning ? t('import.sending') : ''}</p>
      {problem === undefined ? undefined : (
        <div className="problem" role="alert">
          <Icon name="warning" />
          <div className="problem-text">
            <p className="problem-title">{t(isUncertain(problem) ? 'command.uncertain' : 'command.notDone')}</p>
            <ProblemDetails code={problem.code} reason={problem.reason} requestId={problem.requestId}>
              {problem.status === 0 ? undefined : problem.message}
            </ProblemDetails>
            {isUncertain(problem) ? <Link to="/imports">{t('import.look')}</Link> : undefined}
          </div>
        </div>
      )}
    </>
  );
}
