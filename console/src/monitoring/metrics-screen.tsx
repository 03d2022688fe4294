// Measurements of the servers: a chart of each, and its values as a table. What is missing is a gap, never zero.

import type { JSX } from 'react';
import type { HostingBandwidth, HostingMetric, HostingMetricName, HostingMetricSeries } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import { ChoiceFilter, FilterBar } from '../lists/filters.tsx';
import { useListState } from '../lists/list-state.ts';
import { choiceIn } from '../lists/search-values.ts';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Facts, Page, Section } from '../components/page.tsx';
import { Instant } from '../times/times.tsx';
import type { TextKey } from '../language/catalogue.ts';
import { LineChart } from './line-chart.tsx';
import { HostingFilters } from './hosting-filters.tsx';
import { useLanguage } from '../portal.tsx';

const applications = ['portal-api', 'equipment-api', 'portal-web', 'mysql'] as const;

export function MetricsScreen(): JSX.Element {
  const { t } = useLanguage();
  const list = useListState();
  const hours = choiceIn(list.search, 'hours', ['1', '6', '24'] as const);
  const metrics = useRead(
    'GetHostingMetrics',
    {
      environment: choiceIn(list.search, 'environment', ['beta', 'production'] as const),
      application: choiceIn(list.search, 'application', applications),
      hours: hours === undefined ? undefined : (Number(hours) as 1 | 6 | 24),
    },
    { pollSeconds: ({ refreshAfterSeconds }) => refreshAfterSeconds },
  );
  return (
    <Page title={t('nav.metrics')}>
      <FilterBar>
        <HostingFilters list={list} applications={applications} />
        <ChoiceFilter
          list={list}
          label={t('hosting.hours')}
          name="hours"
          choices={(['24', '6', '1'] as const).map(
            (value) => [value, t('count.hours', { count: Number(value) })] as const,
          )}
        />
      </FilterBar>
      <Loaded read={metrics} lines={12}>
        {({ metrics: each, bandwidth, fromUtc, toUtc, fetchedAtUtc }) => (
          <>
            <div className="columns">
              {each.map((metric) => (
                <MetricSection key={metric.name} metric={metric} from={fromUtc} through={toUtc} />
              ))}
            </div>
            {bandwidth === null ? undefined : <Bandwidth bandwidth={bandwidth} />}
            <p className="fresh">
              {t('state.asOf')} <Instant instant={fetchedAtUtc} />
            </p>
          </>
        )}
      </Loaded>
    </Page>
  );
}

const names: Readonly<Record<HostingMetricName, TextKey>> = {
  cpu: 'metric.cpu',
  memory: 'metric.memory',
  disk: 'metric.disk',
  restarts: 'metric.restarts',
  connections: 'metric.connections',
};

type MetricProps = { readonly metric: HostingMetric; readonly from: string; readonly through: string };

function MetricSection({ metric: { name, unit, series, errorCode }, from, through }: MetricProps): JSX.Element {
  const { t } = useLanguage();
  const symbol = unit === 'percent' ? ' %' : '';
  const isEmpty = series.every(({ points }) => points.every(({ value }) => value === null));
  return (
    <Section title={t(names[name])}>
      {errorCode !== null || isEmpty ? (
        <Empty>{t(errorCode === null ? 'metric.noValues' : 'problem.notKnown')}</Empty>
      ) : (
        series.map((each) => (
          <Series
            key={`${each.component} ${each.instance}`}
            series={each}
            symbol={symbol}
            from={from}
            through={through}
          />
        ))
      )}
    </Section>
  );
}

type SeriesProps = {
  readonly series: HostingMetricSeries;
  readonly symbol: string;
  readonly from: string;
  readonly through: string;
};

function Series({ series: { component, instance, points }, symbol, from, through }: SeriesProps): JSX.Element {
  const { t, formats } = useLanguage();
  const textOf = (value: number | null | undefined): string =>
    value === null || value === undefined ? t('state.unknown') : `${formats.number(value)}${symbol}`;
  return (
    <div className="panel">
      <h3>
        {component} <span className="soft">{instance}</span>
      </h3>
      <p>{textOf(points.at(-1)?.value)}</p>
      <LineChart points={points} from={from} through={through} />
      <details>
        <summary>{t('documents.table')}</summary>
        <Facts
          facts={points
            .toReversed()
            .slice(0, 100)
            .map(({ timestampUtc, value }) => [formats.dateTime(timestampUtc, '', 'seconds'), textOf(value)])}
        />
      </details>
    </div>
  );
}

function Bandwidth({ bandwidth: { dateUtc, bytes } }: { readonly bandwidth: HostingBandwidth }): JSX.Element {
  const { t, formats } = useLanguage();
  return (
    <Section title={t('metric.bandwidth')}>
      <div className="panel">
        <Facts
          facts={[
            [t('word.date'), formats.date(dateUtc)],
            [t('metric.bytes'), bytes === null ? t('state.unknown') : formats.number(BigInt(bytes))],
          ]}
        />
      </div>
    </Section>
  );
}
