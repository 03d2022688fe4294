// Replies with the types of the operations, which are generated for the console: a misspelt field of an answer does not
// compile.

import { addresses, type Operations, type Problem } from '../../console/src/api/operations.ts';
import type { ProblemExtensions } from '../../src/lib/problem.ts';
import type { Call, CallOptions, HttpReply } from './call.ts';

type OperationId = keyof Operations;

/** As JSON.parse reads it: every number is one. */
type Parsed<T> = T extends bigint
  ? number
  : T extends readonly (infer Item)[]
    ? Parsed<Item>[]
    : T extends object
      ? { [Key in keyof T]: Parsed<T[Key]> }
      : T;

type All<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer Each) => void
  ? Each
  : never;

type AnyProblem = Partial<Problem & All<ProblemExtensions[keyof ProblemExtensions]>>;

type ProblemBeside<Answer> = Answer extends object ? Answer & Omit<AnyProblem, keyof Answer> : AnyProblem;

/** `json` is the answer, or the problem of a failure: the status tells which. */
export type ReplyOf<Id extends OperationId> = HttpReply<ProblemBeside<Parsed<Operations[Id]['answer']>>>;

/** Calls an operation by its id. The input has the names of its path and of its query. */
export function callOperation<Id extends OperationId>(
  { call }: { readonly call: Call },
  id: Id,
  input: Operations[Id]['input'],
  options: CallOptions = {},
): Promise<ReplyOf<Id>> {
  const [method = '', template = ''] = addresses[id].split(' ');
  const query = new Map(Object.entries(input).map(([name, value]) => [name, String(value)]));
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = query.get(name) ?? '';
    query.delete(name);
    return encodeURIComponent(value);
  });
  return call(method, query.size === 0 ? path : `${path}?${String(new URLSearchParams([...query]))}`, options);
}
