// A list of the service as every screen shows it: the table of a page, or that nothing was found, and the way to the
// pages before and after.

import type { UseQueryResult } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { Problem } from '../api/problem.ts';
import { useLanguage } from '../portal.tsx';
import { DataTable, Pager, type Column } from './data-table.tsx';
import type { ListState } from './list-state.ts';
import { Loaded } from './loaded.tsx';
import { Empty } from './page.tsx';

type PageOf<Row> = {
  readonly items: readonly Row[];
  readonly offset: number;
  readonly limit: number;
  readonly hasMore: boolean;
  readonly totalCount?: number;
};

type ListViewProps<Row> = {
  readonly read: UseQueryResult<PageOf<Row>, Problem>;
  readonly list: ListState;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly defaultSort?: string;
};

export function ListView<Row>({ read, list, ...table }: ListViewProps<Row>): JSX.Element {
  const { t } = useLanguage();
  return (
    <Loaded read={read}>
      {(page) => (
        <>
          {page.items.length === 0 ? (
            <Empty>{t('list.none')}</Empty>
          ) : (
            <DataTable {...table} rows={page.items} list={list} />
          )}
          <Pager list={list} page={page} totalCount={page.totalCount} />
        </>
      )}
    </Loaded>
  );
}
