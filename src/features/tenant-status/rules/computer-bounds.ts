// The bounds from which a computer is shown in the tenant status.

import { dayMs, hourMs, minuteMs } from '../../../lib/time/durations.ts';

/**
 * How wrong a clock is that is shown. From two seconds on times are corrected; a line whose time is five minutes ahead is
 * held, so that a clock that drifts is shown before lines are.
 */
export const clockWrongMs = 2 * minuteMs;

/** How long a computer that is in contact may leave a record unconfirmed. */
export const syncStaleMs = hourMs;

/** What a computer said longer ago than this is not shown, as units that are silent for longer are not. */
export const computerSilentMs = 100 * dayMs;
