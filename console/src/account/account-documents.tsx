// The postings of a page of the account, by the receipts that they belong to.

import type { UseQueryResult } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { AccountDocument, AccountPage } from '../api/operations.ts';
import type { Problem } from '../api/problem.ts';
import { nameOfPlace } from '../api/rights.ts';
import { Amount } from '../components/amount.tsx';
import { DataTable, Pager, type Column } from '../components/data-table.tsx';
import type { ListState } from '../components/list-state.ts';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Section } from '../components/page.tsx';
import { useLanguage, useManager } from '../portal.tsx';
import { ResidentLink } from '../residents/resident-link.tsx';

type AccountDocumentsProps = {
  readonly read: UseQueryResult<AccountPage, Problem>;
  readonly list: ListState;
  readonly bankKid: string;
};

export function AccountDocuments({ read, list, bankKid }: AccountDocumentsProps): JSX.Element {
  const { t } = useLanguage();
  const columns = useColumns(bankKid);
  return (
    <Section title={t('account.receiptGroups')} isHidden>
      <Loaded read={read}>
        {(page) => (
          <>
            {page.documents.length === 0 ? (
              <Empty>{t('list.none')}</Empty>
            ) : (
              <DataTable
                caption={t('account.receiptGroups')}
                columns={columns(page)}
                rows={page.documents}
                keyOf={({ documentKey }) => documentKey}
              />
            )}
            <Pager list={list} page={page} totalCount={page.totalCount} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function useColumns(bankKid: string): (page: AccountPage) => readonly Column<AccountDocument>[] {
  const { t } = useLanguage();
  const manager = useManager();
  return ({ items }) => {
    const entries = new Map(items.map((entry) => [entry.kid, entry]));
    return [
      {
        key: 'user',
        title: t('word.resident'),
        cell: ({ userKid, entryKids }) => (
          <ResidentLink
            bankKid={bankKid}
            userKid={userKid}
            name={entryKids.map((kid) => entries.get(kid)?.userName ?? '').find((name) => name !== '') ?? ''}
          />
        ),
      },
      {
        key: 'location',
        title: t('word.location'),
        cell: ({ locationKid }) => (locationKid === null ? undefined : nameOfPlace(manager, locationKid)),
      },
      {
        key: 'texts',
        title: t('word.description'),
        cell: ({ entryKids, currency }) => (
          <details>
            <summary>{t('count.postings', { count: entryKids.length })}</summary>
            {entryKids.map((kid) => {
              const entry = entries.get(kid);
              return entry === undefined ? undefined : (
                <p key={kid} className="line">
                  {entry.text} <Amount minor={entry.amountMinor} currency={currency} />
                </p>
              );
            })}
          </details>
        ),
      },
      {
        key: 'amount',
        title: t('word.amount'),
        isNumber: true,
        cell: ({ amountMinor, currency }) => <Amount minor={amountMinor} currency={currency} />,
      },
    ];
  };
}
