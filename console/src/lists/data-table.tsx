// A table of rows. On narrow screens each row becomes a card; arrow keys move between the rows' links.

import type { JSX, KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { useLanguage } from '../portal.tsx';
import { Icon } from '../components/icon.tsx';
import type { ListState } from './list-state.ts';
import styles from './data-table.module.css';

export type Column<Row> = {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** The name of the sort order that the column has. */
  readonly sort?: string;
  /** Numbers are compared by their last digits. */
  readonly isNumber?: boolean;
};

type DataTableProps<Row> = {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** With it, columns that have a sort order can be sorted by. */
  readonly list?: ListState;
  /** Too many columns for cards: the table scrolls on narrow screens too. */
  readonly keepsColumns?: boolean;
  /** The order that the service uses unless told. */
  readonly defaultSort?: string;
};

export function DataTable<Row>({ caption, keepsColumns = false, ...table }: DataTableProps<Row>): JSX.Element {
  return keepsColumns ? (
    // What scrolls has to be reached by keyboard.
    <section className="table-frame keeps-columns" aria-label={caption} tabIndex={0}>
      <Rows caption={caption} {...table} />
    </section>
  ) : (
    <div className="table-frame">
      <Rows caption={caption} {...table} />
    </div>
  );
}

function Rows<Row>(props: DataTableProps<Row>): JSX.Element {
  const { caption, columns, rows, keyOf } = props;
  return (
    <table role="table" onKeyDown={moveByArrow}>
      <caption className="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <HeaderCell key={column.key} column={column} {...props} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row" onClick={followRow}>
            {columns.map(({ key, title, cell, isNumber }) => (
              <td key={key} role="cell" data-title={title} className={isNumber === true ? 'is-number' : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function HeaderCell<Row>({
  column,
  list,
  defaultSort,
}: DataTableProps<Row> & { readonly column: Column<Row> }): JSX.Element {
  const { title, sort, isNumber } = column;
  const className = isNumber === true ? 'is-number' : undefined;
  if (list === undefined || sort === undefined)
    return (
      <th role="columnheader" scope="col" className={className}>
        {title}
      </th>
    );
  const isSorted = (list.search['sort'] ?? defaultSort) === sort;
  const isDescending = isSorted && list.search['direction'] === 'desc';
  const order = isDescending ? 'descending' : 'ascending';
  return (
    <th role="columnheader" scope="col" className={className} aria-sort={isSorted ? order : 'none'}>
      <button type="button" className={styles.sort} onClick={() => list.sortBy(sort)}>
        {title}
        <Icon name={isSorted ? order : 'unsorted'} />
      </button>
    </th>
  );
}

const rowTarget = 'a[href], button:not(:disabled), summary';

/** The first that can be focused of each row that has such. */
const rowTargets = (table: Element): HTMLElement[] =>
  [...table.querySelectorAll('tbody tr')].flatMap((row) => row.querySelector<HTMLElement>(rowTarget) ?? []);

function moveByArrow(event: KeyboardEvent<HTMLTableElement>): void {
  const { key, target, currentTarget } = event;
  // These keys move in a text, or choose, in such elements.
  if (event.ctrlKey || event.altKey || event.metaKey || (target as Element).matches('input, select, textarea')) return;
  const targets = rowTargets(currentTarget);
  const index = targets.findIndex((each) => each.closest('tr')?.contains(document.activeElement));
  const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: targets.length - 1 }[key];
  const focused = next === undefined || index < 0 ? undefined : targets[next];
  if (focused === undefined) return;
  event.preventDefault();
  focused.focus();
}

/** From the filter above it into the table. Returns whether there is a row to go to. */
export function focusFirstRow(): boolean {
  const [first] = [...document.querySelectorAll('main table')].flatMap(rowTargets);
  first?.focus();
  return first !== undefined;
}

/** The whole row leads where its link does, unless the reader selects text or presses something in it. */
function followRow(event: MouseEvent<HTMLTableRowElement>): void {
  const target = event.target as Element;
  if (target.closest('a, button, input, select, summary') !== null) return;
  if (window.getSelection()?.isCollapsed === false) return;
  const link = event.currentTarget.querySelector<HTMLAnchorElement>('a[href]');
  if (link !== null) link.click();
}

type PagerProps = {
  readonly list: ListState;
  readonly page: {
    readonly offset: number;
    readonly limit: number;
    readonly hasMore: boolean;
    readonly items: readonly unknown[];
  };
  readonly totalCount?: number | undefined;
};

export function Pager({ list, page, totalCount }: PagerProps): JSX.Element | undefined {
  const { t } = useLanguage();
  const { offset, limit, hasMore, items } = page;
  if (offset === 0 && !hasMore && items.length === 0) return undefined;
  const range = { from: items.length === 0 ? offset : offset + 1, to: offset + items.length };
  return (
    <nav className="pager" aria-label={t('list.pages')}>
      <span role="status">
        {totalCount === undefined ? t('list.range', range) : t('list.rangeOf', { ...range, total: totalCount })}
      </span>
      {offset === 0 && !hasMore ? undefined : (
        <>
          <button
            type="button"
            className="button"
            disabled={offset === 0}
            onClick={() => list.goTo(Math.max(0, offset - limit))}
          >
            <Icon name="previous" />
            {t('list.previous')}
          </button>
          <button type="button" className="button" disabled={!hasMore} onClick={() => list.goTo(offset + limit)}>
            {t('list.next')}
            <Icon name="next" />
          </button>
        </>
      )}
    </nav>
  );
}
