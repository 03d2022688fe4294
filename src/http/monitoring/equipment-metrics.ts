// Counts what computers send and ask for through the Equipment API, as Prometheus metrics.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const lineOutcomes = ['booked', 'held', 'other', 'repeated'] as const;

/** How many lines of a request were booked, held, brought by another epoch before, or had by the stream. */
type LineCounts = Readonly<Record<(typeof lineOutcomes)[number], number>>;

type StreamRequest = { readonly stream: string; readonly seconds: number };

export type EquipmentMetrics = ReturnType<typeof createEquipmentMetrics>;

/** Counts the held lines of each tenant that could be asked. */
type CountHeldLines = () => Promise<ReadonlyMap<string, number>>;

// From what is sent at once to what waited a month for a repair.
const lagBoundaries = [1, 5, 15, 60, 300, 900, 3600, 21_600, 86_400, 604_800, 2_592_000];
const requestBoundaries = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

export function createEquipmentMetrics(registry: Registry, countHeldLines: CountHeldLines) {
  const registers = [registry];
  const lines = new Counter({
    name: 'equipment_lines_total',
    help: 'Lines that were received from computers.',
    labelNames: ['stream', 'outcome'],
    registers,
  });
  const lags = new Histogram({
    name: 'equipment_line_lag_seconds',
    help: 'Time from what a line tells to its arrival.',
    labelNames: ['stream'],
    buckets: lagBoundaries,
    registers,
  });
  const requests = new Histogram({
    name: 'equipment_stream_request_seconds',
    help: 'Duration of requests with lines.',
    labelNames: ['stream'],
    buckets: requestBoundaries,
    registers,
  });
  registerHeldLines(registry, countHeldLines);
  return {
    /** The lines of a request were committed. `lagsSeconds` is how long before their arrival the new ones had happened. */
    linesReceived: (stream: string, counts: LineCounts, lagsSeconds: readonly number[]) => {
      for (const outcome of lineOutcomes) lines.inc({ stream, outcome }, counts[outcome]);
      const ofStream = lags.labels(stream);
      for (const seconds of lagsSeconds) ofStream.observe(seconds);
    },
    /** A request with lines of a stream has ended, whatever its answer. */
    streamRequestEnded: ({ stream, seconds }: StreamRequest) => requests.labels(stream).observe(seconds),
    /** A long poll or a stream of events has begun. Returns what is called when it has ended. */
    pollOpened: createPollCount(registry),
  };
}

function registerHeldLines(registry: Registry, countHeldLines: CountHeldLines): void {
  const gauge: Gauge = new Gauge({
    name: 'equipment_held_lines',
    help: 'Lines that wait for a manager.',
    labelNames: ['tenant'],
    registers: [registry],
    collect: async () => {
      const counts = await countHeldLines();
      gauge.reset();
      for (const [tenant, count] of counts) gauge.set({ tenant }, count);
    },
  });
}

function createPollCount(registry: Registry): () => () => void {
  let open = 0;
  const gauge: Gauge = new Gauge({
    name: 'equipment_open_polls',
    help: 'Long polls and streams of events that are open.',
    registers: [registry],
    collect: () => gauge.set(open),
  });
  return () => {
    let isOpen = true;
    open += 1;
    return () => {
      if (isOpen) open -= 1;
      isOpen = false;
    };
  };
}
