// Puts the metrics of all workers on one page, each with the number of its worker: a worker that has been started again
// counts from zero, which sums of all workers would hide.

import { Registry, type Metric } from 'prom-client';
import type { WorkerMetrics } from './worker-messages.ts';

type OfWorker = { readonly worker: number; readonly answer: WorkerMetrics };

export function formatWorkerMetrics(workers: readonly OfWorker[]): Promise<string> {
  const registry = new Registry();
  const byName = new Map<string, WorkerMetrics[number]>();
  for (const { worker, answer } of workers)
    for (const metric of answer) {
      const values = metric.values.map((each) => ({ ...each, labels: { ...each.labels, worker: String(worker) } }));
      const merged = byName.get(metric.name);
      byName.set(metric.name, { ...metric, values: [...(merged?.values ?? []), ...values] });
    }
  for (const metric of byName.values()) {
    // All that the library requires of a metric.
    const registered = { ...metric, get: async () => metric };
    registry.registerMetric(registered as unknown as Metric);
  }
  return registry.metrics();
}
