// Instants as people read them: how long ago, or in the time of a place.

import type { JSX } from 'react';
import { useLanguage } from '../portal.tsx';

/** How long ago; the exact time is its title. */
export function Ago({ instant }: { readonly instant: string }): JSX.Element {
  const { formats } = useLanguage();
  return (
    <time dateTime={instant} title={formats.dateTime(instant)}>
      {formats.relative(instant)}
    </time>
  );
}

type InstantProps = { readonly instant: string; readonly timeZone?: string | undefined };

export function Instant({ instant, timeZone }: InstantProps): JSX.Element {
  const { formats } = useLanguage();
  return <time dateTime={instant}>{formats.dateTime(instant, timeZone)}</time>;
}
