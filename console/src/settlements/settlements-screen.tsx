// The settlements of a housing association, newest first, with the period that is still open on top.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { BankPage, useParameter } from '../banks/bank-page.tsx';
import { TotalAmounts } from '../account/totals.tsx';
import type { SettlementPeriod } from '../api/operations.ts';
import { mayInBank } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { DataTable, type Column } from '../lists/data-table.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Mark, Section } from '../components/page.tsx';
import { Instant } from '../times/times.tsx';
import type { LanguageState } from '../language/language-store.ts';
import { settlementPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';

export function SettlementsScreen(): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  const bankKid = useParameter('bankKid');
  const manager = useManager();
  const settlements = useRead('GetBankSettlements', { bankKid });
  const mayDownload = mayInBank(manager, bankKid, 'DownloadBankSettlement');
  return (
    <BankPage bankKid={bankKid} tab="settlements">
      <Section title={t('bank.settlements')} isHidden>
        <Loaded read={settlements} lines={12}>
          {({ items, timeZone }) => (
            <DataTable
              caption={t('bank.settlements')}
              columns={columnsOf(language, { bankKid, timeZone, mayDownload })}
              rows={items}
              keyOf={({ period }) => String(period)}
            />
          )}
        </Loaded>
      </Section>
    </BankPage>
  );
}

type ColumnsOptions = { readonly bankKid: string; readonly timeZone: string; readonly mayDownload: boolean };

const columnsOf = (
  { t, formats }: LanguageState,
  { bankKid, timeZone, mayDownload }: ColumnsOptions,
): readonly Column<SettlementPeriod>[] => [
  {
    key: 'period',
    title: t('account.periodTitle'),
    cell: ({ period, provisional }) => (
      <>
        <Link to={settlementPath(bankKid, period)} className="named">
          {period === 0 ? t('account.currentPeriod') : t('account.period', { period: String(period) })}
        </Link>{' '}
        {provisional ? <Mark tone="warn">{t('account.provisional')}</Mark> : undefined}
      </>
    ),
  },
  {
    key: 'from',
    title: t('word.from'),
    cell: ({ fromUtc }) => <Instant instant={fromUtc} timeZone={timeZone} />,
  },
  {
    key: 'through',
    title: t('word.through'),
    cell: ({ throughUtc }) => (throughUtc === null ? undefined : <Instant instant={throughUtc} timeZone={timeZone} />),
  },
  {
    key: 'count',
    title: t('account.postings'),
    isNumber: true,
    cell: ({ totals }) => formats.number(totals.reduce((sum, { count }) => sum + count, 0)),
  },
  { key: 'sum', title: t('word.total'), isNumber: true, cell: ({ totals }) => <TotalAmounts totals={totals} /> },
  {
    key: 'download',
    title: t('action.download'),
    cell: ({ period, downloadable }) =>
      downloadable && mayDownload ? (
        <DownloadButton
          id="DownloadBankSettlement"
          input={{ bankKid, period }}
          format="ZIP"
          label={t('account.period', { period: String(period) })}
        />
      ) : undefined,
  },
];
