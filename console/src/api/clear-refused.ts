// After a refusal for want of rights, nothing that was read before stays on the screen: it is asked for again, and the
// rights of the manager too.

import type { Query, QueryClient } from '@tanstack/react-query';
import { Problem } from './problem.ts';

const ownRights = 'GetCurrentManager';

export function clearRefused(queries: QueryClient): void {
  queries.getQueryCache().config.onError = (error, query) => {
    if (error instanceof Problem && error.status === 403) clearShown(queries, query.queryHash);
  };
}

/** @param exceptHash of the query that was refused: it shows that itself */
export function clearShown(queries: QueryClient, exceptHash?: string): void {
  const isShown = (other: Query<unknown, unknown>): boolean =>
    other.queryHash !== exceptHash && other.queryKey[0] !== ownRights && other.state.status === 'success';
  void queries.resetQueries({ predicate: (other) => isShown(other as Query<unknown, unknown>) });
  void queries.invalidateQueries({ queryKey: [ownRights] });
}
