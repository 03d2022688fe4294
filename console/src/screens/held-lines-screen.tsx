// The lines of computers of a housing association that could not be booked, each with what the manager can do with it.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { HeldLine } from '../api/operations.ts';
import { mayInBank } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { useBankCrumbs, useParameter } from '../bank/bank-page.tsx';
import { HeldLineCommand, heldLineCommand } from '../bank/held-line-command.tsx';
import { heldStateTexts, nameOfHeldCode } from '../bank/held-lines.ts';
import { CommandButton } from '../command/command-button.tsx';
import type { Column } from '../components/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../components/filters.tsx';
import { choiceIn, numberIn, useListState } from '../components/list-state.ts';
import { ListView } from '../components/list-view.tsx';
import { Mark, Page } from '../components/page.tsx';
import { Ago } from '../components/times.tsx';
import type { Translate } from '../language/catalogue.ts';
import { unitPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';

const states = ['held', 'resolved', 'discarded', 'all'] as const;

export function HeldLinesScreen(): JSX.Element {
  const { t } = useLanguage();
  const bankKid = useParameter('bankKid');
  const manager = useManager();
  const list = useListState();
  const lines = useRead('GetHeldLines', {
    bankKid,
    state: choiceIn(list.search, 'state', states),
    offset: numberIn(list.search, 'offset'),
  });
  const mayResolve = mayInBank(manager, bankKid, 'ResolveHeldLine');
  return (
    <Page title={t('status.heldLines')} crumbs={useBankCrumbs(bankKid, 'locations')}>
      <FilterBar>
        <ChoiceFilter
          list={list}
          label={t('word.state')}
          name="state"
          choices={states.map((state) => [state, t(state === 'all' ? 'list.all' : heldStateTexts[state].text)])}
        />
      </FilterBar>
      <ListView
        read={lines}
        list={list}
        caption={t('status.heldLines')}
        columns={columnsOf(t, mayResolve)}
        keyOf={({ kid }) => kid}
      />
      <HeldLineCommand bankKid={bankKid} lines={lines.data?.items ?? []} isAllowed={mayResolve} />
    </Page>
  );
}

const columnsOf = (t: Translate, mayResolve: boolean): readonly Column<HeldLine>[] => [
  {
    key: 'why',
    title: t('held.why'),
    cell: ({ code, reason }) => (
      <>
        {nameOfHeldCode(code, t)}
        {reason === null ? undefined : <span className="second">{reason}</span>}
      </>
    ),
  },
  { key: 'line', title: t('held.line'), cell: ({ line }) => <pre>{line}</pre> },
  {
    key: 'unit',
    title: t('word.unit'),
    cell: ({ unitKid }) => (unitKid === null ? undefined : <Link to={unitPath(unitKid)}>{unitKid}</Link>),
  },
  { key: 'received', title: t('held.received'), cell: ({ receivedUtc }) => <Ago instant={receivedUtc} /> },
  {
    key: 'state',
    title: t('word.state'),
    cell: ({ kid, state, n }) => (
      <span className="marks">
        <Mark tone={heldStateTexts[state].tone}>{t(heldStateTexts[state].text)}</Mark>
        {state === 'held' && mayResolve ? (
          <CommandButton name={`${heldLineCommand}.${kid}`} text={t('held.resolve')} about={String(n)} isSmall />
        ) : undefined}
      </span>
    ),
  },
];
