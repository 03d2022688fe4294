// The home screen: what needs attention now, and the housing associations of the manager.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { CurrentManager, TenantStatus, TenantStatusItem, TenantStatusPage } from '../api/operations.ts';
import { may } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { mayOpenTab } from '../bank/bank-page.tsx';
import { DataTable, Pager, type Column } from '../components/data-table.tsx';
import { Icon } from '../components/icon.tsx';
import { numberIn, useListState, type ListState } from '../components/list-state.ts';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Mark, Page, Section } from '../components/page.tsx';
import { Ago, LiveAgo } from '../components/times.tsx';
import type { TextKey, Translate } from '../language/catalogue.ts';
import { bankPath, locationPath, unitPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';

export function HomeScreen(): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  return (
    <Page title={t('nav.home')}>
      {may(manager, 'GetTenantStatusPage') ? <StatusSection /> : undefined}
      <BankCards />
    </Page>
  );
}

const pageSize = 25;

function StatusSection(): JSX.Element {
  const { t } = useLanguage();
  const list = useListState();
  const offset = numberIn(list.search, 'offset') ?? 0;
  const status = useRead(
    'GetTenantStatusPage',
    { pageSize, offset },
    { pollSeconds: (page) => page.status.refreshAfterSeconds },
  );
  return (
    <Section title={t('status.title')}>
      <Loaded read={status} lines={10}>
        {(page) => <StatusList page={page} list={list} />}
      </Loaded>
    </Section>
  );
}

function StatusList({ page, list }: { readonly page: TenantStatusPage; readonly list: ListState }): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const { items, measuredAtUtc } = page.status;
  const shown = { offset: page.offset, limit: pageSize, items, hasMore: page.nextCursor !== null };
  return (
    <>
      <Sources status={page.status} />
      {items.length === 0 ? (
        <Empty>{t('status.none')}</Empty>
      ) : (
        <DataTable
          caption={t('status.title')}
          columns={statusColumns(t, manager)}
          rows={items}
          keyOf={({ kind, kid }) => `${kind} ${kid}`}
        />
      )}
      <Pager list={list} page={shown} totalCount={page.totalCount} />
      <p className="fresh">
        {t('state.asOf')} <LiveAgo instant={measuredAtUtc} />
      </p>
    </>
  );
}

const kindTexts: Readonly<Record<string, TextKey>> = {
  Offline: 'status.offline',
  AutoOutOfOrder: 'status.outOfOrder',
  HeldLines: 'status.heldLines',
  ClockWrong: 'status.clockWrong',
  SyncStale: 'status.syncStale',
};

/** What is said of a computer at one of its units. */
const ofComputers = new Set(['ClockWrong', 'SyncStale']);

/** The service may have kinds that are newer than the console. */
function kindText(kind: string, t: Translate): string {
  const key = kindTexts[kind];
  return key === undefined ? kind : t(key);
}

/** How much there is of each kind. A source that failed is unknown, and no proof that all is well. */
function Sources({ status: { sources } }: { readonly status: TenantStatus }): JSX.Element {
  const { t, formats } = useLanguage();
  return (
    <ul className="tiles">
      {sources.map(({ kind, count, hasMore, errorCode }) => (
        <li key={kind} className={count > 0 || errorCode !== null ? 'tile is-raised' : 'tile'}>
          <span className="tile-value">
            {errorCode === null ? `${formats.number(count)}${hasMore ? '+' : ''}` : t('state.unknown')}
          </span>
          <span className="tile-name">{kindText(kind, t)}</span>
        </li>
      ))}
    </ul>
  );
}

const statusColumns = (t: Translate, manager: CurrentManager): readonly Column<TenantStatusItem>[] => [
  {
    key: 'unit',
    title: t('word.unit'),
    cell: ({ kid, unitName, computerName }) => (
      <Link to={unitPath(kid)} className="named">
        {unitName === '' ? computerName : unitName}
      </Link>
    ),
  },
  {
    key: 'kind',
    title: t('word.problem'),
    cell: ({ kind, errorId, errorText, bankKid, computerName }) => (
      <>
        <Mark tone={kind === 'AutoOutOfOrder' ? 'bad' : 'warn'}>{kindText(kind, t)}</Mark>
        {errorId === null ? undefined : ` ${t('status.error', { error: String(errorId) })}`}
        {errorText === null ? undefined : <span className="second">{errorText}</span>}
        {kind === 'HeldLines' && mayOpenTab(manager, bankKid, 'held-lines') ? (
          <span className="second">
            <Link to={bankPath(bankKid, 'held-lines')}>{t('held.resolve')}</Link>
          </span>
        ) : undefined}
        {ofComputers.has(kind) && mayOpenTab(manager, bankKid, 'computers') ? (
          <span className="second">
            <Link to={bankPath(bankKid, 'computers')} search={{ filter: computerName }}>
              {computerName}
            </Link>
          </span>
        ) : undefined}
      </>
    ),
  },
  {
    key: 'place',
    title: t('word.location'),
    cell: ({ locationKid, locationName, bankKid, bankName }) => (
      <>
        <Link to={locationPath(locationKid)}>{locationName}</Link>
        <span className="second">
          <Link to={bankPath(bankKid)}>{bankName}</Link>
        </span>
      </>
    ),
  },
  { key: 'since', title: t('status.since'), cell: ({ timestampUtc }) => <Ago instant={timestampUtc} /> },
];

/** They are known from the login: nothing has to be read. */
function BankCards(): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const { banks } = manager.access;
  return (
    <Section title={t('nav.banks')}>
      {banks.length === 0 ? <Empty>{t('banks.none')}</Empty> : undefined}
      <ul className="cards">
        {banks.map(({ kid, name, locations }) => (
          <li key={kid} className="card">
            <h3>
              {may(manager, 'GetBankLocations') ? (
                <Link to={bankPath(kid)} className="named">
                  <Icon name="bank" />
                  {name}
                </Link>
              ) : (
                name
              )}
            </h3>
            <p>
              <Icon name="location" /> {t('count.locations', { count: locations.length })}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
