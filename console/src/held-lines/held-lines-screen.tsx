// Lines of computers that could not be booked: what each says, why it is held, and what has become of it.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { HeldLine } from '../api/operations.ts';
import { may, mayInBank } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { BankPage, useParameter } from '../banks/bank-page.tsx';
import { HeldLineCommand, heldLineCommand } from './held-line-command.tsx';
import { heldCodes, heldStateTexts, nameOfHeldCode } from './held-lines.ts';
import { CommandButton } from '../command/command-button.tsx';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../lists/filters.tsx';
import { useListState } from '../lists/list-state.ts';
import { choiceIn, numberIn } from '../lists/search-values.ts';
import { ListView } from '../lists/list-view.tsx';
import { Section } from '../components/page.tsx';
import { StateMark } from '../components/state-mark.tsx';
import { LineSummary, WholeLine } from './held-line.tsx';
import type { LanguageState } from '../language/language-store.ts';
import { bankPath, computerPath, unitPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';
import styles from './held-lines-screen.module.css';

const states = ['held', 'resolved', 'discarded', 'all'] as const;

export function HeldLinesScreen(): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  const manager = useManager();
  const bankKid = useParameter('bankKid');
  const list = useListState();
  const { search } = list;
  const lines = useRead('GetHeldLines', {
    bankKid,
    state: choiceIn(search, 'state', states),
    code: choiceIn(search, 'code', heldCodes),
    computerKid: search['computerKid'],
    offset: numberIn(search, 'offset'),
  });
  const mayResolve = mayInBank(manager, bankKid, 'ResolveHeldLine');
  return (
    <BankPage bankKid={bankKid} tab="held-lines">
      <FilterBar>
        <ChoiceFilter
          list={list}
          label={t('word.state')}
          name="state"
          choices={states.map((state) => [state, t(state === 'all' ? 'list.all' : heldStateTexts[state].text)])}
        />
        <ChoiceFilter
          list={list}
          label={t('held.why')}
          name="code"
          choices={[['', t('list.all')], ...heldCodes.map((code) => [code, nameOfHeldCode(code, t)] as const)]}
        />
        {search['computerKid'] === undefined ? undefined : (
          <p className={styles.chosen}>
            {t('word.computer')} <ComputerLink computerKid={search['computerKid']} />
            <button
              type="button"
              className="button button-small"
              onClick={() => list.change({ computerKid: undefined })}
            >
              {t('list.all')}
            </button>
          </p>
        )}
      </FilterBar>
      <Section title={t('bank.heldLines')} isHidden>
        <ListView
          read={lines}
          list={list}
          caption={t('bank.heldLines')}
          columns={columnsOf(language, { bankKid, mayResolve })}
          keyOf={({ kid }) => kid}
        />
      </Section>
      <HeldLineCommand bankKid={bankKid} lines={lines.data?.items ?? []} isAllowed={mayResolve} />
    </BankPage>
  );
}

function ComputerLink({ computerKid }: { readonly computerKid: string }): JSX.Element {
  const manager = useManager();
  return may(manager, 'GetComputer') ? <Link to={computerPath(computerKid)}>{computerKid}</Link> : <>{computerKid}</>;
}

type ColumnsOptions = { readonly bankKid: string; readonly mayResolve: boolean };

const columnsOf = (
  { t, formats }: LanguageState,
  { bankKid, mayResolve }: ColumnsOptions,
): readonly Column<HeldLine>[] => [
  {
    key: 'why',
    title: t('held.why'),
    cell: ({ kid, code, reason }) => (
      <>
        <span className="line">{nameOfHeldCode(code, t)}</span>
        <span className="second">{reason}</span>
        <code className="second">{kid}</code>
      </>
    ),
  },
  {
    key: 'line',
    title: t('held.line'),
    cell: ({ line, timeZone }) => (
      <>
        <LineSummary line={line} timeZone={timeZone} />
        <WholeLine line={line} />
      </>
    ),
  },
  {
    key: 'unit',
    title: t('word.unit'),
    cell: ({ unitKid, computerKid }) => (
      <>
        {unitKid === null ? undefined : (
          <Link to={unitPath(unitKid)} className="line">
            {unitKid}
          </Link>
        )}
        <span className="second">
          <ComputerLink computerKid={computerKid} />
        </span>
      </>
    ),
  },
  {
    key: 'received',
    title: t('held.received'),
    cell: ({ receivedUtc, timeZone }) => <time dateTime={receivedUtc}>{formats.dateTime(receivedUtc, timeZone)}</time>,
  },
  {
    key: 'state',
    title: t('word.state'),
    cell: ({ kid, state, n, postingKid }) => (
      <>
        <span className="marks">
          <StateMark states={heldStateTexts} state={state} />
          {state === 'held' && mayResolve ? (
            <CommandButton name={`${heldLineCommand}.${kid}`} text={t('held.resolve')} about={String(n)} isSmall />
          ) : undefined}
        </span>
        {postingKid === null ? undefined : (
          <span className="second">
            <Link to={bankPath(bankKid, 'account')}>{postingKid}</Link>
          </span>
        )}
      </>
    ),
  },
];
