// The filters of the account. The current settlement period is shown unless told.

import type { JSX } from 'react';
import type { AccountPage } from '../api/operations.ts';
import { CheckFilter, ChoiceFilter, FilterBar } from '../lists/filters.tsx';
import type { ListState } from '../lists/list-state.ts';
import { numberIn, type Search } from '../lists/search-values.ts';
import { useLanguage } from '../portal.tsx';
import { byDate, chosenDays, daysIn, isByDate } from './account-input.ts';
import { DayRange } from '../times/day-range.tsx';
import { LocationFilter } from '../locations/location-filter.tsx';
import { ResidentFilter } from '../residents/resident-filter.tsx';
import { addDays, dayOf, todayIn, type Days } from '../times/today.ts';

/** The days that are shown, whether they were chosen or are those of a period; empty until the service has told. */
function shownDays(search: Search, page: AccountPage | undefined, timeZone: string): Days {
  // Those that were chosen are known without the service: nothing empties their fields while it is asked.
  const unknown = { from: '', through: '' };
  if (isByDate(search)) return { ...(page === undefined ? unknown : chosenDays(search, timeZone)), ...daysIn(search) };
  const number = numberIn(search, 'period') ?? 0;
  const period = page?.periods.find((each) => each.period === number);
  if (page === undefined || period === undefined) return unknown;
  const { fromUtc, throughUtc } = period;
  // A period ends where the next one begins.
  const last = throughUtc === null ? undefined : new Date(Date.parse(throughUtc) - 1).toISOString();
  return {
    from: dayOf(fromUtc, timeZone),
    through: last === undefined ? todayIn(timeZone) : dayOf(last, timeZone),
  };
}

type AccountFiltersProps = {
  readonly list: ListState;
  readonly bankKid: string;
  readonly page: AccountPage | undefined;
  /** The zone of the days. */
  readonly timeZone: string;
};

export function AccountFilters({ list, bankKid, page, timeZone }: AccountFiltersProps): JSX.Element {
  const { t } = useLanguage();
  const { search } = list;
  const today = todayIn(timeZone);
  const yesterday = addDays(today, -1);
  const locations = page?.choices.locations ?? [];
  const units =
    page?.choices.units.filter(({ locationKid }) => (search['locationKid'] ?? locationKid) === locationKid) ?? [];
  return (
    <FilterBar>
      <ChoiceFilter
        list={list}
        label={t('account.periodTitle')}
        name="period"
        choices={usePeriods(page, search['period'], timeZone)}
      />
      <DayRange
        list={list}
        days={shownDays(search, page, timeZone)}
        usual={[
          [t('day.today'), { from: today, through: today }],
          [t('day.yesterday'), { from: yesterday, through: yesterday }],
        ]}
        also={{ period: byDate }}
      />
      <LocationFilter list={list} locations={locations} />
      <ChoiceFilter
        list={list}
        label={t('word.unit')}
        name="unitKid"
        choices={[['', t('list.all')], ...units.map(({ kid, name }) => [kid, name] as const)]}
      />
      <ResidentFilter list={list} bankKid={bankKid} />
      <ChoiceFilter
        list={list}
        label={t('account.sign')}
        name="kind"
        choices={[
          ['', t('list.all')],
          ['debit', t('account.debit')],
          ['credit', t('account.credit')],
        ]}
      />
      <ChoiceFilter
        list={list}
        label={t('account.view')}
        name="view"
        choices={[
          ['', t('account.postings')],
          ['documents', t('account.receiptGroups')],
        ]}
      />
      <CheckFilter list={list} label={t('account.includeZero')} name="zero" />
      <CheckFilter list={list} label={t('account.includeBookings')} name="bookings" />
      <CheckFilter list={list} label={t('account.includeMonthly')} name="monthly" />
    </FilterBar>
  );
}

/** The periods that the service offers, and a choice of dates. */
function usePeriods(
  page: AccountPage | undefined,
  chosen: string | undefined,
  timeZone: string,
): (readonly [string, string])[] {
  const { t, formats } = useLanguage();
  const periods = (page?.periods ?? [])
    .filter(({ period }) => period !== 0)
    .map(({ period, fromUtc }) => {
      const begin = formats.dateTime(fromUtc, timeZone).split(/,? \d\d[:.]\d\d/, 1)[0] ?? '';
      return [String(period), `${t('account.period', { period: String(period) })} (${begin})`] as const;
    });
  const isMissing = chosen !== undefined && chosen !== byDate && !periods.some(([value]) => value === chosen);
  return [
    ['0', t('account.currentPeriod')],
    [byDate, t('account.byDate')],
    ...(isMissing ? [[chosen, t('account.period', { period: chosen })] as const] : []),
    ...periods,
  ];
}
