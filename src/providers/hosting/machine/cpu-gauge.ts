// Converts accumulated processor time to a percentage of the processor time that was available since the last
// measurement.

import { availableParallelism } from 'node:os';

type CpuGaugeOptions = {
  /** Milliseconds of processor time so far; null if not known. */
  readonly readCpuMs: () => number | null;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic?: () => number;
  readonly processors?: number;
};

/** A shorter interval would give mostly random results. */
const shortestIntervalMs = 100;

type Reading = { readonly cpuMs: number | null; readonly atMs: number };

export class CpuGauge {
  readonly #readCpuMs: () => number | null;
  readonly #monotonic: () => number;
  readonly #processors: number;
  #before: Reading;

  constructor({
    readCpuMs,
    monotonic = () => performance.now(),
    processors = availableParallelism(),
  }: CpuGaugeOptions) {
    this.#readCpuMs = readCpuMs;
    this.#monotonic = monotonic;
    this.#processors = processors;
    this.#before = this.#read();
  }

  /** The percentage since the last `restart`; null if too little time has passed, or nothing is known. */
  peek(): number | null {
    return this.#percentOf(this.#read());
  }

  /** Returns the same as `peek`, and starts the next interval. */
  restart(): number | null {
    const reading = this.#read();
    const percent = this.#percentOf(reading);
    this.#before = reading;
    return percent;
  }

  #read(): Reading {
    return { cpuMs: this.#readCpuMs(), atMs: this.#monotonic() };
  }

  #percentOf({ cpuMs, atMs }: Reading): number | null {
    const elapsedMs = atMs - this.#before.atMs;
    // Less than before: another process has replaced the measured one.
    if (cpuMs === null || this.#before.cpuMs === null || cpuMs < this.#before.cpuMs) return null;
    if (elapsedMs < shortestIntervalMs) return null;
    return Math.min(100, ((cpuMs - this.#before.cpuMs) / elapsedMs / this.#processors) * 100);
  }
}
