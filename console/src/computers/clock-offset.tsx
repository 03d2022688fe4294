// How far the clock of a computer is ahead or behind.

import type { JSX } from 'react';
import { Mark } from '../components/page.tsx';
import { useLanguage } from '../portal.tsx';

/** From two seconds on, the times of lines are corrected; two minutes are an alert (docs/tenant-status.md). */
const correctedMs = 2000;
const alertMs = 120_000;

export function ClockOffset({ offsetMs }: { readonly offsetMs: number | null }): JSX.Element {
  const { t } = useLanguage();
  if (offsetMs === null) return <>{t('state.unknown')}</>;
  const distance = Math.abs(offsetMs);
  if (distance < correctedMs) return <>{t('computer.clockRight')}</>;
  const seconds = { count: Math.round(distance / 1000) };
  const text = t(offsetMs > 0 ? 'computer.clockAhead' : 'computer.clockBehind', seconds);
  return distance < alertMs ? <>{text}</> : <Mark tone="warn">{text}</Mark>;
}
