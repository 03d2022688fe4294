// The account of a housing association: its postings by period or date, filters, sums of the whole selection, and a
// banner when something has been posted since.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { AccountDocuments } from './account-documents.tsx';
import { AccountFilters } from './account-filters.tsx';
import { accountInput, accountPage, type AccountInput } from './account-input.ts';
import { BankPage, useParameter } from '../banks/bank-page.tsx';
import { nameOfKind } from './posting-kinds.ts';
import { ResidentLink } from '../residents/resident-link.tsx';
import { ReversalButton, ReversalCommand } from './reversal-command.tsx';
import { RevisionBanner } from './revision-banner.tsx';
import { Totals } from './totals.tsx';
import type { AccountEntry } from '../api/operations.ts';
import { may, mayInBank } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { Amount } from '../components/amount.tsx';
import type { Column } from '../lists/data-table.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { Icon } from '../components/icon.tsx';
import { useListState } from '../lists/list-state.ts';
import { ListView } from '../lists/list-view.tsx';
import { Mark, Section } from '../components/page.tsx';
import type { Translate } from '../language/catalogue.ts';
import type { LanguageState } from '../language/language-store.ts';
import { unitPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';

export function AccountScreen(): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  const bankKid = useParameter('bankKid');
  const list = useListState();
  const manager = useManager();
  const { timeZone } = manager;
  const input = accountInput(bankKid, list.search, timeZone);
  const account = useRead('GetBankAccount', accountPage(input, list.search));
  const sums = account.error === null ? account.data?.totals : undefined;
  const zones = new Map(account.data?.choices.locations.map((location) => [location.kid, location.timeZone]));
  const zoneOf = (locationKid: string | null): string => zones.get(locationKid ?? '') ?? timeZone;
  const mayReverse = mayInBank(manager, bankKid, 'ReverseBankAccountEntry');
  return (
    <BankPage bankKid={bankKid} tab="account" actions={<AccountActions input={{ ...input, TimeZone: timeZone }} />}>
      <AccountFilters list={list} bankKid={bankKid} page={account.data} timeZone={timeZone} />
      {account.data === undefined || account.error !== null ? undefined : (
        <RevisionBanner input={input} page={account.data} readAt={account.dataUpdatedAt} />
      )}
      {sums === undefined ? undefined : <Totals totals={sums} />}
      {/* Another list when the sums come above it, so that nothing jumps. */}
      {list.search['view'] === 'documents' ? (
        <AccountDocuments key={String(sums !== undefined)} read={account} list={list} bankKid={bankKid} />
      ) : (
        <Section key={String(sums !== undefined)} title={t('account.postings')} isHidden>
          <ListView
            read={account}
            list={list}
            caption={t('account.postings')}
            columns={[...columnsOf(language, bankKid, zoneOf), ...(mayReverse ? [reversalColumn(language.t)] : [])]}
            keyOf={({ kid }) => kid}
          />
        </Section>
      )}
      <ReversalCommand bankKid={bankKid} />
    </BankPage>
  );
}

function AccountActions({ input }: { readonly input: AccountInput }): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  return (
    <>
      {may(manager, 'ExportBankAccount')
        ? (['csv', 'xls'] as const).map((format) => (
            <DownloadButton
              key={format}
              id="ExportBankAccount"
              input={{ ...input, format }}
              format={format.toUpperCase()}
              label={t('bank.account')}
            />
          ))
        : undefined}
      <button type="button" className="button" onClick={() => window.print()}>
        <Icon name="print" />
        {t('action.print')}
      </button>
    </>
  );
}

const reversalColumn = (t: Translate): Column<AccountEntry> => ({
  key: 'command',
  title: t('word.command'),
  cell: (entry) => <ReversalButton entry={entry} />,
});

const columnsOf = (
  { t, formats }: LanguageState,
  bankKid: string,
  zoneOf: (locationKid: string | null) => string,
): readonly Column<AccountEntry>[] => [
  {
    key: 'time',
    title: t('word.time'),
    cell: ({ recordedAtUtc, locationKid }) => (
      <time dateTime={recordedAtUtc}>{formats.dateTime(recordedAtUtc, zoneOf(locationKid))}</time>
    ),
  },
  {
    key: 'text',
    title: t('word.description'),
    cell: ({ kind, text, reversalOfKid, reversedByKid }) => (
      <>
        <span className="line">
          {text === '' ? nameOfKind(kind, t) : text}{' '}
          {reversalOfKid === null ? undefined : <Mark tone="plain">{t('account.reversal')}</Mark>}
          {reversedByKid === null ? undefined : <Mark tone="warn">{t('account.reversed')}</Mark>}
        </span>
        <span className="second">{nameOfKind(kind, t)}</span>
      </>
    ),
  },
  {
    key: 'unit',
    title: t('word.unit'),
    cell: ({ unitKid, unitName, locationName }) => (
      <>
        {unitKid === null ? undefined : <Link to={unitPath(unitKid)}>{unitName === '' ? unitKid : unitName}</Link>}
        <span className="second">{locationName}</span>
      </>
    ),
  },
  {
    key: 'user',
    title: t('word.resident'),
    cell: ({ userKid, userName }) => <ResidentLink bankKid={bankKid} userKid={userKid} name={userName} />,
  },
  {
    key: 'amount',
    title: t('word.amount'),
    isNumber: true,
    cell: ({ amountMinor, currency, vatMinor }) => (
      <>
        <Amount minor={amountMinor} currency={currency} />
        {vatMinor === null || vatMinor === 0n ? undefined : (
          <span className="second">
            {t('receipts.vat')} <Amount minor={vatMinor} currency={currency} />
          </span>
        )}
      </>
    ),
  },
];
