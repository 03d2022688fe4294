// The rows of an import: what the plan does with each, the fields that change, what is wrong, and what became of it.

import { Link } from '@tanstack/react-router';
import { Fragment, type JSX } from 'react';
import type { CurrentManager, Import, ImportAction, ImportOutcome, ImportRow } from '../api/operations.ts';
import { may } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { DataTable, type Column } from '../lists/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../lists/filters.tsx';
import { useListState } from '../lists/list-state.ts';
import { choiceIn } from '../lists/search-values.ts';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Section } from '../components/page.tsx';
import { StateMark } from '../components/state-mark.tsx';
import { findKid } from '../kid.ts';
import { unknownZone } from '../language/formats.ts';
import type { LanguageState } from '../language/language-store.ts';
import { pathOfKid } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';
import { nameOfImportField } from './field-names.ts';
import { formatImportValue } from './field-value.ts';
import { importActions, importOutcomes } from './import-states.ts';
import { RowErrors } from './row-errors.tsx';
import styles from './import-rows.module.css';

const actions = Object.keys(importActions) as ImportAction[];
const outcomes = Object.keys(importOutcomes) as ImportOutcome[];

export function ImportRows({ of: { kid, kind, bankKid, revision } }: { readonly of: Import }): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  const manager = useManager();
  const list = useListState();
  const { search } = list;
  const zoneOf = useZones(bankKid);
  const rows = useRead(
    'GetImportRows',
    {
      importKid: kid,
      action: choiceIn(search, 'action', actions),
      outcome: choiceIn(search, 'outcome', outcomes),
      cursor: search['cursor'],
      limit: 50,
    },
    // What became of the rows changes with the import.
    { version: revision },
  );
  const choose = (name: 'action' | 'outcome', label: string, shown: typeof importActions | typeof importOutcomes) => (
    <ChoiceFilter
      list={{ ...list, change: (changes, isTyping) => list.change({ ...changes, cursor: undefined }, isTyping) }}
      label={label}
      name={name}
      choices={[['', t('list.all')], ...Object.entries(shown).map(([value, { text }]) => [value, t(text)] as const)]}
    />
  );
  return (
    <Section title={t('import.rows')}>
      <FilterBar>
        {choose('action', t('import.action'), importActions)}
        {choose('outcome', t('import.outcome'), importOutcomes)}
      </FilterBar>
      <Loaded read={zoneOf === undefined ? ({ ...rows, data: undefined } as typeof rows) : rows}>
        {({ items, nextCursor }) => (
          <>
            {items.length === 0 ? (
              <Empty>{t('list.none')}</Empty>
            ) : (
              <DataTable
                caption={t('import.rows')}
                columns={columnsOf(language, { manager, kind, zoneOf })}
                rows={items}
                keyOf={({ line, key }) => `${line} ${key}`}
              />
            )}
            <nav className="pager" aria-label={t('list.pages')}>
              {search['cursor'] === undefined ? undefined : (
                <Link to="." search={{ ...search, cursor: undefined }} className="button" resetScroll={false}>
                  {t('list.first')}
                </Link>
              )}
              {nextCursor === null ? undefined : (
                <Link to="." search={{ ...search, cursor: nextCursor }} className="button" resetScroll={false}>
                  {t('list.next')}
                </Link>
              )}
            </nav>
          </>
        )}
      </Loaded>
    </Section>
  );
}

type ZoneOf = (locationKid: string | null) => string;

/**
 * The zones of the locations of a housing association, any of which a row may name. Undefined while they are read; UTC,
 * which says so, where they cannot be.
 */
function useZones(bankKid: string | null): ZoneOf | undefined {
  const manager = useManager();
  const isAllowed = bankKid !== null && may(manager, 'GetBankLocations');
  const locations = useRead('GetBankLocations', { bankKid: bankKid ?? '', limit: 200 }, { enabled: isAllowed });
  if (isAllowed && locations.data === undefined && !locations.isError) return undefined;
  const zones = new Map(locations.data?.items.map(({ kid, timeZone }) => [kid, timeZone]));
  const otherZone = bankKid === null || zones.size > 0 ? manager.timeZone : unknownZone;
  return (locationKid) => zones.get(locationKid ?? '') ?? otherZone;
}

type ColumnsOptions = { readonly manager: CurrentManager; readonly kind: string; readonly zoneOf?: ZoneOf | undefined };

const columnsOf = (
  { t, formats }: LanguageState,
  { manager, kind, zoneOf = () => manager.timeZone }: ColumnsOptions,
): readonly Column<ImportRow>[] => [
  {
    key: 'line',
    title: t('import.line'),
    isNumber: true,
    // An object that the file lacks stands in no line.
    cell: ({ line }) => (
      <>
        <span className={styles.cardsOnly}>{t('import.line')} </span>
        {line === 0 ? '–' : formats.number(line)}
      </>
    ),
  },
  {
    key: 'object',
    title: t('import.key'),
    cell: ({ key, objectKid }) => (
      <>
        <span className="line">{key}</span>
        {objectKid === null || objectKid === key ? undefined : (
          <span className="second">
            <ObjectLink kid={objectKid} tenantKid={manager.tenantKid} />
          </span>
        )}
      </>
    ),
  },
  {
    key: 'action',
    title: t('import.action'),
    cell: ({ action, outcome }) => (
      <span className="marks">
        <StateMark states={importActions} state={action} />
        {outcome === null ? undefined : <StateMark states={importOutcomes} state={outcome} />}
      </span>
    ),
  },
  {
    key: 'changes',
    title: t('import.changes'),
    cell: (row) => (
      <>
        <Changes changes={row.changes} kind={kind} timeZone={zoneOf(locationOf(row, manager.tenantKid))} />
        <RowErrors kind={kind} errors={row.errors} />
      </>
    ),
  },
];

function ObjectLink({ kid, tenantKid }: { readonly kid: string; readonly tenantKid: string }): JSX.Element {
  const found = findKid(kid, tenantKid);
  const path = found === undefined ? undefined : pathOfKid(found);
  return path === undefined ? <>{kid}</> : <Link to={path}>{kid}</Link>;
}

/** The location that a row names, or that of its object. Null where neither says it. */
function locationOf({ objectKid, changes }: ImportRow, tenantKid: string): string | null {
  const named = changes.filter(({ field }) => field === 'location' || field === 'unit');
  for (const kid of [...named.map(({ after, before }) => after ?? before), objectKid]) {
    const found = kid === null || kid === undefined ? undefined : findKid(kid, tenantKid);
    if (found?.type === 'location') return found.kid;
    if (found?.type === 'unit') return found.kid.replace(/-U\d+$/, '');
  }
  return null;
}

type ChangesProps = Pick<ImportRow, 'changes'> & { readonly kind: string; readonly timeZone: string };

function Changes({ changes, kind, timeZone }: ChangesProps): JSX.Element | undefined {
  const language = useLanguage();
  const { t } = language;
  if (changes.length === 0) return undefined;
  const shown = (field: string, value: string | null): string =>
    value === null || value === '' ? '–' : formatImportValue(field, value, language, timeZone);
  return (
    <dl className={styles.changes}>
      {changes.map(({ field, before, after }) => (
        <Fragment key={field}>
          <dt>{nameOfImportField(kind, field, t)}</dt>
          <dd>
            {before === null ? undefined : (
              <>
                <del>
                  <span className="visually-hidden">{t('audit.before')} </span>
                  {shown(field, before)}
                </del>{' '}
                →{' '}
              </>
            )}
            <ins>
              <span className="visually-hidden">{t('audit.after')} </span>
              {shown(field, after)}
            </ins>
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}
