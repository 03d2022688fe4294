// Statistics that everybody may see: purchases of the last hour, and how many residents use the units.

import type { JSX, ReactNode } from 'react';
import type { PurchasePoint } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import { PointMap } from '../addresses/point-map.tsx';
import { DataTable, type Column } from '../lists/data-table.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Page, Section } from '../components/page.tsx';
import { Ago } from '../times/times.tsx';
import type { LanguageState } from '../language/language-store.ts';
import { useLanguage } from '../portal.tsx';
import styles from '../addresses/point-map.module.css';

export function StatisticsScreen(): JSX.Element {
  const language = useLanguage();
  const { t, formats } = language;
  const purchases = useRead('GetPublicPurchases', {});
  const users = useRead('GetPublicActiveUsers', {});
  const map = useRead('GetPublicPurchaseMap', {});
  return (
    <Page title={t('nav.statistics')}>
      <div className="columns">
        <Section title={t('statistics.purchases')}>
          <Loaded read={purchases} lines={2}>
            {({ count, amount, currency, measuredAtUtc }) => (
              <Figure value={formats.number(count)} measuredAtUtc={measuredAtUtc}>
                {amount === null || currency === null
                  ? t('statistics.lastHour')
                  : `${formats.amount(amount, currency)} · ${t('statistics.lastHour')}`}
              </Figure>
            )}
          </Loaded>
        </Section>
        <Section title={t('statistics.activeUsers')}>
          <Loaded read={users} lines={2}>
            {({ count, lookbackDays, measuredAtUtc }) => (
              <Figure value={formats.number(count)} measuredAtUtc={measuredAtUtc}>
                {t('documents.lastDays', { count: lookbackDays })}
              </Figure>
            )}
          </Loaded>
        </Section>
      </div>
      <Section title={t('statistics.places')}>
        <Loaded read={map} lines={4}>
          {({ points, unplacedCount }) => (
            <>
              {points.length === 0 ? (
                <Empty>{t('list.none')}</Empty>
              ) : (
                <div className={styles.frame}>
                  <PurchaseMap points={points} />
                  <DataTable
                    caption={t('statistics.places')}
                    columns={columnsOf(language)}
                    rows={points}
                    keyOf={keyOfPoint}
                  />
                </div>
              )}
              <p className="fresh">{t('statistics.unplaced', { count: unplacedCount })}</p>
            </>
          )}
        </Loaded>
      </Section>
    </Page>
  );
}

type FigureProps = { readonly value: string; readonly measuredAtUtc: string; readonly children: ReactNode };

function Figure({ value, measuredAtUtc, children }: FigureProps): JSX.Element {
  const { t } = useLanguage();
  return (
    <>
      <p className="tile">
        <span className="tile-value">{value}</span>
        <span className="tile-name">{children}</span>
      </p>
      <p className="fresh">
        {t('state.asOf')} <Ago instant={measuredAtUtc} />
      </p>
    </>
  );
}

const keyOfPoint = ({ latitude, longitude }: PurchasePoint): string => `${latitude} ${longitude}`;

/** How many purchases there were at each spot: the table beside it has the same. */
function PurchaseMap({ points }: { readonly points: readonly PurchasePoint[] }): JSX.Element {
  const { t, formats } = useLanguage();
  const counts = new Map(points.map((point) => [keyOfPoint(point), point.count]));
  const labelOf = (keys: readonly string[]): string =>
    formats.number(keys.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0));
  return (
    <PointMap
      points={points.map((point) => ({ ...point, key: keyOfPoint(point) }))}
      labelOf={labelOf}
      titleOf={(keys) => `${t('statistics.purchases')}: ${labelOf(keys)}`}
    />
  );
}

const millionth = 1_000_000;

const columnsOf = ({ t, formats }: LanguageState): readonly Column<PurchasePoint>[] => [
  {
    key: 'place',
    title: t('address.coordinates'),
    cell: ({ latitude, longitude }) => `${(latitude / millionth).toFixed(6)}, ${(longitude / millionth).toFixed(6)}`,
  },
  { key: 'count', title: t('statistics.purchases'), isNumber: true, cell: ({ count }) => formats.number(count) },
];
