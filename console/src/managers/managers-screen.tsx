// The administrators of the portal.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { nameOfRole } from './roles.ts';
import type { Manager } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import type { Column } from '../components/data-table.tsx';
import { Email } from '../components/email.tsx';
import { ChoiceFilter, FilterBar, TextFilter } from '../components/filters.tsx';
import { pageInput, useListState } from '../components/list-state.ts';
import { choiceIn } from '../components/search-values.ts';
import { ListView } from '../components/list-view.tsx';
import { Mark, Page } from '../components/page.tsx';
import { Ago } from '../times/times.tsx';
import type { Translate } from '../language/catalogue.ts';
import { managerPath } from '../paths.ts';
import { useLanguage } from '../portal.tsx';

export function ManagersScreen(): JSX.Element {
  const { t } = useLanguage();
  const list = useListState();
  const managers = useRead('GetManagers', {
    ...pageInput(list.search, ['name', 'kid'] as const),
    state: choiceIn(list.search, 'state', ['active', 'inactive', 'all'] as const) ?? 'all',
  });
  return (
    <Page title={t('nav.managers')}>
      <FilterBar>
        <TextFilter list={list} label={t('list.filter')} />
        <ChoiceFilter
          list={list}
          label={t('word.state')}
          name="state"
          choices={[
            ['all', t('list.all')],
            ['active', t('resident.active')],
            ['inactive', t('resident.disabled')],
          ]}
        />
      </FilterBar>
      <ListView
        read={managers}
        list={list}
        caption={t('nav.managers')}
        columns={columnsOf(t)}
        keyOf={({ kid }) => kid}
        defaultSort="name"
      />
    </Page>
  );
}

const columnsOf = (t: Translate): readonly Column<Manager>[] => [
  {
    key: 'name',
    title: t('word.name'),
    sort: 'name',
    cell: ({ kid, name, active }) => (
      <>
        <Link to={managerPath(kid)} className="named">
          {name === '' ? kid : name}
        </Link>{' '}
        {active ? undefined : <Mark tone="warn">{t('resident.disabled')}</Mark>}
      </>
    ),
  },
  {
    key: 'email',
    title: t('word.email'),
    cell: ({ email, organisation }) => (
      <>
        <span className="line">
          <Email address={email} />
        </span>
        <span className="second">{organisation}</span>
      </>
    ),
  },
  { key: 'role', title: t('manager.role'), cell: ({ role }) => nameOfRole(role, t) },
  {
    key: 'scope',
    title: t('manager.scope'),
    cell: ({ tenantWide }) => t(tenantWide ? 'manager.wholePortal' : 'manager.partOfPortal'),
  },
  {
    key: 'seen',
    title: t('word.lastActivity'),
    cell: ({ lastSeenUtc }) => (lastSeenUtc === null ? t('state.never') : <Ago instant={lastSeenUtc} />),
  },
  { key: 'kid', title: 'KID', sort: 'kid', cell: ({ kid }) => <code>{kid}</code> },
];
