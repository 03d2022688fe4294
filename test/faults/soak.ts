// Half of the capacity for a long time: memory and open files stay as they are.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { Round, RoundFigures } from '../rounds/run-rounds.ts';
import { startLoadedService, type LoadedService } from './support/loaded-service.ts';
import { sendLoad } from './support/steady-load.ts';

const clients = 20;
const sampleMs = 1000;
/** Caches fill in the beginning. */
const warmUpShare = 0.4;

type Sample = { readonly minutes: number; readonly megabytes: number; readonly files: number };

export const soak: Round = {
  name: 'soak on sqlite',
  run: async ({ isLong }) => {
    const service = await startLoadedService('sqlite', { clients });
    try {
      // In a short time the collector of garbage alone moves the memory by some megabytes.
      return isLong
        ? await soakService(service, { minutes: 20, megabytesPerMinute: 1, filesPerMinute: 0.5 })
        : await soakService(service, { minutes: 1, megabytesPerMinute: 60, filesPerMinute: 12 });
    } finally {
      await service.stop();
    }
  },
};

type Limits = { readonly minutes: number; readonly megabytesPerMinute: number; readonly filesPerMinute: number };

async function soakService({ process: child, target }: LoadedService, limits: Limits): Promise<RoundFigures> {
  await sendLoad(target, { clients, seconds: 3 });
  const full = await sendLoad(target, { clients, seconds: 5 });
  const pauseMs = Math.max(1, Math.round((2 * 1000 * clients) / full.goodPerSecond - full.p50Ms));
  const samples: Sample[] = [];
  const from = performance.now();
  const timer = setInterval(
    () => samples.push({ minutes: (performance.now() - from) / 60_000, ...readUse(child.pid) }),
    sampleMs,
  );
  const load = await sendLoad(target, { clients, seconds: limits.minutes * 60, pauseMs });
  clearInterval(timer);
  assert.deepEqual([...load.answers.keys()].toSorted(), ['200', '201']);
  assert.equal(load.broken, 0);
  const steady = samples.slice(Math.floor(samples.length * warmUpShare));
  const memory = slopeOf(steady, ({ megabytes }) => megabytes);
  const files = slopeOf(steady, (sample) => sample.files);
  assert.ok(memory <= limits.megabytesPerMinute, `memory grows by ${memory} MB a minute`);
  assert.ok(files <= limits.filesPerMinute, `open files grow by ${files} a minute`);
  return {
    'capacity and load, answers per second': `${full.goodPerSecond}, ${load.goodPerSecond}`,
    minutes: limits.minutes,
    'memory at the beginning and the end, MB': `${steady[0]?.megabytes}, ${steady.at(-1)?.megabytes}`,
    'slope of memory, MB a minute': memory,
    'open files at the beginning and the end': `${steady[0]?.files}, ${steady.at(-1)?.files}`,
    'slope of open files, a minute': files,
    'p99, ms': load.p99Ms,
  };
}

function readUse(pid: number): Omit<Sample, 'minutes'> {
  const [, kibibytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return { megabytes: Math.round(Number(kibibytes) / 1024), files: readdirSync(`/proc/${pid}/fd`).length };
}

/** By least squares, a minute. */
function slopeOf(samples: readonly Sample[], valueOf: (sample: Sample) => number): number {
  const count = samples.length;
  const sum = (value: (sample: Sample) => number): number => samples.reduce((total, each) => total + value(each), 0);
  const x = sum(({ minutes }) => minutes);
  const y = sum(valueOf);
  const xy = sum((each) => each.minutes * valueOf(each));
  const xx = sum(({ minutes }) => minutes ** 2);
  return Math.round((100 * (count * xy - x * y)) / (count * xx - x * x)) / 100;
}
