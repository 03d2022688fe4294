// An import: its plan in numbers and row by row, how far it is, and what became of it.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Import } from '../api/operations.ts';
import { nameOfPlace } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { useParameter } from '../banks/bank-page.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Facts, Page, Section } from '../components/page.tsx';
import { StateMark } from '../components/state-mark.tsx';
import { Ago } from '../times/times.tsx';
import { decimalText, nameOfSeparator } from './detected-file.ts';
import { nameOfImportField } from './field-names.ts';
import { ImportButtons, ImportCommands } from './import-commands.tsx';
import { importStates, isRunning } from './import-states.ts';
import { ImportNumbers, ImportProgress } from './import-numbers.tsx';
import { ImportRows } from './import-rows.tsx';
import { textOfKind } from './import-kinds.ts';
import { importProfilePath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';

/** Rows are applied in batches: what is shown is seldom older than one. */
const pollSeconds = 1;

export function ImportScreen(): JSX.Element {
  const importKid = useParameter('importKid');
  const found = useRead(
    'GetImport',
    { importKid },
    { pollSeconds: ({ state }) => (isRunning(state) ? pollSeconds : 0) },
  );
  return (
    <Loaded read={found} lines={12}>
      {(data) => <ImportPage of={data} />}
    </Loaded>
  );
}

type ImportProps = { readonly of: Import };

function ImportPage({ of: found }: ImportProps): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const { kid, kind, state, bankKid, failure } = found;
  const kindText = textOfKind(kind);
  return (
    <Page
      title={t('import.of', { kind: kindText === undefined ? kind : t(kindText) })}
      mark={<StateMark states={importStates} state={state} />}
      note={
        <>
          {bankKid === null ? t('manager.wholePortal') : nameOfPlace(manager, bankKid)} <code>{kid}</code>
        </>
      }
      crumbs={[{ title: t('nav.imports'), to: '/imports' }]}
      actions={<ImportButtons of={found} />}
    >
      {failure === null ? undefined : (
        <p className="note note-bad" role="alert">
          {failure.line === 0 ? undefined : `${t('import.line')} ${failure.line}: `}
          <span lang="en">{failure.text}</span> <code>{failure.code}</code>
        </p>
      )}
      <Section title={t('import.plan')}>
        <ImportProgress of={found} />
        <ImportNumbers of={found} />
      </Section>
      <ImportRows of={found} />
      <Section title={t('import.file')}>
        <div className="panel">
          <FileFacts of={found} />
        </div>
      </Section>
      <ImportCommands of={found} />
    </Page>
  );
}

function FileFacts({ of: found }: ImportProps): JSX.Element {
  const { t } = useLanguage();
  const { kind, detected, fileBytes, fileHash, source, createdUtc, changedUtc, missing, allowPartial, state } = found;
  const { timeZone } = useManager();
  return (
    <Facts
      facts={[
        [t('import.source'), source === ownSource ? source : <Link to={importProfilePath(source)}>{source}</Link>],
        [t('import.created'), <Ago instant={createdUtc} timeZone={timeZone} />],
        [t('import.changed'), <Ago instant={changedUtc} timeZone={timeZone} />],
        [t('import.missingObjects'), t(missing === 'keep' ? 'import.keepMissing' : 'import.deactivateMissing')],
        [t('import.scope'), isApproved(state) ? t(allowPartial ? 'import.partly' : 'import.allOrNothing') : undefined],
        [t('import.format'), detected === null ? undefined : detected.format],
        [t('import.encoding'), detected?.encoding],
        [t('import.separator'), nameOfSeparator(detected?.separator)],
        [t('import.columns'), detected?.columns.map((name) => nameOfImportField(kind, name, t)).join(', ')],
        [t('import.ignoredColumns'), detected?.ignoredColumns.join(', ')],
        [t('import.size'), fileBytes === 0 ? undefined : t('import.bytes', { count: fileBytes })],
        ['SHA-256', fileHash === null ? undefined : <code>{fileHash}</code>],
        [t('import.decimalMark'), decimalText(detected?.decimalComma)],
      ]}
    />
  );
}

/** Whether all or a part is applied is decided with the approval of the plan. */
const isApproved = (state: Import['state']): boolean => !['planning', 'planned'].includes(state);

/** The source of files that are read without a profile. */
const ownSource = 'portal';
