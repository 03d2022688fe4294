// The residents of a housing association.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { BankPage, useParameter } from '../banks/bank-page.tsx';
import { LocationFilter } from '../locations/location-filter.tsx';
import { homeFields } from './resident-fields.ts';
import { ResidentMark } from './resident-mark.tsx';
import type { Resident } from '../api/operations.ts';
import { findBank, may, mayInBank } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { Amount } from '../components/amount.tsx';
import type { Column } from '../lists/data-table.tsx';
import { Email } from '../components/email.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { ChoiceFilter, FilterBar, TextFilter } from '../lists/filters.tsx';
import { Icon } from '../components/icon.tsx';
import { pageInput, useListState } from '../lists/list-state.ts';
import { choiceIn } from '../lists/search-values.ts';
import { ListView } from '../lists/list-view.tsx';
import { Section } from '../components/page.tsx';
import { Ago } from '../times/times.tsx';
import type { Translate } from '../language/catalogue.ts';
import { bankPath, residentPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';

const states = ['active', 'disabled', 'deleted', 'all'] as const;

export function ResidentsScreen(): JSX.Element {
  const { t } = useLanguage();
  const bankKid = useParameter('bankKid');
  const manager = useManager();
  const list = useListState();
  const { offset, ...filters } = pageInput(list.search, ['name', 'kid', 'apartment'] as const);
  const input = {
    bankKid,
    ...filters,
    state: choiceIn(list.search, 'state', states),
    locationKid: list.search['locationKid'],
  };
  const residents = useRead('GetBankUsers', { ...input, offset });
  const locations = findBank(manager, bankKid)?.locations ?? [];
  return (
    <BankPage
      bankKid={bankKid}
      tab="residents"
      actions={
        <>
          {mayInBank(manager, bankKid, 'CreateBankUser') ? (
            <Link to={bankPath(bankKid, 'residents/new')} className="button button-main">
              <Icon name="create" />
              {t('resident.create')}
            </Link>
          ) : undefined}
          {may(manager, 'ExportBankUsers') ? (
            <DownloadButton id="ExportBankUsers" input={input} format="CSV" label={t('bank.residents')} />
          ) : undefined}
        </>
      }
    >
      <FilterBar>
        <TextFilter list={list} label={t('list.filter')} />
        <ChoiceFilter
          list={list}
          label={t('word.state')}
          name="state"
          choices={[
            ['active', t('resident.active')],
            ['disabled', t('resident.disabled')],
            ['deleted', t('resident.deleted')],
            ['all', t('list.all')],
          ]}
        />
        <LocationFilter list={list} locations={locations} />
      </FilterBar>
      <Section title={t('bank.residents')} isHidden>
        <ListView
          read={residents}
          list={list}
          caption={t('bank.residents')}
          columns={columnsOf(t, bankKid)}
          keyOf={({ kid }) => kid}
          defaultSort="kid"
        />
      </Section>
    </BankPage>
  );
}

const columnsOf = (t: Translate, bankKid: string): readonly Column<Resident>[] => [
  {
    key: 'name',
    title: t('word.name'),
    sort: 'name',
    cell: ({ kid, name, state }) => (
      <>
        <Link to={residentPath(bankKid, kid)} className="named">
          {name === '' ? kid : name}
        </Link>{' '}
        {state === 'active' ? undefined : <ResidentMark state={state} />}
      </>
    ),
  },
  {
    key: 'apartment',
    title: t('word.apartment'),
    sort: 'apartment',
    cell: (resident) => (
      <>
        <span className="line">{homeFields.flatMap((name) => resident[name] || []).join(', ')}</span>
        <span className="second">{resident.locationName}</span>
      </>
    ),
  },
  {
    key: 'contact',
    title: t('word.contact'),
    cell: ({ email, phone }) => (
      <>
        <span className="line">
          <Email address={email} />
        </span>
        <span className="second">{phone}</span>
      </>
    ),
  },
  {
    key: 'balance',
    title: t('word.balance'),
    isNumber: true,
    cell: ({ balances }) =>
      (balances ?? []).map(({ currency, amountMinor }) => (
        <span key={currency ?? ''} className="line">
          <Amount minor={amountMinor} currency={currency} />
        </span>
      )),
  },
  {
    key: 'activity',
    title: t('word.lastActivity'),
    cell: ({ lastActivityUtc }) => (lastActivityUtc === null ? undefined : <Ago instant={lastActivityUtc} />),
  },
  { key: 'kid', title: 'KID', sort: 'kid', cell: ({ kid }) => <code>{kid}</code> },
];
