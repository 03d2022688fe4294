// What a supervisor and its workers tell each other.

import type { MetricObjectWithValues, MetricValue } from 'prom-client';

export type WorkerMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];

export type HealthAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** What each question asks with, and what is answered. */
export type WorkerQuestions = {
  readonly metrics: { readonly asked: undefined; readonly answer: WorkerMetrics };
  /** The URL of a health check. */
  readonly health: { readonly asked: string; readonly answer: HealthAnswer };
};

/** The address at which all workers listen. */
export type WorkerAddress = { readonly scheme: 'http' | 'https'; readonly port: number };

type Committed = {
  readonly kind: 'committed';
  readonly tenant: string;
  /** The topics of a write. */
  readonly topics: readonly string[];
};

export type MessageToWorker =
  /** Workers are numbered from 1. */
  | { readonly kind: 'start'; readonly worker: number }
  | { readonly kind: 'ask'; readonly id: number; readonly question: keyof WorkerQuestions; readonly asked?: string }
  | Committed;

export type MessageFromWorker =
  | { readonly kind: 'started' }
  | { readonly kind: 'ready'; readonly address: WorkerAddress }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | Committed;
