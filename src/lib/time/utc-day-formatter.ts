// Formats many instants (MS2000) near each other as text. It formats each day only once.

import { formatUtc } from './ms2000.ts';
import { dayMs, minuteMs } from './durations.ts';

const paddedNumbers = (count: number, digits: number): string[] =>
  Array.from({ length: count }, (_, number) => String(number).padStart(digits, '0'));
const [twoDigits, threeDigits] = [paddedNumbers(60, 2), paddedNumbers(1000, 3)];
const minutePrefixes = paddedNumbers(24, 2).flatMap((hour) => twoDigits.map((minute) => `T${hour}:${minute}:`));

export class UtcDayFormatter {
  #day = Number.NaN;
  #date = '';

  /** A day, counted from 2000-01-01, as `2026-03-29`. A RangeError where `utcText` throws one. */
  formatDate(day: number): string {
    if (day !== this.#day) [this.#date, this.#day] = [formatUtc(day * dayMs).slice(0, 'yyyy-mm-dd'.length), day];
    return this.#date;
  }

  /** The result of `utcText`, with another ending than Z. */
  formatInstant(ms2000: number, ending: string): string {
    const day = Math.floor(ms2000 / dayMs);
    const ms = ms2000 - day * dayMs;
    const second = twoDigits[Math.floor(ms / 1000) % 60];
    return `${this.formatDate(day)}${minutePrefixes[Math.floor(ms / minuteMs)]}${second}.${threeDigits[ms % 1000]}${ending}`;
  }
}
