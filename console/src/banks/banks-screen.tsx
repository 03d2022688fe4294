// The housing associations that the manager may see, with how many of their units are online.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { BankIcons } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import type { Column } from '../lists/data-table.tsx';
import { FilterBar, TextFilter } from '../lists/filters.tsx';
import { KidIcon } from '../components/icon.tsx';
import { pageInput, useListState } from '../lists/list-state.ts';
import { ListView } from '../lists/list-view.tsx';
import { OnlineCounts } from '../components/online-counts.tsx';
import { Page } from '../components/page.tsx';
import type { Translate } from '../language/catalogue.ts';
import { bankPath } from '../paths.ts';
import { useLanguage } from '../portal.tsx';

export function BanksScreen(): JSX.Element {
  const { t } = useLanguage();
  const list = useListState();
  const banks = useRead('GetBankIcons', pageInput(list.search, ['name', 'kid'] as const));
  return (
    <Page title={t('nav.banks')}>
      <FilterBar>
        <TextFilter list={list} label={t('list.filter')} />
      </FilterBar>
      <ListView
        read={banks}
        list={list}
        caption={t('nav.banks')}
        columns={columnsOf(t)}
        keyOf={({ kid }) => kid}
        defaultSort="kid"
      />
    </Page>
  );
}

const columnsOf = (t: Translate): readonly Column<BankIcons>[] => [
  {
    key: 'name',
    title: t('word.name'),
    sort: 'name',
    cell: ({ kid, name, iconKid }) => (
      <Link to={bankPath(kid)} className="named">
        <KidIcon kid={iconKid} />
        {name}
      </Link>
    ),
  },
  {
    key: 'type',
    title: t('word.type'),
    cell: ({ bankType }) =>
      bankType === null ? t('state.unknown') : t(bankType === 'Cash' ? 'bank.cash' : 'bank.rent'),
  },
  {
    key: 'units',
    title: t('word.units'),
    cell: ({ online, offline }) => <OnlineCounts online={online} offline={offline} />,
  },
  { key: 'kid', title: 'KID', sort: 'kid', cell: ({ kid }) => <code>{kid}</code> },
];
