// Reads the examples of the documents: one request and response of each operation, in `examples/<operation id>.json`.
// The request is written by hand; the response is recorded from the service with demo data.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '../operations/operation.ts';

export type Example = {
  /** The demo manager who sends the request; without one the request has no token. */
  readonly manager?: string;
  readonly request: {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string | number | boolean>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  /** Maps the top-level fields of the response that differ each time to the values that the example has instead. */
  readonly volatile?: Readonly<Record<string, unknown>>;
  readonly response?: { readonly status: number; readonly body?: unknown };
};

export const exampleFilePath = (operationId: string): string =>
  join(import.meta.dirname, 'examples', `${operationId}.json`);

/** The example of an operation; undefined if it has none yet. */
export function readExample(operationId: string): Example | undefined {
  try {
    return JSON.parse(readFileSync(exampleFilePath(operationId), 'utf8')) as Example;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The target of the example's request: path and query. */
export function exampleRequestTarget(
  { path: template }: Operation,
  { request: { path = {}, query = {} } }: Example,
): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}
