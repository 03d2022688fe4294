// GetTenantStatusPage: shows the tenant status page by page. The first page reads a snapshot; a cursor leads to another
// page of the same snapshot.

import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatCursor, parseCursor, type CursorKey } from '../../../http/pagination/cursor.ts';
import { createFieldProblem } from '../../../lib/field-problem.ts';
import { Problem } from '../../../lib/problem.ts';
import type { StatusReader, StatusReading } from '../read-status.ts';
import { parseAnchor, type StatusAnchor } from '../rules/anchor.ts';
import { hashCursorContext, type PageCursor } from '../rules/page-cursor.ts';
import { firstRange, rangeAfter, rangeBefore, type SnapshotRange } from '../rules/page-range.ts';
import { toTenantStatus } from '../answers.ts';
import type { TenantStatusPage } from '../schemas.ts';
import type { SnapshotStore } from '../process/snapshot-store.ts';

type GetTenantStatusPageInput = {
  readonly pageSize: number;
  readonly cursor?: string;
  readonly anchor?: string;
  readonly offset?: number;
};

type StatusPageDependencies = {
  readonly statusReader: StatusReader;
  readonly snapshotStore: SnapshotStore;
};

/** A page of a snapshot, before it is formatted. */
type SnapshotPage = {
  readonly snapshotId: string;
  readonly snapshot: StatusReading;
  readonly range: SnapshotRange;
};

export async function getTenantStatusPage(
  context: ManagerContext,
  input: GetTenantStatusPageInput,
  dependencies: StatusPageDependencies,
): Promise<TenantStatusPage> {
  const { cursor, anchor, offset = 0, pageSize } = input;
  if (cursor !== undefined && (anchor !== undefined || input.offset !== undefined))
    throw createFieldProblem('query.cursor', 'must not be combined with anchor or offset', 'invalid-page');
  const wantedAnchor = anchor === undefined ? undefined : requireAnchor(context, anchor);
  const key = await context.readCursorKey();
  const { scope, principal, language } = context;
  const contextHash = hashCursorContext({ scope, principalId: principal.id, pageSize, language });
  const page =
    cursor === undefined
      ? await readFirstPage(context, { anchor: wantedAnchor, offset, pageSize }, dependencies)
      : findPage(context, { cursor, contextHash, key }, dependencies.snapshotStore);
  return toPage(page, pageSize, ({ offset: at, count }) => {
    const named: PageCursor = [page.snapshotId, contextHash, at, count];
    return formatCursor(named, context.operationId, key);
  });
}

function requireAnchor({ tenant }: ManagerContext, anchor: string): StatusAnchor {
  const parsed = parseAnchor(anchor, tenant.name);
  if (parsed === undefined)
    throw createFieldProblem('query.anchor', 'must be a kind and the KID of a unit: Offline:<unitKid>', 'invalid-page');
  return parsed;
}

/** Of each source. */
const snapshotLimit = 1000;

type FirstPageInput = {
  readonly anchor: StatusAnchor | undefined;
  readonly offset: number;
  readonly pageSize: number;
};

async function readFirstPage(
  context: ManagerContext,
  { anchor, offset, pageSize }: FirstPageInput,
  { statusReader, snapshotStore }: StatusPageDependencies,
): Promise<SnapshotPage> {
  const snapshot = await statusReader.read(context, snapshotLimit);
  const anchoredAt = snapshot.items.findIndex(({ kind, kid }) => kind === anchor?.kind && kid === anchor.unitKid);
  const range = firstRange(anchoredAt < 0 ? offset : anchoredAt, { totalCount: snapshot.items.length, pageSize });
  // No cursor leads to a snapshot of one page.
  const isWhole = range.count === snapshot.items.length;
  return { snapshotId: isWhole ? '' : snapshotStore.add(context, snapshot), snapshot, range };
}

type FindPageInput = { readonly cursor: string; readonly contextHash: string; readonly key: CursorKey };

/** The cursor shows whether the context has changed, so that even a replica without the snapshot knows it. */
function findPage(
  context: ManagerContext,
  { cursor, contextHash, key }: FindPageInput,
  snapshotStore: SnapshotStore,
): SnapshotPage {
  const parsed = parseCursor(cursor, context.operationId, key) as PageCursor | undefined;
  if (parsed === undefined)
    throw createFieldProblem('query.cursor', 'must be a cursor of an earlier page, unchanged', 'invalid-page');
  const [snapshotId, hashOfFirstPage, offset, count] = parsed;
  if (hashOfFirstPage !== contextHash) throw new Problem('status-context-changed');
  const snapshot = snapshotStore.find(context, snapshotId);
  if (snapshot === undefined) throw new Problem('status-snapshot-expired');
  return { snapshotId, snapshot, range: { offset, count } };
}

function toPage(
  { snapshot, range }: SnapshotPage,
  pageSize: number,
  formatRange: (range: SnapshotRange) => string,
): TenantStatusPage {
  const { items } = snapshot;
  const size = { totalCount: items.length, pageSize };
  const [before, after] = [rangeBefore(range, size), rangeAfter(range, size)];
  return {
    status: toTenantStatus(snapshot, items.slice(range.offset, range.offset + range.count)),
    offset: range.offset,
    totalCount: items.length,
    previousCursor: before === undefined ? null : formatRange(before),
    nextCursor: after === undefined ? null : formatRange(after),
  };
}
