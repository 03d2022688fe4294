// The columns of bookings, as lists of a housing association and of a resident show them.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Booking } from '../api/operations.ts';
import { Amount } from '../components/amount.tsx';
import type { Column } from '../lists/data-table.tsx';
import { StateMark, type StateTexts } from '../components/state-mark.tsx';
import type { LanguageState } from '../language/language-store.ts';
import { unitPath } from '../paths.ts';
import { ResidentLink } from '../residents/resident-link.tsx';
import { dayOf } from '../times/today.ts';

const states: StateTexts<Booking['state']> = {
  Booked: { text: 'booking.booked', tone: 'ok' },
  Cancelled: { text: 'booking.cancelled', tone: 'warn' },
  Completed: { text: 'booking.completed', tone: 'plain' },
};

export const BookingMark = ({ state }: Pick<Booking, 'state'>): JSX.Element => (
  <StateMark states={states} state={state} />
);

type BookingColumnsOptions = {
  readonly bankKid: string;
  readonly isSorted: boolean;
};

export function bookingColumns(
  { t, formats }: LanguageState,
  { bankKid, isSorted }: BookingColumnsOptions,
): readonly Column<Booking>[] {
  const sort = (name: string): { sort?: string } => (isSorted ? { sort: name } : {});
  return [
    {
      key: 'start',
      title: t('word.time'),
      ...sort('start'),
      cell: ({ startUtc, endUtc, timeZone }) => {
        const isOverNight = dayOf(startUtc, timeZone) !== dayOf(endUtc, timeZone);
        return (
          <>
            <time dateTime={startUtc}>{formats.dateTime(startUtc, timeZone)}</time>–{isOverNight ? <br /> : undefined}
            <time dateTime={endUtc}>{formats.until(startUtc, endUtc, timeZone)}</time>
          </>
        );
      },
    },
    {
      key: 'unit',
      title: t('word.unit'),
      ...sort('unit'),
      cell: ({ unitKid, unitName, locationName }) => (
        <>
          <Link to={unitPath(unitKid)}>{unitName}</Link>
          <span className="second">{locationName}</span>
        </>
      ),
    },
    {
      key: 'user',
      title: t('word.resident'),
      ...sort('user'),
      cell: ({ userKid, userName }) => <ResidentLink bankKid={bankKid} userKid={userKid} name={userName} />,
    },
    { key: 'state', title: t('word.state'), cell: ({ state }) => <BookingMark state={state} /> },
    {
      key: 'price',
      title: t('word.price'),
      isNumber: true,
      cell: ({ priceMinor, currency }) => <Amount minor={priceMinor} currency={currency} />,
    },
  ];
}
