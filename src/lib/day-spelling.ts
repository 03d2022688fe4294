// Instants (MS2000) as text where many follow one another: a day is spelled once for all of those in it.

import { utcText } from './ms2000.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

const padded = (count: number, digits: number): string[] =>
  Array.from({ length: count }, (_, number) => String(number).padStart(digits, '0'));
const [sixty, thousand] = [padded(60, 2), padded(1000, 3)];
const minutes = padded(24, 2).flatMap((hour) => sixty.map((minute) => `T${hour}:${minute}:`));

export class DaySpelling {
  #day = Number.NaN;
  #date = '';

  /** A day, counted from 2000-01-01, as `2026-03-29`. A RangeError where `utcText` throws one. */
  dateOf(day: number): string {
    if (day !== this.#day) [this.#date, this.#day] = [utcText(day * dayMs).slice(0, 'yyyy-mm-dd'.length), day];
    return this.#date;
  }

  /** What `utcText` answers, with another ending than Z. */
  textOf(ms2000: number, ending: string): string {
    const day = Math.floor(ms2000 / dayMs);
    const ms = ms2000 - day * dayMs;
    const second = sixty[Math.floor(ms / 1000) % 60];
    return `${this.dateOf(day)}${minutes[Math.floor(ms / minuteMs)]}${second}.${thousand[ms % 1000]}${ending}`;
  }
}
