// The bookings of a week, a column for each day.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Booking } from '../api/operations.ts';
import { Icon } from '../components/icon.tsx';
import type { ListState } from '../lists/list-state.ts';
import { unitPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';
import { BookingCommandButton } from './booking-command.tsx';
import { BookingMark } from './booking-table.tsx';
import { ResidentLink } from '../residents/resident-link.tsx';
import { addDays, dayOf, weekOf } from '../times/today.ts';
import styles from './booking-week.module.css';

type BookingWeekProps = {
  readonly bankKid: string;
  readonly bookings: readonly Booking[];
  /** A day of the week. */
  readonly day: string;
};

export function BookingWeek({ bankKid, bookings, day }: BookingWeekProps): JSX.Element {
  const { formats, t } = useLanguage();
  // The days of the list are those of the tenant.
  const { timeZone } = useManager();
  const byDay = Map.groupBy(bookings, ({ startUtc }) => dayOf(startUtc, timeZone));
  return (
    <ol className={styles.week}>
      {weekOf(day).map((date) => (
        <li key={date}>
          <h3>
            {formats.weekday(weekOf(day).indexOf(date) + 1)}
            <span className="second">{formats.date(date)}</span>
          </h3>
          {(byDay.get(date) ?? []).length === 0 ? <p className="soft">{t('booking.noneOnDay')}</p> : undefined}
          <ul>
            {(byDay.get(date) ?? []).map((booking) => (
              <li key={booking.firstEventKid} className="card">
                <WeekBooking bankKid={bankKid} booking={booking} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

type WeekBookingProps = { readonly bankKid: string; readonly booking: Booking };

function WeekBooking({ bankKid, booking }: WeekBookingProps): JSX.Element {
  const { formats } = useLanguage();
  const { startUtc, endUtc, timeZone, unitKid, unitName, userKid, userName, state } = booking;
  return (
    <>
      <p>
        <time dateTime={startUtc}>{formats.time(startUtc, timeZone)}</time>–
        <time dateTime={endUtc}>{formats.until(startUtc, endUtc, timeZone)}</time>
      </p>
      <p>
        <Link to={unitPath(unitKid)}>{unitName}</Link>
      </p>
      <p>
        <ResidentLink bankKid={bankKid} userKid={userKid} name={userName} />
      </p>
      <p className="marks">
        <BookingMark state={state} />
        <BookingCommandButton booking={booking} />
      </p>
    </>
  );
}

/** The way to the weeks before and after. */
export function WeekSteps({ list, day }: { readonly list: ListState; readonly day: string }): JSX.Element {
  const { t, formats } = useLanguage();
  const [monday = day] = weekOf(day);
  const go = (days: number): void => list.change({ from: addDays(monday, days) });
  return (
    <nav className="pager" aria-label={t('booking.week')}>
      <span role="status">
        {formats.date(monday)}–{formats.date(addDays(monday, 6))}
      </span>
      <button type="button" className="button" onClick={() => go(-7)}>
        <Icon name="previous" />
        {t('list.previous')}
      </button>
      <button type="button" className="button" onClick={() => go(7)}>
        {t('list.next')}
        <Icon name="next" />
      </button>
    </nav>
  );
}
