// Counters of demo units, which grow while the service runs.

import type { Random } from '../random.ts';
import { hourMs } from '../../src/lib/time/durations.ts';
import type { Device } from './devices.ts';

/** The growth per hour, both ends included, and the number of decimals. */
type CounterGrowth = { readonly low: number; readonly high: number; readonly decimals: number };

const counterGrowth: Readonly<Record<string, CounterGrowth>> = {
  EnergyReading: { low: 0.1, high: 0.9, decimals: 3 },
  VolumeReading: { low: 0.004, high: 0.05, decimals: 3 },
  AccessCount: { low: 1, high: 12, decimals: 0 },
  TripCount: { low: 4, high: 60, decimals: 0 },
  Uptime: { low: 1, high: 1, decimals: 0 },
};

/** The counters of the device as of now. Counters that are not numbers stay as they are. */
export function advanceCounters({ states }: Device, now: number, random: Random): [name: string, value: string][] {
  return Object.entries(counterGrowth).flatMap(([name, growth]): [string, string][] => {
    const state = states.get(name);
    const before = Number(state?.value ?? Number.NaN);
    if (state === undefined || !Number.isFinite(before) || state.reportedAt >= now) return [];
    return [[name, advance(before, growth, (now - state.reportedAt) / hourMs, random)]];
  });
}

function advance(before: number, { low, high, decimals }: CounterGrowth, hours: number, random: Random): string {
  const scale = 10 ** decimals;
  // Rounded up or down at random; otherwise a counter that is reported often would never increase.
  const more = Math.floor((low + random.next() * (high - low)) * hours * scale + random.next());
  return ((Math.round(before * scale) + more) / scale).toFixed(decimals);
}
