// The bookings of a housing association on some days; today unless told.

import type { JSX } from 'react';
import { BankPage, useParameter } from '../bank/bank-page.tsx';
import { bookingColumns } from '../bank/booking-table.tsx';
import { useTimeZones } from '../bank/time-zones.ts';
import { todayIn } from '../bank/today.ts';
import { findBank } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { ChoiceFilter, DateFilter, FilterBar, TextFilter } from '../components/filters.tsx';
import { choiceIn, pageInput, useListState } from '../components/list-state.ts';
import { ListView } from '../components/list-view.tsx';
import { Section } from '../components/page.tsx';
import { useLanguage, useManager } from '../portal.tsx';

export function BookingsScreen(): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  const bankKid = useParameter('bankKid');
  const manager = useManager();
  const list = useListState();
  const zones = useTimeZones(bankKid);
  const { search } = list;
  const today = todayIn(zones.ofBank);
  const from = search['from'] ?? today;
  const through = search['through'] ?? (from > today ? from : today);
  const bookings = useRead(
    'GetBankBookings',
    {
      bankKid,
      ...pageInput(search, ['start', 'unit', 'user'] as const),
      from,
      through,
      timeZone: zones.ofBank,
      state: choiceIn(search, 'state', ['Booked', 'Cancelled', 'Completed'] as const),
      locationKid: search['locationKid'],
    },
    { enabled: zones.isKnown },
  );
  const locations = findBank(manager, bankKid)?.locations ?? [];
  return (
    <BankPage bankKid={bankKid} tab="bookings">
      <FilterBar>
        <TextFilter list={list} label={t('list.filter')} />
        <DateFilter list={list} label={t('word.from')} name="from" value={from} />
        <DateFilter list={list} label={t('word.through')} name="through" value={through} />
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
        <ChoiceFilter
          list={list}
          label={t('word.location')}
          name="locationKid"
          choices={[['', t('list.all')], ...locations.map(({ kid, name }) => [kid, name] as const)]}
        />
      </FilterBar>
      <Section title={t('bank.bookings')} isHidden>
        <ListView
          read={bookings}
          list={list}
          caption={t('bank.bookings')}
          columns={bookingColumns(language, { bankKid, zones, isSorted: true })}
          keyOf={({ firstEventKid }) => firstEventKid}
          defaultSort="start"
        />
      </Section>
    </BankPage>
  );
}
