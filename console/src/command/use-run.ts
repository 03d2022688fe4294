// Sends the request of a command, and does what follows: tells the result and reads again what has changed, or keeps what
// is to be said of the failure.

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { clearShown } from '../api/clear-refused.ts';
import type { Client, WriteId } from '../api/client.ts';
import { keyedOperations } from '../api/operations.ts';
import { toProblem, type Problem } from '../api/problem.ts';
import { writeJson } from '../api/read-json.ts';
import { usePortal } from '../portal.tsx';
import { useCommandAddress } from './command-address.ts';
import type { Values, Version } from './command-store.ts';
import { isUncertain, newKey } from './outcome.ts';
import type { Request } from './toast-store.ts';
import type { CommandOptions, KeptEntry } from './command-types.ts';

/** No operation runs longer than half a minute. */
const patienceMs = 60_000;

export function useRun<Id extends WriteId, V extends Values, Result>(
  options: CommandOptions<Id, V, Result>,
  { readEntry, keep, forget, finish }: KeptEntry,
  showAnswer: (answer: Result) => void,
) {
  const { name, id, invalidates } = options;
  const { client, toasts } = usePortal();
  const queries = useQueryClient();
  const address = useCommandAddress();
  const isShown = useIsShown();
  // Success may lead to another screen: what is done is forgotten under the address at which the form began.
  useEffect(
    () => () => {
      if (readEntry()?.isDone === true) forget();
    },
    [readEntry, forget],
  );

  const readAgain = (): Promise<void> =>
    queries.invalidateQueries({ predicate: ({ queryKey: [read] }) => invalidates.some((each) => each === read) });

  async function run(values: V, base: Version<V>): Promise<void> {
    const entry = readEntry();
    if (entry?.isSending === true) return;
    const { content, send } = planOf(options, client, { values, base });
    const text = writeJson([id, content]);
    const attempt = entry?.attempt?.request === text ? entry.attempt : { key: newKey(), request: text };
    keep({ attempt, isSending: true, problem: undefined });
    try {
      const result = await send(attempt.key);
      if (isShown()) finish();
      else forget();
      const done = options.done(result);
      if (done === undefined) showAnswer(result);
      else {
        toasts.show({ ...done, invalidates });
        address.close(name);
      }
      await readAgain();
    } catch (error) {
      await fail(toProblem(error));
    }
  }

  async function fail(problem: Problem): Promise<void> {
    const change = { isSending: false, problem, ...(isUncertain(problem) ? {} : { attempt: undefined }) };
    if (problem.status === 403) clearShown(queries);
    const isStale = (problem.status === 409 || problem.status === 412) && problem.code.endsWith('-conflict');
    if (!isStale || options.reread === undefined) {
      keep(change);
      return;
    }
    try {
      keep({ ...change, theirs: await options.reread(client) });
    } catch (error) {
      keep({ ...change, problem: toProblem(error) });
    }
  }

  return { run, readAgain };
}

type Began<V extends Values> = { readonly values: V; readonly base: Version<V> };

/** What is sent, and how. */
function planOf<Id extends WriteId, V extends Values, Result>(
  options: CommandOptions<Id, V, Result>,
  client: Client,
  { values, base }: Began<V>,
): { readonly content: unknown; readonly send: (key: string) => Promise<Result> } {
  const { id, perform } = options;
  const revision = base.revision ?? '';
  if (perform !== undefined)
    return { content: { values, revision }, send: (key) => perform(values, { client, key, revision }) };
  const request: Request<Id> = options.request(values, revision);
  const { input, body } = request;
  return {
    content: request,
    send: (key) =>
      client.call(id, input, {
        body,
        key: keyedOperations.has(id) ? key : undefined,
        signal: AbortSignal.timeout(patienceMs),
      }) as Promise<Result>,
  };
}

function useIsShown(): () => boolean {
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return () => shown.current;
}
