// Computes the month of a lookup.

import { fromMs2000 } from '../../../lib/time/ms2000.ts';

/** 1 to 12. */
export const utcMonthOf = (ms2000: number): number => new Date(fromMs2000(ms2000)).getUTCMonth() + 1;
