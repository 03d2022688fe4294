// The computers of a housing association, through which its units are connected.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Computer } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import { BankPage, useParameter } from '../banks/bank-page.tsx';
import type { Column } from '../components/data-table.tsx';
import { FilterBar, TextFilter } from '../components/filters.tsx';
import { pageInput, useListState } from '../components/list-state.ts';
import { ListView } from '../components/list-view.tsx';
import { Section } from '../components/page.tsx';
import { Ago } from '../times/times.tsx';
import { ClockOffset } from './clock-offset.tsx';
import { CreateComputerButton, CreateComputerCommand } from './computer-commands.tsx';
import { ComputerMark } from './computer-mark.tsx';
import type { LanguageState } from '../language/language-store.ts';
import { bankPath, computerPath } from '../paths.ts';
import { useLanguage } from '../portal.tsx';

export function ComputersScreen(): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  const bankKid = useParameter('bankKid');
  const list = useListState();
  const computers = useRead('GetComputers', {
    bankKid,
    ...pageInput(list.search, ['kid', 'name', 'lastContact'] as const),
  });
  return (
    <BankPage bankKid={bankKid} tab="computers" actions={<CreateComputerButton bankKid={bankKid} />}>
      <FilterBar>
        <TextFilter list={list} label={t('list.filter')} />
      </FilterBar>
      <Section title={t('bank.computers')} isHidden>
        <ListView
          read={computers}
          list={list}
          caption={t('bank.computers')}
          columns={columnsOf(language, bankKid)}
          keyOf={({ kid }) => kid}
          defaultSort="kid"
        />
      </Section>
      <CreateComputerCommand bankKid={bankKid} />
    </BankPage>
  );
}

const columnsOf = ({ t, formats }: LanguageState, bankKid: string): readonly Column<Computer>[] => [
  {
    key: 'name',
    title: t('word.name'),
    sort: 'name',
    cell: ({ kid, name, state }) => (
      <>
        <Link to={computerPath(kid)} className="named">
          {name}
        </Link>{' '}
        {state === 'enrolled' ? undefined : <ComputerMark state={state} />}
      </>
    ),
  },
  {
    key: 'contact',
    title: t('units.lastContact'),
    sort: 'lastContact',
    cell: ({ lastContactUtc }) => (lastContactUtc === null ? t('state.never') : <Ago instant={lastContactUtc} />),
  },
  { key: 'units', title: t('word.units'), isNumber: true, cell: ({ units }) => formats.number(units.length) },
  {
    key: 'held',
    title: t('bank.heldLines'),
    isNumber: true,
    cell: ({ kid, streams }) => {
      const held = streams.reduce((sum, stream) => sum + stream.held, 0);
      return held === 0 ? (
        formats.number(0)
      ) : (
        <Link to={bankPath(bankKid, 'held-lines')} search={{ computerKid: kid }}>
          {formats.number(held)}
        </Link>
      );
    },
  },
  {
    key: 'clock',
    title: t('computer.clock'),
    cell: ({ clockOffsetMs }) => <ClockOffset offsetMs={clockOffsetMs} />,
  },
  {
    key: 'error',
    title: t('computer.lastError'),
    cell: ({ lastError, software }) => (
      <>
        <span className="line">{lastError}</span>
        <span className="second">{software === '' ? '' : t('computer.softwareVersion', { version: software })}</span>
      </>
    ),
  },
  { key: 'kid', title: 'KID', sort: 'kid', cell: ({ kid }) => <code>{kid}</code> },
];
