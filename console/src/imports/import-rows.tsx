// The rows of an import: what the plan does with each, the fields that change, what is wrong, and what became of it.

import { Link } from '@tanstack/react-router';
import { Fragment, type JSX } from 'react';
import type { CurrentManager, Import, ImportAction, ImportOutcome, ImportRow } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import { DataTable, type Column } from '../components/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../components/filters.tsx';
import { choiceIn, useListState } from '../components/list-state.ts';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Section } from '../components/page.tsx';
import { findKid } from '../kid.ts';
import type { LanguageState } from '../language/language-store.ts';
import { pathOfKid } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';
import { importActions, ImportMark, importOutcomes } from './import-marks.tsx';

const actions = Object.keys(importActions) as ImportAction[];
const outcomes = Object.keys(importOutcomes) as ImportOutcome[];

export function ImportRows({ of: { kid, revision } }: { readonly of: Import }): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  const manager = useManager();
  const list = useListState();
  const { search } = list;
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
      <Loaded read={rows}>
        {({ items, nextCursor }) => (
          <>
            {items.length === 0 ? (
              <Empty>{t('list.none')}</Empty>
            ) : (
              <DataTable
                caption={t('import.rows')}
                columns={columnsOf(language, manager)}
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

const columnsOf = ({ t, formats }: LanguageState, manager: CurrentManager): readonly Column<ImportRow>[] => [
  {
    key: 'line',
    title: t('import.line'),
    isNumber: true,
    // An object that the file lacks stands in no line.
    cell: ({ line }) => (
      <>
        <span className="cards-only">{t('import.line')} </span>
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
        <ImportMark of={importActions[action]} />
        {outcome === null ? undefined : <ImportMark of={importOutcomes[outcome]} />}
      </span>
    ),
  },
  {
    key: 'changes',
    title: t('import.changes'),
    cell: ({ changes, errors }) => (
      <>
        <Changes changes={changes} />
        <Errors errors={errors} />
      </>
    ),
  },
];

function ObjectLink({ kid, tenantKid }: { readonly kid: string; readonly tenantKid: string }): JSX.Element {
  const found = findKid(kid, tenantKid);
  const path = found === undefined ? undefined : pathOfKid(found);
  return path === undefined ? <>{kid}</> : <Link to={path}>{kid}</Link>;
}

function Changes({ changes }: Pick<ImportRow, 'changes'>): JSX.Element | undefined {
  const { t } = useLanguage();
  if (changes.length === 0) return undefined;
  return (
    <dl className="changes">
      {changes.map(({ field, before, after }) => (
        <Fragment key={field}>
          <dt>{field}</dt>
          <dd>
            {before === null ? undefined : (
              <>
                <del>
                  <span className="visually-hidden">{t('audit.before')} </span>
                  {before === '' ? '–' : before}
                </del>{' '}
                →{' '}
              </>
            )}
            <ins>
              <span className="visually-hidden">{t('audit.after')} </span>
              {after === null || after === '' ? '–' : after}
            </ins>
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** The texts are those of the service, in English. */
function Errors({ errors }: Pick<ImportRow, 'errors'>): JSX.Element | undefined {
  if (errors.length === 0) return undefined;
  return (
    <ul className="row-errors" lang="en">
      {errors.map(({ field, code, text }) => (
        <li key={`${field} ${code}`}>
          {/* Most texts begin with the field. */}
          {field === '' || text.startsWith(`${field}:`) ? undefined : <strong>{field}</strong>} {text}{' '}
          <code>{code}</code>
        </li>
      ))}
    </ul>
  );
}
