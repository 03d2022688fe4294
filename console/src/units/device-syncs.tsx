// What was queued for the equipment, newest first: whether it was told, what it says, and what it has refused, to be sent
// again.

import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { DeviceSync, DeviceSyncPage } from '../api/operations.ts';
import type { Problem } from '../api/problem.ts';
import { may } from '../api/rights.ts';
import { CommandButton } from '../command/command-button.tsx';
import { CommandDialog } from '../command/command-dialog.tsx';
import { useOpenCommand } from '../command/command-address.ts';
import { useCommand } from '../command/use-command.ts';
import { DataTable, type Column } from '../components/data-table.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Section } from '../components/page.tsx';
import { Ago } from '../times/times.tsx';
import type { LanguageState } from '../language/language-store.ts';
import { unitPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';
import { readsOfSettings } from './setting-dialog.tsx';
import { SyncMark } from './sync-mark.tsx';
import { subjectTexts } from './sync-states.ts';

type DeviceSyncsProps = {
  readonly bankKid: string;
  readonly read: UseQueryResult<DeviceSyncPage, Problem>;
  /** Those of one unit do not name it. */
  readonly isOfUnit: boolean;
  readonly title: string;
};

const retryCommand = 'send-again';

export function DeviceSyncs({ bankKid, read, isOfUnit, title }: DeviceSyncsProps): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  const manager = useManager();
  const opened = useOpenCommand(retryCommand, { id: 'RetryDeviceSync' });
  const retried = read.data?.items.find(({ syncId }) => String(syncId) === opened);
  return (
    <Section title={title}>
      <Loaded read={read} lines={3}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty>{t('sync.none')}</Empty>
          ) : (
            <DataTable
              caption={title}
              columns={columnsOf(language, { isOfUnit, mayRetry: may(manager, 'RetryDeviceSync') })}
              rows={items}
              keyOf={({ syncId }) => String(syncId)}
            />
          )
        }
      </Loaded>
      {retried === undefined ? undefined : <RetryDialog bankKid={bankKid} sync={retried} />}
    </Section>
  );
}

function RetryDialog({ bankKid, sync }: { readonly bankKid: string; readonly sync: DeviceSync }): JSX.Element {
  const { t } = useLanguage();
  const { syncId, revision } = sync;
  const command = useCommand({
    name: `${retryCommand}.${syncId}`,
    id: 'RetryDeviceSync',
    stored: { values: {}, revision },
    request: (_, expectedRevision) => ({ input: { bankKid, syncId }, body: { expectedRevision } }),
    invalidates: readsOfSettings,
    done: () => ({ text: t('sync.again') }),
  });
  return (
    <CommandDialog command={command} title={t('sync.retry')} action={t('sync.retry')}>
      <p>
        <Subject sync={sync} />
      </p>
      <p>
        <SyncMark {...sync} />
      </p>
      <p className="soft">{t('sync.retryAdvice')}</p>
    </CommandDialog>
  );
}

/** A setting that has been written again has no name here: only its newest value has. */
function Subject({ sync: { subject, settingLabel } }: { readonly sync: DeviceSync }): JSX.Element {
  const { t } = useLanguage();
  return (
    <>
      <span className="line">
        {settingLabel ?? t(subject === 'setting' ? 'sync.olderSetting' : subjectTexts[subject])}
      </span>
      {settingLabel === null ? undefined : <span className="second">{t(subjectTexts[subject])}</span>}
    </>
  );
}

type ColumnsOptions = { readonly isOfUnit: boolean; readonly mayRetry: boolean };

function columnsOf({ t }: LanguageState, { isOfUnit, mayRetry }: ColumnsOptions): readonly Column<DeviceSync>[] {
  const unit: readonly Column<DeviceSync>[] = [
    {
      key: 'unit',
      title: t('word.unit'),
      cell: ({ unitKid }) => (unitKid === null ? undefined : <Link to={unitPath(unitKid)}>{unitKid}</Link>),
    },
  ];
  return [
    ...(isOfUnit ? [] : unit),
    {
      key: 'subject',
      title: t('sync.what'),
      cell: (sync) => <Subject sync={sync} />,
    },
    {
      key: 'state',
      title: t('unit.equipment'),
      cell: (sync) => (
        <span className="marks">
          <SyncMark {...sync} />
          {sync.state === 'failed' && sync.subject !== 'command' && mayRetry ? (
            <CommandButton
              name={`${retryCommand}.${sync.syncId}`}
              text={t('sync.retry')}
              about={sync.settingLabel ?? t(subjectTexts[sync.subject])}
              icon="refresh"
              isSmall
            />
          ) : undefined}
        </span>
      ),
    },
    { key: 'queued', title: t('sync.queuedAt'), cell: ({ queuedUtc }) => <Ago instant={queuedUtc} /> },
    { key: 'changed', title: t('unit.editedAt'), cell: ({ changedUtc }) => <Ago instant={changedUtc} /> },
  ];
}
