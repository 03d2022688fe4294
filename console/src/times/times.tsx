// Instants as people read them: how long ago, or in the time of a place.

import { useEffect, useReducer, type JSX } from 'react';
import { useLanguage } from '../portal.tsx';

type InstantProps = { readonly instant: string; readonly timeZone?: string | undefined };

/** How long ago; the exact time, in the zone of the place if it is known, is its title. */
export function Ago({ instant, timeZone }: InstantProps): JSX.Element {
  const { formats } = useLanguage();
  return (
    <time dateTime={instant} title={formats.dateTime(instant, timeZone)}>
      {formats.relative(instant)}
    </time>
  );
}

const tickMs = 5000;

/** Shows how long ago an instant was, and counts on while it is shown: for what was read or written a moment ago. */
export function LiveAgo({ instant }: { readonly instant: string }): JSX.Element {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, tickMs);
    return () => clearInterval(timer);
  }, []);
  return <Ago instant={instant} />;
}

export function Instant({ instant, timeZone }: InstantProps): JSX.Element {
  const { formats } = useLanguage();
  return <time dateTime={instant}>{formats.dateTime(instant, timeZone)}</time>;
}
