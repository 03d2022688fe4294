// GetTenantStatusPage: shows the tenant status page by page. The first page reads a snapshot; a cursor leads to another
// page of the same snapshot.

import type { Static } from 'typebox';
import type { Logger } from 'pino';
import { StorageError } from '../../../database/errors.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatCursor, parseCursor, type CursorKey } from '../../../http/pagination/cursor.ts';
import { createFieldProblem } from '../../../lib/values/field-problem.ts';
import { Problem } from '../../../lib/problem.ts';
import type { StatusReader, StatusReading } from '../read-status.ts';
import {
  parseAnchor,
  hashCursorContext,
  firstRange,
  rangeAfter,
  rangeBefore,
  type StatusAnchor,
  type PageCursor,
  type SnapshotRange,
} from '../rules/page-cursor.ts';
import { findStoredSnapshot, storeSnapshot } from '../queries/snapshots.ts';
import { toTenantStatus } from '../answers.ts';
import type { TenantStatusPage, TenantStatusPageQuery } from '../schemas.ts';
import type { SnapshotStore } from '../process/snapshot-store.ts';

type StatusPageDependencies = {
  readonly statusReader: StatusReader;
  readonly snapshotStore: SnapshotStore;
  readonly log: Logger;
};

/** A page of a snapshot, before it is formatted. */
type SnapshotPage = { readonly snapshotId: string; readonly snapshot: StatusReading; readonly range: SnapshotRange };

export async function getTenantStatusPage(
  context: ManagerContext,
  input: Static<typeof TenantStatusPageQuery>,
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
      : await findPage(context, { cursor, contextHash, key }, dependencies.snapshotStore);
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

/** A snapshot has at most so many rows of each source. */
const snapshotLimit = 1000;

type FirstPageInput = { readonly anchor: StatusAnchor | undefined; readonly offset: number; readonly pageSize: number };

async function readFirstPage(
  context: ManagerContext,
  { anchor, offset, pageSize }: FirstPageInput,
  { statusReader, snapshotStore, log }: StatusPageDependencies,
): Promise<SnapshotPage> {
  const snapshot = await statusReader.read(context, snapshotLimit);
  const anchoredAt = snapshot.items.findIndex(({ kind, kid }) => kind === anchor?.kind && kid === anchor.unitKid);
  const range = firstRange(anchoredAt < 0 ? offset : anchoredAt, { totalCount: snapshot.items.length, pageSize });
  // No cursor leads to a snapshot of one page.
  const isWhole = range.count === snapshot.items.length;
  return { snapshotId: isWhole ? '' : await addSnapshot(context, snapshot, { snapshotStore, log }), snapshot, range };
}

/** Whoever looks for what is wrong does not wait for somebody who writes for long. */
const storingMs = 1000;

/** Stored before any cursor is sent, so that every replica finds it. */
async function addSnapshot(
  context: ManagerContext,
  snapshot: StatusReading,
  { snapshotStore, log }: Pick<StatusPageDependencies, 'snapshotStore' | 'log'>,
): Promise<string> {
  const { id, dropped } = snapshotStore.add(context, snapshot);
  try {
    await context.writeBesideReads((db) => storeSnapshot(db, context, { id, snapshot, dropped }), storingMs);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    // What is wrong must be visible even where nothing can be written: this process has the snapshot.
    log.warn({ err: error, tenant: context.tenant.name }, 'a snapshot of the tenant status was not stored');
  }
  return id;
}

/** The cursor shows whether the context has changed, so that even a replica without the snapshot knows it. */
async function findPage(
  context: ManagerContext,
  { cursor, contextHash, key }: { readonly cursor: string; readonly contextHash: string; readonly key: CursorKey },
  snapshotStore: SnapshotStore,
): Promise<SnapshotPage> {
  const parsed = parseCursor(cursor, context.operationId, key) as PageCursor | undefined;
  if (parsed === undefined)
    throw createFieldProblem('query.cursor', 'must be a cursor of an earlier page, unchanged', 'invalid-page');
  const [snapshotId, hashOfFirstPage, offset, count] = parsed;
  if (hashOfFirstPage !== contextHash) throw new Problem('status-context-changed');
  const snapshot = snapshotStore.find(context, snapshotId) ?? (await readStored(context, snapshotId, snapshotStore));
  if (snapshot === undefined) throw new Problem('status-snapshot-expired');
  return { snapshotId, snapshot, range: { offset, count } };
}

/** One that another replica has read. */
async function readStored(
  context: ManagerContext,
  snapshotId: string,
  snapshotStore: SnapshotStore,
): Promise<StatusReading | undefined> {
  const snapshot = await context.read((db) => findStoredSnapshot(db, context, snapshotId));
  if (snapshot !== undefined) snapshotStore.keep(context, snapshotId, snapshot);
  return snapshot;
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
