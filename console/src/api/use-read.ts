// Reads an operation's answer for a screen, and keeps it while the reader moves between screens.

import { keepPreviousData, useQuery, type QueryFunctionContext, type UseQueryResult } from '@tanstack/react-query';
import type { Language } from '../language/languages.ts';
import { useLanguage, usePortal } from '../portal.tsx';
import { addresses } from './operations.ts';
import type { Answer, Client, Input, ReadId } from './client.ts';
import type { Problem } from './problem.ts';

type ReadOptions<Id extends ReadId> = {
  /** False: not yet. */
  readonly enabled?: boolean;
  /** Reads again after so many seconds, while the tab is visible. */
  readonly pollSeconds?: (answer: Answer<Id>) => number;
  /** Reads again when it changes: the revision of what the answer belongs to. */
  readonly version?: string;
};

export type Read<Id extends ReadId> = UseQueryResult<Answer<Id>, Problem>;

/** After these, nothing is read again by itself, and nothing that was read before is shown. */
export const endsReading = ({ status }: Problem): boolean => status === 401 || status === 403 || status === 404;

/** What a read is kept by, and how it is done: for those who read many objects at once. */
export const readQuery = <Id extends ReadId>(client: Client, language: Language, id: Id, input: Input<Id>) => ({
  queryKey: [id, input, language],
  queryFn: ({ signal }: Pick<QueryFunctionContext, 'signal'>): Promise<Answer<Id>> =>
    client.call(id, input, { signal }),
});

export function useRead<Id extends ReadId>(
  id: Id,
  input: Input<Id>,
  { enabled = true, pollSeconds, version }: ReadOptions<Id> = {},
): Read<Id> {
  const { client } = usePortal();
  const { language } = useLanguage();
  const query = readQuery(client, language, id, input);
  return useQuery<Answer<Id>, Problem>({
    ...query,
    queryKey: version === undefined ? query.queryKey : [...query.queryKey, version],
    enabled,
    // The page before stays until the next one is there, but never that of another object.
    placeholderData: (previous, before) =>
      before !== undefined && isSameObject(id, before.queryKey[1], input) ? keepPreviousData(previous) : undefined,
    refetchInterval: ({ state }) => {
      if (pollSeconds === undefined || state.data === undefined) return false;
      return state.error !== null && endsReading(state.error) ? false : pollSeconds(state.data) * 1000;
    },
  });
}

type Values = Readonly<Record<string, unknown>>;

/** Whether two requests name the same object in their paths. */
function isSameObject(id: ReadId, before: unknown, now: unknown): boolean {
  const names = [...addresses[id].matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return names.every((name) => (before as Values)[name] === (now as Values)[name]);
}
