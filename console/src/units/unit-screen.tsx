// A unit: its settings and states in groups, who changed them and whether the equipment has them, and their history.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { AddressPanel } from '../addresses/address-panel.tsx';
import { mayOpenTab, useBankCrumbs, useParameter } from '../banks/bank-page.tsx';
import type {
  DeviceSync,
  UnitDetail,
  UnitGroupName,
  UnitGroupSummary,
  UnitOverview,
  UnitValue,
} from '../api/operations.ts';
import { bankOfLocation, may, nameOfPlace } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { CommandButton } from '../command/command-button.tsx';
import { useOpenCommand } from '../command/command-address.ts';
import { DataTable, type Column } from '../components/data-table.tsx';
import { Icon } from '../components/icon.tsx';
import { useListState } from '../components/list-state.ts';
import { Loaded, Skeleton } from '../components/loaded.tsx';
import { Empty, Mark, Page, Section } from '../components/page.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { Ago, LiveAgo } from '../times/times.tsx';
import { DeviceSyncs } from './device-syncs.tsx';
import { OutOfOrderNote } from './out-of-order-note.tsx';
import { SettingDialog, settingCommand } from './setting-dialog.tsx';
import { SettingSyncMark } from './sync-mark.tsx';
import { isOnItsWay, pollSecondsOf, useUnitSyncs } from './sync-states.ts';
import { UnitCommands } from './unit-commands.tsx';
import { UnitHistory } from './unit-history.tsx';
import { formatValue } from './unit-value.ts';
import type { LanguageState } from '../language/language-store.ts';
import { bankPath, locationPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';

export function UnitScreen(): JSX.Element {
  const unitKid = useParameter('unitKid');
  const overview = useRead('GetUnitOverview', { unitKid });
  if (overview.data === undefined && overview.error === null) return <Skeleton lines={12} />;
  if (overview.data === undefined)
    return <ProblemPanel error={overview.error} onRetry={() => void overview.refetch()} />;
  return <Loaded read={overview}>{(unit) => <UnitPage overview={unit} />}</Loaded>;
}

function UnitPage({ overview: { unit, groups, commands } }: { readonly overview: UnitOverview }): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const list = useListState();
  const crumbs = useBankCrumbs(bankOfLocation(manager, unit.locationKid)?.kid ?? unit.bankKid);
  const location = { title: nameOfPlace(manager, unit.locationKid), to: locationPath(unit.locationKid) };
  const group = groups.find(({ name }) => name === list.search['group']) ?? groups[0];
  const setting = list.search['setting'];
  return (
    <Page
      title={unit.name}
      mark={<UnitMarks unit={unit} />}
      note={
        <>
          {unit.typeName} <code>{unit.kid}</code>
        </>
      }
      crumbs={[...crumbs, location]}
      actions={
        mayOpenTab(manager, unit.bankKid, 'documents') ? (
          <Link to={bankPath(unit.bankKid, 'documents')} search={{ unitKid: unit.kid, days: '7' }} className="button">
            <Icon name="documents" />
            {t('bank.documents')}
          </Link>
        ) : undefined
      }
      tabs={<GroupTabs groups={groups} current={group?.name} />}
    >
      <OutOfOrderNote unit={unit} />
      {group === undefined ? <Empty>{t('list.none')}</Empty> : <GroupSection unit={unit} group={group} />}
      {setting === undefined || group?.kind !== 'Settings' ? undefined : (
        <UnitHistory unitKid={unit.kid} group={group.name} setting={setting} />
      )}
      {may(manager, 'GetUnitCommands') ? (
        <UnitCommands unitKid={unit.kid} unitName={unit.name} supported={commands} />
      ) : undefined}
      {may(manager, 'GetDeviceSyncs') ? <UnitSyncs unit={unit} /> : undefined}
      {may(manager, 'GetObjectAddress') ? <AddressPanel kid={unit.kid} /> : undefined}
    </Page>
  );
}

function UnitMarks({ unit: { outOfOrder, enabled, bookable } }: { readonly unit: UnitDetail }): JSX.Element {
  const { t } = useLanguage();
  return (
    <>
      {outOfOrder ? <Mark tone="bad">{t('status.outOfOrder')}</Mark> : undefined}{' '}
      {enabled ? undefined : <Mark tone="warn">{t('state.disabled')}</Mark>}{' '}
      {bookable ? <Mark tone="plain">{t('units.bookable')}</Mark> : undefined}
    </>
  );
}

type GroupTabsProps = {
  readonly groups: readonly UnitGroupSummary[];
  readonly current: UnitGroupName | undefined;
};

function GroupTabs({ groups, current }: GroupTabsProps): JSX.Element {
  const { t } = useLanguage();
  return (
    <nav className="tabs" aria-label={t('unit.groups')}>
      <ul>
        {groups.map(({ name, label }) => (
          <li key={name}>
            <Link
              to="."
              search={{ group: name }}
              resetScroll={false}
              activeProps={{ 'aria-current': undefined }}
              aria-current={name === current ? 'page' : undefined}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** What was queued for the equipment of this unit. */
function UnitSyncs({ unit }: { readonly unit: UnitDetail }): JSX.Element {
  const { t } = useLanguage();
  const syncs = useUnitSyncs({ bankKid: unit.bankKid, unitKid: unit.kid });
  return <DeviceSyncs bankKid={unit.bankKid} read={syncs} isOfUnit title={t('sync.title')} />;
}

/** States change by themselves; they are read again. */
const stateRefreshSeconds = 15;

const isChanging = ({ synced, editedAtUtc }: UnitValue): boolean => !synced && isOnItsWay(editedAtUtc);

type GroupSectionProps = { readonly unit: UnitDetail; readonly group: UnitGroupSummary };

function GroupSection({ unit, group }: GroupSectionProps): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  const isState = group.kind === 'States';
  const values = useRead(
    'GetUnitGroup',
    { unitKid: unit.kid, group: group.name },
    { pollSeconds: (answer) => (isState ? stateRefreshSeconds : pollSecondsOf(answer.values.some(isChanging))) },
  );
  const syncs = useUnitSyncs({ bankKid: unit.bankKid, unitKid: unit.kid });
  const opened = useOpenCommand(settingCommand, { id: 'SetUnitSetting' });
  const described = values.data?.values.find(({ name }) => name === opened);
  return (
    <Section title={t(isState ? 'unit.states' : 'unit.settings')} isHidden>
      <Loaded read={values} lines={group.count}>
        {(answer) => (
          <>
            <DataTable
              caption={group.label}
              columns={columnsOf(language, group, syncs.data?.items ?? [])}
              rows={answer.values}
              keyOf={({ name }) => name}
            />
            {isState ? undefined : (
              <p className="fresh">
                {t('state.asOf')} <LiveAgo instant={new Date(values.dataUpdatedAt).toISOString()} />
              </p>
            )}
          </>
        )}
      </Loaded>
      {described === undefined ? undefined : <SettingDialog unit={unit} group={group.name} described={described} />}
    </Section>
  );
}

function columnsOf(
  language: LanguageState,
  group: UnitGroupSummary,
  syncs: readonly DeviceSync[],
): readonly Column<UnitValue>[] {
  const { t } = language;
  const editing: readonly Column<UnitValue>[] = [
    {
      key: 'synced',
      title: t('unit.equipment'),
      cell: (value) => <SettingSyncMark value={value} syncs={syncs} />,
    },
    { key: 'editor', title: t('unit.editor'), cell: ({ editorName }) => editorName },
  ];
  const change: Column<UnitValue> = {
    key: 'change',
    title: t('action.change'),
    cell: ({ name, label, canEdit }) =>
      canEdit ? (
        <CommandButton name={`${settingCommand}.${name}`} text={t('action.change')} about={label} isSmall />
      ) : undefined,
  };
  return [
    {
      key: 'label',
      title: t('word.name'),
      // Only settings have a history.
      cell: ({ name, label }) =>
        group.kind === 'States' ? (
          label
        ) : (
          <Link to="." search={{ group: group.name, setting: name }} resetScroll={false}>
            {label}
          </Link>
        ),
    },
    {
      key: 'value',
      title: t('word.value'),
      cell: (value) => <strong>{formatValue(value, value.value, language)}</strong>,
    },
    ...(group.kind === 'Settings' ? editing : []),
    {
      key: 'edited',
      title: t(group.kind === 'Settings' ? 'unit.editedAt' : 'unit.reportedAt'),
      cell: ({ editedAtUtc }) => (editedAtUtc === null ? undefined : <Ago instant={editedAtUtc} />),
    },
    ...(group.kind === 'Settings' ? [change] : []),
  ];
}
