// Makes a request for each operation from the example of its documents, for tests that call every operation.

import { exampleRequestTarget, readExample } from '../../../src/http/openapi/examples.ts';
import type { Operation } from '../../../src/http/operations/operation.ts';

export type OperationSample = { readonly method: string; readonly path: string; readonly body: unknown };

/** A request that matches the operation's schemas, without its query; its objects need not exist. */
export function createSample(operation: Operation): OperationSample {
  const example = readExample(operation.id);
  if (example === undefined) throw new Error(`${operation.id} has no example`);
  const { path, body } = example.request;
  const target = exampleRequestTarget(operation, { request: path === undefined ? {} : { path } });
  return { method: operation.method, path: target, body };
}
