// The settings that control how a unit can be booked: its booking policy (features/bookings/rules/policy.ts).

import { setting } from './value-definition.ts';

const minutes = { unitOfMeasure: 'min', min: 0, max: 20_160 } as const;
const count = { min: 1, max: 500 } as const;

export const bookingSettings = [
  setting('Booking', 'Bookable', 'bool', { fallback: 'false' }),
  /** Units with the same calendar are shown and limited together. */
  setting('Booking', 'BookingCalendar', 'text', { maxLength: 64 }),
  /** How far ahead a booking can start, from today. */
  setting('Booking', 'BookingHorizon', 'duration', { unitOfMeasure: 'd', min: 0, max: 730 }),
  /** The least time between making a booking and its start. */
  setting('Booking', 'BookingNotice', 'duration', minutes),
  /** The most future bookings of a resident, over the units of the calendar. */
  setting('Booking', 'BookingMaxOpen', 'int', count),
  /** The most bookings that may start in a local day, in an ISO week, in a month. */
  setting('Booking', 'BookingMaxPerDay', 'int', count),
  setting('Booking', 'BookingMaxPerWeek', 'int', count),
  setting('Booking', 'BookingMaxPerMonth', 'int', count),
  setting('Booking', 'BookingMinLength', 'duration', { ...minutes, min: 5, step: 5 }),
  setting('Booking', 'BookingMaxLength', 'duration', { ...minutes, min: 5, step: 5 }),
  /** Bookings start at multiples of it, counted from the start of the bookable hours, or from midnight. */
  setting('Booking', 'BookingStep', 'duration', { unitOfMeasure: 'min', min: 5, max: 1440, step: 5 }),
  /** Bookings lie within these hours; an end at or before the start is on the next day. */
  setting('Booking', 'BookingFrom', 'time'),
  setting('Booking', 'BookingThrough', 'time', { max: '24:00' }),
  /** The unit outside these hours: first come, first served, or closed. */
  setting('Booking', 'BookingOutside', 'enum', { options: ['FirstCome', 'Closed'], fallback: 'FirstCome' }),
  setting('Booking', 'BookingLastStart', 'time'),
  /** The least time before its start at which a booking can be cancelled. */
  setting('Booking', 'BookingCancelDeadline', 'duration', minutes),
  /** How long after its start an unused booking is kept. */
  setting('Booking', 'BookingHold', 'duration', { unitOfMeasure: 'min', min: 0, max: 1440 }),
  setting('Booking', 'BookingPrice', 'money', { min: 0 }),
  /** The share of the price that a cancellation refunds, and the fee that it deducts. */
  setting('Booking', 'BookingRefund', 'int', { unitOfMeasure: '%', min: 0, max: 100, fallback: '100' }),
  setting('Booking', 'BookingCancelFee', 'money', { min: 0 }),
  setting('Booking', 'BookingNoShowFee', 'money', { min: 0 }),
  setting('Booking', 'BookingFor', 'enum', { options: ['Everyone', 'Location', 'Tag'], fallback: 'Everyone' }),
  /** The tag that residents need, if BookingFor is Tag. */
  setting('Booking', 'BookingTag', 'text', { maxLength: 64 }),
  /** No booking overlaps the quiet hours; an end at or before the start is on the next day. */
  setting('Booking', 'BookingQuietFrom', 'time'),
  setting('Booking', 'BookingQuietThrough', 'time', { max: '24:00' }),
] as const;
