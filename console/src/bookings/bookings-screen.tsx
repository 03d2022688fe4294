// The bookings of a housing association on some days, today unless told: as a list, or a week with a column for each day.

import type { JSX } from 'react';
import { BankPage, useParameter } from '../banks/bank-page.tsx';
import { DayRange } from '../times/day-range.tsx';
import { LocationFilter } from '../locations/location-filter.tsx';
import { BookingCommandButton, BookingCommands } from './booking-command.tsx';
import { bookingColumns } from './booking-table.tsx';
import { BookingWeek, WeekSteps } from './booking-week.tsx';
import { addDays, todayIn, weekOf, type Days } from '../times/today.ts';
import { largestPages } from '../api/limits.ts';
import type { Booking } from '../api/operations.ts';
import { findBank } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import type { Column } from '../lists/data-table.tsx';
import { ChoiceFilter, DateFilter, FilterBar, TextFilter } from '../lists/filters.tsx';
import { pageInput, useListState, type ListState } from '../lists/list-state.ts';
import { choiceIn } from '../lists/search-values.ts';
import { ListView } from '../lists/list-view.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Section } from '../components/page.tsx';
import type { Translate } from '../language/catalogue.ts';
import { useLanguage, useManager } from '../portal.tsx';

export function BookingsScreen(): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  const bankKid = useParameter('bankKid');
  const list = useListState();
  const { timeZone } = useManager();
  const { search } = list;
  const today = todayIn(timeZone);
  const isWeek = search['view'] === 'week';
  const day = search['from'] ?? today;
  const week = weekOf(day);
  const from = isWeek ? (week[0] ?? day) : day;
  const through = isWeek ? (week.at(-1) ?? day) : (search['through'] ?? (from > today ? from : today));
  const bookings = useRead('GetBankBookings', {
    bankKid,
    ...pageInput(search, ['start', 'unit', 'user'] as const),
    ...(isWeek
      ? { sort: 'start' as const, direction: 'asc' as const, offset: undefined, limit: largestPages.GetBankBookings }
      : {}),
    from,
    through,
    timeZone,
    state: choiceIn(search, 'state', ['Booked', 'Cancelled', 'Completed'] as const),
    locationKid: search['locationKid'],
  });
  return (
    <BankPage bankKid={bankKid} tab="bookings">
      <BookingFilters list={list} bankKid={bankKid} today={today} days={{ from, through }} />
      <Section title={t('bank.bookings')} isHidden>
        {isWeek ? (
          <>
            <WeekSteps list={list} day={day} />
            <Loaded read={bookings}>
              {({ items, hasMore }) => (
                <>
                  {hasMore ? <p className="note">{t('booking.tooMany')}</p> : undefined}
                  <BookingWeek bankKid={bankKid} bookings={items} day={day} />
                </>
              )}
            </Loaded>
          </>
        ) : (
          <ListView
            read={bookings}
            list={list}
            caption={t('bank.bookings')}
            columns={[...bookingColumns(language, { bankKid, isSorted: true }), commandColumn(t)]}
            keyOf={({ firstEventKid }) => firstEventKid}
            defaultSort="start"
          />
        )}
      </Section>
      <BookingCommands bankKid={bankKid} />
    </BankPage>
  );
}

type BookingFiltersProps = {
  readonly list: ListState;
  readonly bankKid: string;
  readonly today: string;
  readonly days: Days;
};

function BookingFilters({ list, bankKid, today, days }: BookingFiltersProps): JSX.Element {
  const { t } = useLanguage();
  const locations = findBank(useManager(), bankKid)?.locations ?? [];
  const tomorrow = addDays(today, 1);
  return (
    <FilterBar>
      <TextFilter list={list} label={t('list.filter')} />
      {list.search['view'] === 'week' ? (
        <DateFilter label={t('word.from')} value={days.from} onChange={(from) => list.change({ from })} />
      ) : (
        <DayRange
          list={list}
          days={days}
          usual={[
            [t('day.today'), { from: today, through: today }],
            [t('day.tomorrow'), { from: tomorrow, through: tomorrow }],
            [t('day.nextSeven'), { from: today, through: addDays(today, 6) }],
          ]}
        />
      )}
      <ChoiceFilter
        list={list}
        label={t('account.view')}
        name="view"
        choices={[
          ['', t('booking.list')],
          ['week', t('booking.week')],
        ]}
      />
      <ChoiceFilter
        list={list}
        label={t('word.state')}
        name="state"
        choices={[
          ['', t('list.all')],
          ['Booked', t('booking.booked')],
          ['Cancelled', t('booking.cancelled')],
          ['Completed', t('booking.completed')],
        ]}
      />
      <LocationFilter list={list} locations={locations} />
    </FilterBar>
  );
}

const commandColumn = (t: Translate): Column<Booking> => ({
  key: 'commands',
  title: t('word.command'),
  cell: (booking) => <BookingCommandButton booking={booking} />,
});
