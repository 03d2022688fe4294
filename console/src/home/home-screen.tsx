// The home screen: what needs attention now, and the housing associations of the manager.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Input } from '../api/client.ts';
import { largestPages } from '../api/limits.ts';
import type {
  CurrentManager,
  TenantStatus,
  TenantStatusItem,
  TenantStatusPage,
  TenantStatusSource,
} from '../api/operations.ts';
import { may } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { mayOpenTab } from '../banks/bank-page.tsx';
import { DataTable, Pager, type Column } from '../lists/data-table.tsx';
import { Icon } from '../components/icon.tsx';
import { useListState } from '../lists/list-state.ts';
import { numberIn } from '../lists/search-values.ts';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Mark, Page, Section } from '../components/page.tsx';
import { Ago, LiveAgo } from '../times/times.tsx';
import type { TextKey, Translate } from '../language/catalogue.ts';
import { bankPath, locationPath, unitPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';
import styles from './home-screen.module.css';

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
const pollOf = ({ status }: TenantStatusPage): number => status.refreshAfterSeconds;

function StatusSection(): JSX.Element {
  const { t } = useLanguage();
  const { kind } = useListState().search;
  return (
    <Section title={t('status.title')}>{kind === undefined ? <AllAlerts /> : <AlertsOfKind kind={kind} />}</Section>
  );
}

function AllAlerts(): JSX.Element {
  const list = useListState();
  const offset = numberIn(list.search, 'offset') ?? 0;
  const read = useRead('GetTenantStatusPage', { pageSize, offset }, { pollSeconds: pollOf });
  return (
    <Loaded read={read} lines={10}>
      {({ status, offset: begin, nextCursor, totalCount }) => (
        <StatusList
          status={status}
          pager={
            <Pager
              list={list}
              page={{ offset: begin, limit: pageSize, items: status.items, hasMore: nextCursor !== null }}
              totalCount={totalCount}
            />
          }
        />
      )}
    </Loaded>
  );
}

/** The tiles count all kinds, as without a choice; the list has those of the kind. */
function AlertsOfKind({ kind }: { readonly kind: string }): JSX.Element {
  const all = useRead('GetTenantStatusPage', { pageSize, offset: 0 }, { pollSeconds: pollOf });
  const ofKind = useRead(
    'GetTenantStatus',
    // The service may have kinds that are newer than the console.
    { limit: largestPages.GetTenantStatus, kind: kind as Input<'GetTenantStatus'>['kind'] },
    { pollSeconds: ({ refreshAfterSeconds }) => refreshAfterSeconds },
  );
  return (
    <Loaded read={ofKind} lines={10}>
      {(status) => <StatusList status={{ ...status, sources: all.data?.status.sources ?? status.sources }} />}
    </Loaded>
  );
}

type StatusListProps = { readonly status: TenantStatus; readonly pager?: JSX.Element };

function StatusList({ status, pager }: StatusListProps): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const { items, measuredAtUtc } = status;
  return (
    <>
      <Sources status={status} />
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
      {pager}
      <p className="fresh">
        {t('state.asOf')} <LiveAgo instant={measuredAtUtc} />
      </p>
    </>
  );
}

const kindTexts: Readonly<Record<string, TextKey>> = {
  Offline: 'status.offline',
  AutoOutOfOrder: 'status.outOfOrder',
  HeldLines: 'bank.heldLines',
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

/** What stops people first. */
const worstKind = 'AutoOutOfOrder';

/** How much there is of each kind; a press shows those alone, and another one all again. */
function Sources({ status: { sources } }: { readonly status: TenantStatus }): JSX.Element {
  const ordered = sources.toSorted((one, other) => Number(other.kind === worstKind) - Number(one.kind === worstKind));
  return (
    <ul className="tiles">
      {ordered.map((source) => (
        <li key={source.kind} className={source.count > 0 || source.errorCode !== null ? 'tile is-raised' : 'tile'}>
          <Source source={source} />
        </li>
      ))}
    </ul>
  );
}

/** A source that failed is unknown, and no proof that all is well. */
function Source({ source: { kind, count, hasMore, errorCode } }: { readonly source: TenantStatusSource }): JSX.Element {
  const { t, formats } = useLanguage();
  const list = useListState();
  const isChosen = list.search['kind'] === kind;
  const content = (
    <>
      <span className="tile-value">
        {errorCode === null ? `${formats.number(count)}${hasMore ? '+' : ''}` : t('state.unknown')}
      </span>
      <span className="tile-name">{kindText(kind, t)}</span>
    </>
  );
  if (count === 0 && !isChosen) return content;
  return (
    <button
      type="button"
      className={styles.tileButton}
      aria-pressed={isChosen}
      onClick={() => list.change({ kind: isChosen ? undefined : kind })}
    >
      {content}
    </button>
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
