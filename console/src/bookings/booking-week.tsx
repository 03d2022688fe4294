// The bookings of a week, a column for each day.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Booking } from '../api/operations.ts';
import { Icon } from '../components/icon.tsx';
import type { ListState } from '../lists/list-state.ts';
import { unitPath } from '../paths.ts';
import { useLanguage } from '../portal.tsx';
import { BookingCommandButton } from './booking-command.tsx';
import { BookingMark } from './booking-table.tsx';
import { ResidentLink } from '../residents/resident-link.tsx';
import type { TimeZones } from '../times/time-zones.ts';
import { addDays, dayOf, weekOf } from '../times/today.ts';
import styles from './booking-week.module.css';

type BookingWeekProps = {
  readonly bankKid: string;
  readonly bookings: readonly Booking[];
  readonly zones: TimeZones;
  /** A day of the week. */
  readonly day: string;
};

export function BookingWeek({ bankKid, bookings, zones, day }: BookingWeekProps): JSX.Element {
  const { formats, t } = useLanguage();
  const byDay = Map.groupBy(bookings, ({ startUtc }) => dayOf(startUtc, zones.ofBank));
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
                <WeekBooking bankKid={bankKid} booking={booking} zones={zones} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

type WeekBookingProps = { readonly bankKid: string; readonly booking: Booking; readonly zones: TimeZones };

function WeekBooking({ bankKid, booking, zones }: WeekBookingProps): JSX.Element {
  const { formats } = useLanguage();
  const { startUtc, endUtc, locationKid, unitKid, unitName, userKid, userName, state } = booking;
  const zone = zones.of(locationKid);
  return (
    <>
      <p>
        <time dateTime={startUtc}>{formats.time(startUtc, zone)}</time>–
        <time dateTime={endUtc}>{formats.until(startUtc, endUtc, zone)}</time>
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
