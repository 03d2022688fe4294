// The examples of the documents: one exchange an operation, recorded from the service itself over demo data. The request
// is written by hand in `examples/<operation id>.json`; the response beside it is recorded.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '../operation.ts';

export type Example = {
  /** The demo manager who sends it; nobody where a token is not needed. */
  readonly manager?: string;
  readonly request: {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string | number | boolean>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  /** Top-level fields of the answer that are never the same twice -> what the example shows in their place. */
  readonly volatile?: Readonly<Record<string, unknown>>;
  readonly response?: { readonly status: number; readonly body?: unknown };
};

export const exampleFilePath = (operationId: string): string =>
  join(import.meta.dirname, 'examples', `${operationId}.json`);

/** The example of an operation; undefined where it has none (yet). */
export function readExample(operationId: string): Example | undefined {
  try {
    return JSON.parse(readFileSync(exampleFilePath(operationId), 'utf8')) as Example;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The target of the example's request: path and query, as they go over the wire. */
export function exampleRequestTarget(
  { path: template }: Operation,
  { request: { path = {}, query = {} } }: Example,
): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}
