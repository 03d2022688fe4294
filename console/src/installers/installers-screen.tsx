// The installers, who service units.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { InstallerMark } from './installer-mark.tsx';
import type { Installer } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import type { Column } from '../components/data-table.tsx';
import { ChoiceFilter, FilterBar, TextFilter } from '../components/filters.tsx';
import { pageInput, useListState } from '../components/list-state.ts';
import { choiceIn } from '../components/search-values.ts';
import { ListView } from '../components/list-view.tsx';
import { Mark, Page } from '../components/page.tsx';
import { Ago } from '../times/times.tsx';
import type { Translate } from '../language/catalogue.ts';
import { installerPath } from '../paths.ts';
import { useLanguage } from '../portal.tsx';

export function InstallersScreen(): JSX.Element {
  const { t } = useLanguage();
  const list = useListState();
  const installers = useRead('GetInstallers', {
    ...pageInput(list.search, ['name', 'kid', 'lastActivity'] as const),
    state: choiceIn(list.search, 'state', ['active', 'invited', 'disabled', 'all'] as const) ?? 'all',
    tag: list.search['tag'],
  });
  return (
    <Page title={t('nav.installers')}>
      <FilterBar>
        <TextFilter list={list} label={t('list.filter')} />
        <ChoiceFilter
          list={list}
          label={t('word.state')}
          name="state"
          choices={[
            ['all', t('list.all')],
            ['active', t('resident.active')],
            ['invited', t('installer.invited')],
            ['disabled', t('resident.disabled')],
          ]}
        />
      </FilterBar>
      <ListView
        read={installers}
        list={list}
        caption={t('nav.installers')}
        columns={columnsOf(t)}
        keyOf={({ kid }) => kid}
        defaultSort="name"
      />
    </Page>
  );
}

const columnsOf = (t: Translate): readonly Column<Installer>[] => [
  {
    key: 'name',
    title: t('word.name'),
    sort: 'name',
    cell: ({ kid, name, email }) => (
      <>
        <Link to={installerPath(kid)} className="named">
          {name === '' ? kid : name}
        </Link>
        <span className="second">{email}</span>
      </>
    ),
  },
  { key: 'state', title: t('word.state'), cell: ({ state }) => <InstallerMark state={state} /> },
  {
    key: 'locations',
    title: t('bank.locations'),
    cell: ({ locations }) => locations.map(({ name }) => name).join(', '),
  },
  {
    key: 'tags',
    title: t('installer.tags'),
    cell: ({ tags }) => (
      <span className="marks">
        {tags.map((tag) => (
          <Mark key={tag} tone="plain">
            {tag}
          </Mark>
        ))}
      </span>
    ),
  },
  {
    key: 'activity',
    title: t('word.lastActivity'),
    sort: 'lastActivity',
    cell: ({ lastActivityUtc }) => (lastActivityUtc === null ? t('state.never') : <Ago instant={lastActivityUtc} />),
  },
];
