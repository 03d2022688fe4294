// Measures public images: cached and uncached ones against a bare server that sends the same bytes, rasters against
// only the renderer, and how much rendering delays other requests.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchReply } from './support/request.ts';
import { startDemoService, type BenchService } from './support/demo-service.ts';
import { compareTargets, reportComparison, reportFigure } from './support/measure.ts';
import { runLoad, startNode, type LoadTarget } from './support/processes.ts';
import { startSameBytesFloor } from './support/same-bytes.ts';

const icon = '/api/v1/icon/line/house.svg';
const gradient = (color: string) => `/api/v1/gradients/linear/${color}-00ff80/30.svg`;
const raster = (color: string, size: number) => `/api/v1/icon/line/washer~c${color}/${size}.png`;

export async function benchmarkImages(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  try {
    const service = await startDemoService(`sqlite:${directory}`, 1000);
    const open = (path: string): LoadTarget => ({ ...service.target(path), token: '' });
    await compareWithFloor(open(icon), open(icon), 'Icon SVG by name, cached', 0.7);
    await compareWithFloor(open(gradient('{new}')), open(gradient('a0a0a0')), 'Gradient at first sight', 0.45);
    await compareWithFloor(open(gradient('a0a0a0')), open(gradient('a0a0a0')), 'Gradient, cached', 0.7);
    await compareRasters(open);
    await reportMemory(service, open);
    await compareLatencyBesideRendering(open);
    await service.stop();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The bare server always answers `sample`. */
async function compareWithFloor(subject: LoadTarget, sample: LoadTarget, name: string, least: number): Promise<void> {
  const floor = await startSameBytesFloor(sample);
  reportComparison(`${name}, against bare node:http`, await compareTargets(subject, floor.target), { least });
  await floor.stop();
}

/** A raster image that is not in the cache, against its renderer in two loops. */
async function compareRasters(open: (path: string) => LoadTarget): Promise<void> {
  const { body } = await fetchReply(open('/api/v1/icon/line/washer~ca0a0a0.svg'));
  const ratios: number[] = [];
  let subject = 0;
  let base = 0;
  for (let round = 0; round < 3; round += 1) {
    const alone = await startNode('bench/support/render-floor.ts', ['loop', body, '64', '3'], {});
    base = Number(alone.line['perSecond']);
    await alone.stop();
    ({ perSecond: subject } = await runLoad(open(raster('{new}', 64)), 8, 3));
    ratios.push(subject / base);
  }
  const ratio = ratios.toSorted((a, b) => a - b)[1] ?? 0;
  reportComparison(
    'Icon PNG of 64 pixels anew, against only its renderer, two at a time',
    { ratio, subject, base },
    { least: 0.75 },
  );
}

/** Two images of one address are rendered at a time; few others can wait before they are refused. */
const largeImages = 6;

/** The p99 of a small read while large images are rendered, against a server whose event loop waits for them. */
async function compareLatencyBesideRendering(open: (path: string) => LoadTarget): Promise<void> {
  const { body } = await fetchReply(open('/api/v1/icon/line/washer~ca0a0a0.svg'));
  const small = open('/api/v1/public/status');
  const latencyBeside = async (read: LoadTarget, large: LoadTarget): Promise<number> => {
    // The large requests start before the first small one and end after the last.
    const rendering = runLoad(large, largeImages, 8);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const { p99Ms } = await runLoad(read, 4, 4);
    await rendering;
    return p99Ms;
  };
  const subject = await latencyBeside(small, open(raster('{new}', 4096)));
  const floor = await startNode('bench/support/render-floor.ts', ['serve', body, '4096'], {});
  const port = Number(floor.line['port']);
  const base = await latencyBeside({ ...small, port, path: '/' }, { ...small, port, path: '/render' });
  await floor.stop();
  const ratio = subject / base;
  reportComparison(
    `p99 of a small read during ${largeImages} renderings of 4096 pixels, in ms`,
    { ratio, subject, base },
    { most: 0.2 },
  );
}

async function reportMemory(service: BenchService, open: (path: string) => LoadTarget): Promise<void> {
  let rendered = 0;
  while (rendered < 10_000) {
    const { perSecond } = await runLoad(open(raster('{new}', 64)), 8, 3);
    rendered += perSecond * 3;
  }
  reportFigure('Resident memory after 10,000 renders, MB', service.residentMegabytes(), { most: 400 });
}
