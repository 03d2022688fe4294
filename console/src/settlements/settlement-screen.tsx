// One settlement period: its sums, by location and by kind of posting.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { mayOpenTab, useBankCrumbs, useParameter } from '../banks/bank-page.tsx';
import { nameOfKind } from '../account/posting-kinds.ts';
import { Totals } from '../account/totals.tsx';
import type { CurrencyTotal, SettlementPeriodDetail } from '../api/operations.ts';
import { mayInBank, nameOfPlace } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { Amount } from '../components/amount.tsx';
import { DataTable, type Column } from '../lists/data-table.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { Icon } from '../components/icon.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Facts, Mark, Page, Section } from '../components/page.tsx';
import { Instant } from '../times/times.tsx';
import type { LanguageState } from '../language/language-store.ts';
import { bankPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';

export function SettlementScreen(): JSX.Element {
  const bankKid = useParameter('bankKid');
  const period = Number(useParameter('period'));
  const settlement = useRead('GetBankSettlementPeriod', { bankKid, period });
  return (
    <Loaded read={settlement} lines={12}>
      {(detail) => <SettlementPage detail={detail} />}
    </Loaded>
  );
}

function SettlementPage({ detail }: { readonly detail: SettlementPeriodDetail }): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  const manager = useManager();
  const { bankKid, period, provisional, totals, locations, kinds } = detail;
  const crumbs = useBankCrumbs(bankKid, 'settlements');
  const byLocation = locations.map(({ kid, name, totals: sums }) => ({
    name: kid === null ? t('account.withoutLocation') : name,
    totals: sums,
  }));
  const byKind = kinds.map(({ kind, totals: sums }) => ({ name: nameOfKind(kind, t), totals: sums }));
  return (
    <Page
      title={period === 0 ? t('account.currentPeriod') : t('account.period', { period: String(period) })}
      mark={provisional ? <Mark tone="warn">{t('account.provisional')}</Mark> : undefined}
      note={nameOfPlace(manager, bankKid)}
      crumbs={crumbs}
      actions={<SettlementActions detail={detail} />}
    >
      <Times detail={detail} />
      {totals.length === 0 ? <Empty>{t('account.noPostings')}</Empty> : <Totals totals={totals} />}
      <SumsSection title={t('account.byLocation')} rows={byLocation} language={language} />
      <SumsSection title={t('account.byKind')} rows={byKind} language={language} />
    </Page>
  );
}

function SettlementActions({ detail }: { readonly detail: SettlementPeriodDetail }): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const { bankKid, period, downloadable } = detail;
  const name = t('account.period', { period: String(period) });
  return (
    <>
      {mayOpenTab(manager, bankKid, 'account') ? (
        <Link
          to={bankPath(bankKid, 'account')}
          search={period === 0 ? {} : { period: String(period) }}
          className="button"
        >
          <Icon name="account" />
          {t('account.postings')}
        </Link>
      ) : undefined}
      {downloadable && mayInBank(manager, bankKid, 'DownloadBankSettlement') ? (
        <DownloadButton id="DownloadBankSettlement" input={{ bankKid, period }} format="ZIP" label={name} />
      ) : undefined}
      {mayInBank(manager, bankKid, 'GetBankSettlementHtml') ? (
        <DownloadButton id="GetBankSettlementHtml" input={{ bankKid, period }} format="HTML" label={name} />
      ) : undefined}
      <button type="button" className="button" onClick={() => window.print()}>
        <Icon name="print" />
        {t('action.print')}
      </button>
    </>
  );
}

function Times({ detail }: { readonly detail: SettlementPeriodDetail }): JSX.Element {
  const { t } = useLanguage();
  const { timeZone, fromUtc, throughUtc, closedAtUtc } = detail;
  const timeOf = (instant: string | null): JSX.Element | undefined =>
    instant === null ? undefined : <Instant instant={instant} timeZone={timeZone} />;
  return (
    <div className="section">
      <Facts
        facts={[
          [t('word.from'), timeOf(fromUtc)],
          [t('word.through'), timeOf(throughUtc)],
          [t('account.closed'), timeOf(closedAtUtc)],
        ]}
      />
    </div>
  );
}

type Sums = { readonly name: string; readonly totals: readonly CurrencyTotal[] };
type SumRow = CurrencyTotal & { readonly name: string };

type SumsSectionProps = { readonly title: string; readonly rows: readonly Sums[]; readonly language: LanguageState };

function SumsSection({ title, rows, language }: SumsSectionProps): JSX.Element | undefined {
  const { t, formats } = language;
  const flat: SumRow[] = rows.flatMap(({ name, totals }) => totals.map((total) => ({ ...total, name })));
  if (flat.length === 0) return undefined;
  const money = (key: 'debitMinor' | 'creditMinor' | 'amountMinor', text: string): Column<SumRow> => ({
    key,
    title: text,
    isNumber: true,
    cell: (row) => <Amount minor={row[key]} currency={row.currency} />,
  });
  return (
    <Section title={title}>
      <DataTable
        caption={title}
        columns={[
          { key: 'name', title: t('word.name'), cell: ({ name }) => name },
          { key: 'count', title: t('account.postings'), isNumber: true, cell: ({ count }) => formats.number(count) },
          money('debitMinor', t('account.debit')),
          money('creditMinor', t('account.credit')),
          money('amountMinor', t('word.total')),
        ]}
        rows={flat}
        keyOf={({ name, currency }) => `${name} ${currency ?? ''}`}
      />
    </Section>
  );
}
