// Measures this process and its database every minute, and keeps the measurements of a day across restarts. It also
// shows those that other processes of the service on this machine store in the same folder.

import type { Logger } from 'pino';
import { HostingSourceError, type MetricSeries, type TimeWindow } from '../hosting.ts';
import { CpuGauge } from './cpu-gauge.ts';
import { noDatabaseReadings, type DatabaseGauge, type DatabaseReadings } from './database-gauge.ts';
import { readOwnCpuMs, readOwnMemoryPercent } from './own-process.ts';
import { addSample, sampleIntervalMs, toPoints, type Readings, type Sample } from './samples.ts';
import { stateFileName, readOtherStates, readState, writeState, type MachineState } from './state-file.ts';

type MachineMonitorOptions = {
  /** The folder of the measurements. */
  readonly folder: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly log: Logger;
  /** The bytes that this process has sent to clients since its start. */
  readonly countSentBytes: () => number;
  readonly database: DatabaseGauge;
  readonly cpu?: CpuGauge;
};

/** Only yesterday is queried; more days allow for clocks that are wrong for a while. */
const maxDays = 8;

/** After a tick that comes a little early, the next one must not follow at once. */
const shortestPauseMs = 1000;

export class MachineMonitor {
  readonly #options: MachineMonitorOptions;
  readonly #cpu: CpuGauge;
  #instance = 'portal-api';
  #starts = 1;
  #samples: readonly Sample[] = [];
  readonly #sentBytes = new Map<string, bigint>();
  #countedBytes = 0;
  #countedAtMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isStarted = false;
  #isStoring = true;
  #sampling: Promise<void> | undefined;
  #readingDatabase: Promise<DatabaseReadings> | undefined;

  constructor(options: MachineMonitorOptions) {
    this.#options = options;
    this.#cpu = options.cpu ?? new CpuGauge({ readCpuMs: readOwnCpuMs });
    this.#countedAtMs = options.clock();
  }

  /** Continues the measurements of an earlier process of this name, and measures every minute from now on. */
  async start(instance: string): Promise<void> {
    this.#instance = instance;
    this.#isStarted = true;
    await this.#restore();
    await this.#save();
    this.#scheduleSample();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#sampling;
    if (!this.#isStarted) return;
    this.#isStarted = false;
    this.#countBytes();
    await this.#save();
  }

  /** Takes a sample and stores it. Concurrent calls share one sample. */
  sample(): Promise<void> {
    this.#sampling ??= this.#takeSample().finally(() => (this.#sampling = undefined));
    return this.#sampling;
  }

  /** Returns a series for each process. `component` names the measured application. */
  async readOwnSeries(component: string, name: keyof Readings, window: TimeWindow): Promise<readonly MetricSeries[]> {
    const own = { instance: this.#instance, samples: this.#samplesUntil(window.toMs, noDatabaseReadings) };
    const processes = [own, ...(await this.#readOthers())];
    return processes.flatMap(({ instance, samples }) => toSeries({ component, instance, samples, name, window }));
  }

  /**
   * Returns the series of the database, as this process sees it. Throws HostingSourceError if the database does not
   * answer.
   */
  async readDatabaseSeries(
    component: string,
    name: keyof Readings,
    window: TimeWindow,
  ): Promise<readonly MetricSeries[]> {
    const samples = this.#samplesUntil(window.toMs, await this.#readDatabaseNow());
    return toSeries({ component, instance: undefined, samples, name, window });
  }

  /** The bytes that all processes of this machine sent on a day; null if none of them measured on it. */
  async readSentBytes(dateUtc: string): Promise<string | null> {
    this.#countBytes();
    const others = await this.#readOthers();
    const counts = [this.#sentBytes, ...others.map(({ sentBytes }) => sentBytes)].flatMap((sentBytes) => {
      const bytes = sentBytes.get(dateUtc);
      return bytes === undefined ? [] : [bytes];
    });
    return counts.length === 0 ? null : String(counts.reduce((sum, bytes) => sum + bytes, 0n));
  }

  async #restore(): Promise<void> {
    const { folder, log } = this.#options;
    try {
      const state = await readState(folder, stateFileName(this.#instance));
      if (state === undefined) return;
      this.#starts = state.starts + 1;
      this.#samples = state.samples;
      for (const [day, bytes] of state.sentBytes) this.#sentBytes.set(day, bytes + (this.#sentBytes.get(day) ?? 0n));
    } catch (error) {
      log.warn(
        { err: error, folder },
        'the stored measurements of this machine cannot be read: measuring starts again',
      );
    }
  }

  async #save(): Promise<void> {
    const { folder, log } = this.#options;
    const state: MachineState = {
      instance: this.#instance,
      starts: this.#starts,
      sentBytes: this.#sentBytes,
      samples: this.#samples,
    };
    try {
      await writeState(folder, stateFileName(this.#instance), state);
      this.#isStoring = true;
    } catch (error) {
      // A warning once, and not every minute.
      if (this.#isStoring) log.warn({ err: error, folder }, 'the measurements of this machine cannot be stored');
      this.#isStoring = false;
    }
  }

  /** Samples at whole minutes, so that a day ends with a sample. */
  #scheduleSample(): void {
    const pauseMs = sampleIntervalMs - (this.#options.clock() % sampleIntervalMs);
    const timer = setTimeout(
      () => {
        void this.sample().finally(() => {
          if (this.#timer === timer) this.#scheduleSample();
        });
      },
      pauseMs < shortestPauseMs ? pauseMs + sampleIntervalMs : pauseMs,
    ).unref();
    this.#timer = timer;
  }

  async #takeSample(): Promise<void> {
    const { log, database } = this.#options;
    const sample = this.#measureProcess(this.#cpu.restart());
    const readings = await database.sample().catch((error: unknown): DatabaseReadings => {
      log.debug({ err: error }, 'the database could not be measured');
      return noDatabaseReadings;
    });
    this.#samples = addSample(this.#samples, { ...sample, ...readings });
    this.#countBytes();
    await this.#save();
  }

  /** Adds a current measurement after the samples, at the end of the window; it does not affect the next sample. */
  #samplesUntil(atMs: number, readings: DatabaseReadings): readonly Sample[] {
    const last = this.#samples.at(-1);
    if (last !== undefined && last.atMs >= atMs) return this.#samples;
    return addSample(this.#samples, { ...this.#measureProcess(this.#cpu.peek()), ...readings, atMs });
  }

  #measureProcess(cpuPercent: number | null): Sample {
    return {
      atMs: this.#options.clock(),
      cpuPercent,
      memoryPercent: readOwnMemoryPercent(),
      restarts: this.#starts - 1,
      ...noDatabaseReadings,
    };
  }

  /** Metrics that are read at the same time share one query of the database. */
  #readDatabaseNow(): Promise<DatabaseReadings> {
    this.#readingDatabase ??= this.#options.database
      .peek()
      .catch((error: unknown) => {
        throw new HostingSourceError('the database does not answer', { cause: error });
      })
      .finally(() => (this.#readingDatabase = undefined));
    return this.#readingDatabase;
  }

  #readOthers(): Promise<MachineState[]> {
    return this.#isStarted ? readOtherStates(this.#options.folder, stateFileName(this.#instance)) : Promise.resolve([]);
  }

  /** Bytes sent since the last count belong to the day of that count: a day ends with a count. */
  #countBytes(): void {
    const { clock, countSentBytes } = this.#options;
    const total = countSentBytes();
    const before = dayOf(this.#countedAtMs);
    const today = dayOf(clock());
    this.#sentBytes.set(before, (this.#sentBytes.get(before) ?? 0n) + BigInt(total - this.#countedBytes));
    if (!this.#sentBytes.has(today)) this.#sentBytes.set(today, 0n);
    this.#countedBytes = total;
    this.#countedAtMs = clock();
    for (const day of [...this.#sentBytes.keys()].toSorted().slice(0, -maxDays)) this.#sentBytes.delete(day);
  }
}

const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

type SeriesInput = {
  readonly component: string;
  readonly instance: string | undefined;
  readonly samples: readonly Sample[];
  readonly name: keyof Readings;
  readonly window: TimeWindow;
};

/** No series if nothing was measured. */
function toSeries({ component, instance, samples, name, window }: SeriesInput): MetricSeries[] {
  const points = toPoints(samples, name, window);
  return points.length === 0 ? [] : [{ component, instance, points }];
}
