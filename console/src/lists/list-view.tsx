// A list of the service as every screen shows it: the table of a page, or that nothing was found, and the way to the
// pages before and after.

import type { UseQueryResult } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useState, type JSX, type ReactNode } from 'react';
import type { Problem } from '../api/problem.ts';
import { useLanguage, usePortal } from '../portal.tsx';
import { DataTable, Pager, type Column } from './data-table.tsx';
import type { ListState } from './list-state.ts';
import { Loaded, Skeleton } from '../components/loaded.tsx';
import { Empty } from '../components/page.tsx';

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
  const { pathname } = useLocation();
  return (
    <Loaded read={read}>
      {(page) => (
        // The rows of one object are never shown as those of another.
        <Deferred key={pathname}>
          {page.items.length === 0 ? (
            <Empty>{t('list.none')}</Empty>
          ) : (
            <DataTable {...table} rows={page.items} list={list} />
          )}
          <Pager list={list} page={page} totalCount={page.totalCount} />
        </Deferred>
      )}
    </Loaded>
  );
}

const firstLines = 8;

/**
 * Shows what it had, as old, until the rest of the screen has reacted to a key or a press: many rows take longer than people
 * like to wait for that.
 */
function Deferred({ children }: { readonly children: ReactNode }): JSX.Element {
  const { shownLists } = usePortal();
  // The first list of the page is rendered after what stands above it has been painted.
  const [isFirst] = useState(shownLists.isEmpty);
  useEffect(() => {
    shownLists.add();
  }, [shownLists]);
  const shown = useDeferredValue(children, isFirst ? <Skeleton lines={firstLines} /> : children);
  const isOld = shown !== children;
  return (
    <div className={isOld ? 'is-old' : undefined} aria-busy={isOld}>
      {shown}
    </div>
  );
}
