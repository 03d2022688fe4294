// Begins a page of a list: after the last row of the page whose cursor the request has, or after a number of rows.

import { createFieldProblem } from '../../lib/values/field-problem.ts';
import type { PageRequest, Position } from '../../lib/values/paging.ts';
import type { PageQuery } from '../schemas/list-schemas.ts';
import { formatCursor, parseCursor, type CursorKey } from './cursor.ts';

type PageContext = {
  /** Names the list. */
  readonly listTarget: string;
  readCursorKey(): Promise<CursorKey>;
};

/**
 * A cursor holds a position, and how many items the pages before have. It is bound to the list of the request: a cursor of
 * another tenant, operation, path or filter is refused like an altered one. `name` is the parameter of the cursor.
 */
export async function openPage<P extends Position>(
  context: PageContext,
  { cursor, offset, limit }: PageQuery,
  name = 'cursor',
): Promise<PageRequest<P>> {
  const { listTarget } = context;
  const key = await context.readCursorKey();
  const formatPosition = (position: P, itemsBefore: number): string =>
    formatCursor([itemsBefore, ...position], listTarget, key);
  if (cursor === undefined)
    return { after: undefined, offset, limit, itemsBefore: offset, formatCursor: formatPosition };
  if (offset > 0) throw createFieldProblem(`query.${name}`, 'must not be combined with an offset');
  const parsed = parseCursor(cursor, listTarget, key);
  if (parsed === undefined)
    throw createFieldProblem(`query.${name}`, 'must be the nextCursor of an earlier page of the same list, unchanged');
  const [itemsBefore, ...after] = parsed as [number, ...P];
  return { after: after as Position as P, offset: 0, limit, itemsBefore, formatCursor: formatPosition };
}
