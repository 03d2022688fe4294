// The last lines that the servers have written.

import type { JSX } from 'react';
import { useRead } from '../api/use-read.ts';
import { FilterBar } from '../lists/filters.tsx';
import { useListState } from '../lists/list-state.ts';
import { choiceIn } from '../lists/search-values.ts';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Page } from '../components/page.tsx';
import { Instant } from '../times/times.tsx';
import { HostingFilters } from './hosting-filters.tsx';
import { useLanguage } from '../portal.tsx';

const applications = ['portal-api', 'equipment-api', 'portal-web'] as const;
/** The service keeps an answer for a while, so more frequent requests would get the same answer again. */
const refreshSeconds = 10;

export function HostingLogsScreen(): JSX.Element {
  const { t } = useLanguage();
  const list = useListState();
  const logs = useRead(
    'GetHostingLogs',
    {
      environment: choiceIn(list.search, 'environment', ['beta', 'production'] as const),
      application: choiceIn(list.search, 'application', applications),
    },
    { pollSeconds: () => refreshSeconds },
  );
  return (
    <Page title={t('nav.hostingLogs')}>
      <FilterBar>
        <HostingFilters list={list} applications={applications} />
      </FilterBar>
      <Loaded read={logs} lines={12}>
        {({ lines, truncated, fetchedAtUtc }) => (
          <>
            {lines.length === 0 ? <Empty>{t('logs.none')}</Empty> : <pre className="panel">{lines.join('\n')}</pre>}
            <p className="fresh">
              {t('state.asOf')} <Instant instant={fetchedAtUtc} />
              {truncated ? ` · ${t('logs.truncated')}` : ''}
            </p>
          </>
        )}
      </Loaded>
    </Page>
  );
}
