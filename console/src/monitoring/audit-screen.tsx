// The audit log: who changed or exported what, when, and from where. Newest first; older pages by the service's cursors.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { AuditEntry } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import { DataTable, type Column } from '../lists/data-table.tsx';
import { FilterBar, TextFilter } from '../lists/filters.tsx';
import { useListState } from '../lists/list-state.ts';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Page } from '../components/page.tsx';
import { Instant } from '../times/times.tsx';
import type { Translate } from '../language/catalogue.ts';
import { useLanguage } from '../portal.tsx';

export function AuditScreen(): JSX.Element {
  const { t } = useLanguage();
  const list = useListState();
  const { search } = list;
  const audit = useRead('GetAuditLog', {
    operation: search['operation'],
    object: search['object'],
    managerKid: search['managerKid'],
    cursor: search['cursor'],
    limit: 50,
  });
  return (
    <Page title={t('nav.audit')}>
      <FilterBar>
        <TextFilter list={list} label={t('audit.operation')} name="operation" resets="cursor" />
        <TextFilter list={list} label={t('audit.object')} name="object" resets="cursor" />
        <TextFilter list={list} label={t('audit.managerKid')} name="managerKid" resets="cursor" />
      </FilterBar>
      <Loaded read={audit} lines={12}>
        {({ items, nextCursor }) => (
          <>
            {items.length === 0 ? (
              <Empty>{t('list.none')}</Empty>
            ) : (
              <DataTable caption={t('nav.audit')} columns={columnsOf(t)} rows={items} keyOf={({ id }) => id} />
            )}
            <nav className="pager" aria-label={t('list.pages')}>
              {search['cursor'] === undefined ? undefined : (
                <Link to="." search={{ ...search, cursor: undefined }} className="button">
                  {t('audit.newest')}
                </Link>
              )}
              {nextCursor === null ? undefined : (
                <Link to="." search={{ ...search, cursor: nextCursor }} className="button">
                  {t('audit.older')}
                </Link>
              )}
            </nav>
          </>
        )}
      </Loaded>
    </Page>
  );
}

const columnsOf = (t: Translate): readonly Column<AuditEntry>[] => [
  { key: 'time', title: t('word.time'), cell: ({ atUtc }) => <Instant instant={atUtc} /> },
  {
    key: 'actor',
    title: t('audit.actor'),
    cell: ({ actor, address }) => (
      <>
        <span className="line">{actor.name ?? actor.kid ?? actor.kind}</span>
        <span className="second">
          {[actor.name === null ? undefined : actor.kid, address].filter(Boolean).join(' · ')}
        </span>
      </>
    ),
  },
  {
    key: 'operation',
    title: t('audit.operation'),
    cell: ({ operation, environment }) => (
      <>
        <code>{operation}</code>
        <span className="second">{environment}</span>
      </>
    ),
  },
  { key: 'object', title: t('audit.object'), cell: ({ object }) => <code>{object}</code> },
  {
    key: 'change',
    title: t('audit.change'),
    cell: ({ before, after, requestId }) =>
      before === null && after === null && requestId === null ? undefined : (
        <details>
          <summary>{t('problem.details')}</summary>
          <Value title={t('audit.before')} value={before} />
          <Value title={t('audit.after')} value={after} />
          {requestId === null ? undefined : (
            <p className="second">
              {t('problem.request')} <code>{requestId}</code>
            </p>
          )}
        </details>
      ),
  },
];

type Recorded = Readonly<Record<string, unknown>> | null;

function Value({ title, value }: { readonly title: string; readonly value: Recorded }): JSX.Element | undefined {
  if (value === null) return undefined;
  return (
    <>
      <p className="second">{title}</p>
      <pre>
        {Object.entries(value)
          .map(([name, each]) => `${name}: ${textOf(each)}`)
          .join('\n')}
      </pre>
    </>
  );
}

const textOf = (value: unknown): string => {
  if (typeof value === 'bigint') return value.toString();
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
};
