// The receipts of a resident, newest first. Older ones are read when the reader asks for them; if the receipts have
// changed meanwhile, all of them are read anew, since two states are never mixed.

import { useInfiniteQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import type { JSX } from 'react';
import { useParameter, useBankCrumbs } from '../banks/bank-page.tsx';
import type { Receipt, ReceiptKind, ReceiptPage } from '../api/operations.ts';
import type { Problem } from '../api/problem.ts';
import { may } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { Amount } from '../components/amount.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { Icon } from '../components/icon.tsx';
import { Skeleton } from '../components/loaded.tsx';
import { Empty, Mark, Page } from '../components/page.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import type { TextKey } from '../language/catalogue.ts';
import { residentPath } from '../paths.ts';
import { useLanguage, useManager, usePortal } from '../portal.tsx';
import styles from './receipts-screen.module.css';

type From = { readonly offset: number; readonly revision: string | undefined };

export function ReceiptsScreen(): JSX.Element {
  const { t, language } = useLanguage();
  const { client } = usePortal();
  const manager = useManager();
  const queries = useQueryClient();
  const bankKid = useParameter('bankKid');
  const userKid = useParameter('userKid');
  const crumbs = useBankCrumbs(bankKid, 'residents');
  const name = useRead('GetBankUserWorkspace', { bankKid, userKid }).data?.user.name ?? '';
  const queryKey = ['GetUserReceipts', { userKid }, language];
  const receipts = useInfiniteQuery<ReceiptPage, Problem, InfiniteData<ReceiptPage>, typeof queryKey, From>({
    queryKey,
    queryFn: ({ pageParam, signal }) => client.call('GetUserReceipts', { userKid, ...pageParam }, { signal }),
    initialPageParam: { offset: 0, revision: undefined },
    getNextPageParam: ({ nextOffset, revision }) =>
      nextOffset === null ? undefined : { offset: nextOffset, revision },
    refetchOnWindowFocus: false,
  });
  const { data, error, hasNextPage, isFetchingNextPage } = receipts;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  const isShown = data !== undefined;
  return (
    <Page
      title={t('receipts.title')}
      note={name === '' ? '\u00a0' : name}
      crumbs={[...crumbs, { title: name === '' ? userKid : name, to: residentPath(bankKid, userKid) }]}
      actions={
        <>
          {may(manager, 'GetUserReceiptsHtml') ? (
            <DownloadButton id="GetUserReceiptsHtml" input={{ userKid }} format="HTML" label={t('receipts.title')} />
          ) : undefined}
          <button type="button" className="button" onClick={() => window.print()}>
            <Icon name="print" />
            {t('action.print')}
          </button>
        </>
      }
    >
      {error === null ? undefined : (
        <ProblemPanel error={error} onRetry={() => void queries.resetQueries({ queryKey })} />
      )}
      {!isShown && error === null ? <Skeleton lines={10} /> : undefined}
      {isShown && items.length === 0 ? <Empty>{t('receipts.none')}</Empty> : undefined}
      {isShown && error === null
        ? items.map((receipt) => <ReceiptCard key={receipt.key} receipt={receipt} />)
        : undefined}
      {hasNextPage && isShown && error === null ? (
        <button
          type="button"
          className="button"
          disabled={isFetchingNextPage}
          onClick={() => void receipts.fetchNextPage()}
        >
          {t('receipts.older')}
        </button>
      ) : undefined}
    </Page>
  );
}

const kindTexts: Readonly<Record<ReceiptKind, TextKey>> = {
  Purchase: 'receipts.purchase',
  Payment: 'kind.payment',
  Discount: 'kind.discount',
  TransferToRent: 'kind.transferToRent',
};

function ReceiptCard({ receipt }: { readonly receipt: Receipt }): JSX.Element {
  const { t, formats } = useLanguage();
  const { kind, date, timeZone, locationName, period, provisional, currency, lines } = receipt;
  return (
    <article className={`panel ${styles.receipt}`}>
      <header>
        <h2>
          {t(kindTexts[kind])} <Mark tone="plain">{formats.date(date)}</Mark>
        </h2>
        <p className="second">
          {[locationName, period === 0 ? t('account.currentPeriod') : t('account.period', { period: String(period) })]
            .filter(Boolean)
            .join(' · ')}
          {provisional ? ` · ${t('account.provisional')}` : ''}
        </p>
      </header>
      <ul className={styles.lines}>
        {lines.map((line, index) => (
          <li key={line.kid ?? `calculated ${index}`}>
            <span>{formats.time(line.occurredAt, timeZone)}</span>
            <span>
              {[line.unitName, ...line.texts].filter(Boolean).join(' · ')}
              {line.calculated ? <span className="second">{t('receipts.calculated')}</span> : undefined}
            </span>
            <Amount minor={line.amountMinor} currency={currency} />
          </li>
        ))}
      </ul>
      <ReceiptSums receipt={receipt} />
    </article>
  );
}

function ReceiptSums({ receipt }: { readonly receipt: Receipt }): JSX.Element {
  const { t } = useLanguage();
  const { totalMinor, vatMinor, balanceAfterMinor, currency } = receipt;
  return (
    <dl className={styles.sums}>
      <div className={styles.total}>
        <dt>{t('word.total')}</dt>
        <dd>
          <Amount minor={totalMinor} currency={currency} />
        </dd>
      </div>
      {vatMinor === null ? undefined : (
        <div>
          <dt>{t('receipts.vat')}</dt>
          <dd>
            <Amount minor={vatMinor} currency={currency} />
          </dd>
        </div>
      )}
      <div>
        <dt>{t('receipts.balanceAfter')}</dt>
        <dd>
          <Amount minor={balanceAfterMinor} currency={currency} />
        </dd>
      </div>
    </dl>
  );
}
