// The imports of data, the newest first.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { CurrentManager, Import } from '../api/operations.ts';
import { may, nameOfPlace } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import type { Column } from '../components/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../components/filters.tsx';
import { Icon } from '../components/icon.tsx';
import { useListState } from '../components/list-state.ts';
import { numberIn } from '../components/search-values.ts';
import { ListView } from '../components/list-view.tsx';
import { Page, Section } from '../components/page.tsx';
import { StateMark } from '../components/state-mark.tsx';
import { Ago } from '../times/times.tsx';
import { ImportKindName } from './import-kind-name.tsx';
import { importStates, isRunning } from './import-states.ts';
import { changingRows } from './import-numbers.tsx';
import type { LanguageState } from '../language/language-store.ts';
import { importPath, managerPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';

const pollSeconds = 5;

export function ImportsScreen(): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  const manager = useManager();
  const list = useListState();
  const imports = useRead(
    'GetImports',
    { bankKid: list.search['bankKid'], offset: numberIn(list.search, 'offset') },
    { pollSeconds: ({ items }) => (items.some(({ state }) => isRunning(state)) ? pollSeconds : 0) },
  );
  const banks = manager.access.banks.filter(({ bankWide }) => bankWide || manager.access.tenantWide);
  return (
    <Page title={t('nav.imports')} actions={<ImportsActions />}>
      <FilterBar>
        <ChoiceFilter
          list={list}
          label={t('word.bank')}
          name="bankKid"
          choices={[['', t('list.all')], ...banks.map(({ kid, name }) => [kid, name] as const)]}
        />
      </FilterBar>
      <Section title={t('nav.imports')} isHidden>
        <ListView
          read={imports}
          list={list}
          caption={t('nav.imports')}
          columns={columnsOf(language, manager)}
          keyOf={({ kid }) => kid}
        />
      </Section>
    </Page>
  );
}

function ImportsActions(): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  return (
    <>
      {may(manager, 'GetImportProfiles') ? (
        <Link to="/imports/profiles" className="button">
          {t('import.profiles')}
        </Link>
      ) : undefined}
      {may(manager, 'CreateImport') || may(manager, 'ExportData') ? (
        <Link to="/imports/new" className="button">
          <Icon name="import" />
          {t('import.new')}
        </Link>
      ) : undefined}
    </>
  );
}

const columnsOf = ({ t, formats }: LanguageState, manager: CurrentManager): readonly Column<Import>[] => [
  {
    key: 'kind',
    title: t('import.kind'),
    cell: ({ kid, kind, bankKid }) => (
      <>
        <Link to={importPath(kid)} className="named">
          <ImportKindName kind={kind} />
        </Link>
        <span className="second">
          {bankKid === null ? t('manager.wholePortal') : nameOfPlace(manager, bankKid)} · <code>{kid}</code>
        </span>
      </>
    ),
  },
  { key: 'state', title: t('word.state'), cell: ({ state }) => <StateMark states={importStates} state={state} /> },
  { key: 'changing', title: t('import.changing'), isNumber: true, cell: (row) => formats.number(changingRows(row)) },
  {
    key: 'refused',
    title: t('import.refused'),
    isNumber: true,
    cell: ({ counts }) => formats.number(counts.refused),
  },
  { key: 'source', title: t('import.source'), cell: ({ source }) => <code>{source}</code> },
  {
    key: 'created',
    title: t('import.created'),
    cell: ({ createdUtc, createdByKid }) => (
      <>
        <span className="line">
          <Ago instant={createdUtc} />
        </span>
        <span className="second">
          {createdByKid !== null && may(manager, 'GetManager') ? (
            <Link to={managerPath(createdByKid)}>{createdByKid}</Link>
          ) : (
            createdByKid
          )}
        </span>
      </>
    ),
  },
];
