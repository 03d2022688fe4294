// Tells that something has been posted since the account was read, and shows it when the reader wants it.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { AccountPage, AccountRevision } from '../api/operations.ts';
import { endsReading } from '../api/use-read.ts';
import type { Problem } from '../api/problem.ts';
import { useLanguage, usePortal } from '../portal.tsx';
import type { AccountInput } from './account-input.ts';
import styles from './revision-banner.module.css';

/**
 * The service keeps a revision for so long. One that is read as long after the page is therefore no older than the page.
 */
const revisionMs = 30_000;

type RevisionBannerProps = {
  readonly input: AccountInput;
  readonly page: AccountPage;
  /** When the page was read, in epoch milliseconds. */
  readonly readAt: number;
};

export function RevisionBanner({ input, page, readAt }: RevisionBannerProps): JSX.Element {
  const { t } = useLanguage();
  const { client } = usePortal();
  const queries = useQueryClient();
  const { data } = useQuery<AccountRevision, Problem>({
    queryKey: ['GetBankAccountRevision', input, page.revision],
    queryFn: ({ signal }) => client.call('GetBankAccountRevision', input, { signal }),
    initialData: { revision: page.revision },
    initialDataUpdatedAt: readAt,
    staleTime: revisionMs,
    refetchInterval: ({ state }) => (state.error !== null && endsReading(state.error) ? false : revisionMs),
  });
  return (
    <div role="status">
      {data.revision === page.revision ? undefined : (
        <p className={`note ${styles.banner}`}>
          {t('account.changed')}
          <button
            type="button"
            className="button"
            onClick={() => void queries.invalidateQueries({ queryKey: ['GetBankAccount'] })}
          >
            {t('action.show')}
          </button>
        </p>
      )}
    </div>
  );
}
