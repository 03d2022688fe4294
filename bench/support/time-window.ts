// The time windows that the benchmarks ask for.

import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import { dayInterval, todayIn } from '../../src/lib/time/time-zone.ts';

const zone = 'Europe/Copenhagen';
const today = () => todayIn(zone, toMs2000(Date.now()));

/** The last 30 days as instants. */
export function lastThirtyDays(): { from: number; to: number } {
  const { fromMs2000, toMs2000: to } = dayInterval(today().subtract({ days: 29 }), today(), zone);
  return { from: fromMs2000, to };
}

/** The path of an account read over the last `days` days. */
export function accountPath(days: number, offset = 0): string {
  return `/api/v1/banks/sund-B1001/account?From=${today()
    .subtract({ days: days - 1 })
    .toString()}&Offset=${offset}`;
}
