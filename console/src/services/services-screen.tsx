// The services of the portal: parts of the system that act by themselves.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Service } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import { DataTable, type Column } from '../components/data-table.tsx';
import { FilterBar, TextFilter } from '../components/filters.tsx';
import { pageInput, useListState } from '../components/list-state.ts';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Page } from '../components/page.tsx';
import type { Translate } from '../language/catalogue.ts';
import { servicePath } from '../paths.ts';
import { useLanguage } from '../portal.tsx';

export function ServicesScreen(): JSX.Element {
  const { t } = useLanguage();
  const list = useListState();
  const { offset: _offset, ...input } = pageInput(list.search, ['identity', 'name'] as const);
  const services = useRead('GetServices', input);
  return (
    <Page title={t('nav.services')}>
      <FilterBar>
        <TextFilter list={list} label={t('list.filter')} />
      </FilterBar>
      <Loaded read={services}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty>{t('list.none')}</Empty>
          ) : (
            <DataTable
              caption={t('nav.services')}
              columns={columnsOf(t)}
              rows={items}
              keyOf={({ kid }) => kid}
              list={list}
              defaultSort="identity"
            />
          )
        }
      </Loaded>
    </Page>
  );
}

const columnsOf = (t: Translate): readonly Column<Service>[] => [
  {
    key: 'name',
    title: t('word.name'),
    sort: 'name',
    cell: ({ kid, name }) => (
      <Link to={servicePath(kid)} className="named">
        {name}
      </Link>
    ),
  },
  { key: 'identity', title: t('service.identity'), sort: 'identity', cell: ({ identity }) => identity },
  { key: 'kid', title: 'KID', cell: ({ kid }) => <code>{kid}</code> },
];
