// Records requests of different computers in one transaction. One that is refused, or that fails by its lines, does not
// take the others with it.

import { StorageError } from '../../database/errors.ts';
import { zip } from '../../lib/zip.ts';
import { recordLines, RefusedRequestsError, type RecordedLines } from './record-lines.ts';
import type { StreamRequest } from './stream-request.ts';

type Results = ReadonlyMap<StreamRequest, PromiseSettledResult<RecordedLines>>;

/** The requests are of one bank and of one kind of stream. The deadline is that of the first. */
export async function recordTogether(requests: readonly StreamRequest[]): Promise<Results> {
  const [first, ...others] = requests;
  if (first === undefined) return new Map();
  try {
    const recorded = await first.context.write((db) => recordLines(db, [first, ...others]));
    return new Map(zip(requests, recorded.map(toFulfilled)));
  } catch (error) {
    if (error instanceof RefusedRequestsError) {
      const accepted = requests.filter((request) => !error.problems.has(request));
      const refused = [...error.problems].map(([request, problem]) => [request, toRejected(problem)] as const);
      return new Map([...refused, ...(await recordTogether(accepted))]);
    }
    // Whether anything was stored can be unknown then, and storage is in no state to be asked again for each.
    if (error instanceof StorageError || others.length === 0)
      return new Map(requests.map((request) => [request, toRejected(error)]));
    // Nothing was stored. Alone, only those at fault fail.
    const alone: (readonly [StreamRequest, PromiseSettledResult<RecordedLines>])[] = [];
    for (const request of requests) alone.push(...(await recordTogether([request])));
    return new Map(alone);
  }
}

/** Throws why it is refused. */
export async function recordAlone(request: StreamRequest): Promise<RecordedLines> {
  const result = (await recordTogether([request])).get(request);
  if (result?.status === 'fulfilled') return result.value;
  throw result?.reason ?? new Error('a request has no result');
}

const toFulfilled = <T>(value: T): PromiseFulfilledResult<T> => ({ status: 'fulfilled', value });
const toRejected = (reason: unknown): PromiseRejectedResult => ({ status: 'rejected', reason });
