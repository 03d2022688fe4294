// The settings that decide how a unit may be booked. Together they are its policy (features/bookings/rules/policy.ts).

import { setting } from './value-definition.ts';

const minutes = { unitOfMeasure: 'min', min: 0, max: 20_160 } as const;
const count = { min: 1, max: 500 } as const;

export const bookingSettings = [
  setting('Booking', 'Bookable', 'bool', { fallback: 'false' }),
  /** Units with the same calendar are booked side by side. */
  setting('Booking', 'BookingCalendar', 'text', { maxLength: 64 }),
  /** How far ahead, from today on. */
  setting('Booking', 'BookingHorizon', 'duration', { unitOfMeasure: 'd', min: 0, max: 730 }),
  /** How long before its start a booking has to be made. */
  setting('Booking', 'BookingNotice', 'duration', minutes),
  /** How many bookings that are still ahead a resident may have, on the units of the calendar. */
  setting('Booking', 'BookingMaxOpen', 'int', count),
  /** How many may start in a local day, in an ISO week, in a month. */
  setting('Booking', 'BookingMaxPerDay', 'int', count),
  setting('Booking', 'BookingMaxPerWeek', 'int', count),
  setting('Booking', 'BookingMaxPerMonth', 'int', count),
  setting('Booking', 'BookingMinLength', 'duration', { ...minutes, min: 5, step: 5 }),
  setting('Booking', 'BookingMaxLength', 'duration', { ...minutes, min: 5, step: 5 }),
  /** Starts lie on multiples of it, counted from the beginning of the bookable hours, or from midnight. */
  setting('Booking', 'BookingStep', 'duration', { unitOfMeasure: 'min', min: 5, max: 1440, step: 5 }),
  /** The hours in which bookings lie; an end at or before the beginning lies on the next day. */
  setting('Booking', 'BookingFrom', 'time'),
  setting('Booking', 'BookingThrough', 'time', { max: '24:00' }),
  /** What the unit is outside those hours: first come, first served, or closed. */
  setting('Booking', 'BookingOutside', 'enum', { options: ['FirstCome', 'Closed'], fallback: 'FirstCome' }),
  setting('Booking', 'BookingLastStart', 'time'),
  /** Until how long before its start a booking can be cancelled. */
  setting('Booking', 'BookingCancelDeadline', 'duration', minutes),
  /** For how long after its start a booking is held for a resident who does not come. */
  setting('Booking', 'BookingHold', 'duration', { unitOfMeasure: 'min', min: 0, max: 1440 }),
  setting('Booking', 'BookingPrice', 'money', { min: 0 }),
  /** What a cancellation gives back of the price, and what it then keeps as a fee. */
  setting('Booking', 'BookingRefund', 'int', { unitOfMeasure: '%', min: 0, max: 100, fallback: '100' }),
  setting('Booking', 'BookingCancelFee', 'money', { min: 0 }),
  setting('Booking', 'BookingNoShowFee', 'money', { min: 0 }),
  setting('Booking', 'BookingFor', 'enum', { options: ['Everyone', 'Location', 'Tag'], fallback: 'Everyone' }),
  /** Which residents, where bookings are for those with a tag. */
  setting('Booking', 'BookingTag', 'text', { maxLength: 64 }),
  /** No booking lies in the quiet hours; an end at or before the beginning lies on the next day. */
  setting('Booking', 'BookingQuietFrom', 'time'),
  setting('Booking', 'BookingQuietThrough', 'time', { max: '24:00' }),
] as const;
