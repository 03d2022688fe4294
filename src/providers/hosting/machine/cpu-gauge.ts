// Turns processor time that adds up into percent of what a process could have used since it was measured before.

import { availableParallelism } from 'node:os';

export type CpuGaugeOptions = {
  /** Milliseconds of processor time so far; null where that is not known. */
  readonly readCpuMs: () => number | null;
  /** Milliseconds that never go back. */
  readonly monotonic?: () => number;
  readonly processors?: number;
};

/** Less would be mostly chance. */
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

  /** Percent since the last `restart`; null where too little time has passed, or nothing is known. */
  peek(): number | null {
    return this.#percentOf(this.#read());
  }

  /** The same, and the next percentage begins here. */
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
    // Less than before: another process has come in its place.
    if (cpuMs === null || this.#before.cpuMs === null || cpuMs < this.#before.cpuMs) return null;
    if (elapsedMs < shortestIntervalMs) return null;
    return Math.min(100, ((cpuMs - this.#before.cpuMs) / elapsedMs / this.#processors) * 100);
  }
}
