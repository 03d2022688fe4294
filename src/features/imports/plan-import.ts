// Makes the plan of an import while its file arrives: reads the rows, finds what there is of each, decides what would be
// done with it, and stores that. Nothing else is changed.

import { createHash } from 'node:crypto';
import type { Db, LockableDb } from '../../database/db.ts';
import { takeLocks, type Lock } from '../../database/locks.ts';
import type { TenantDatabase } from '../../database/tenant-database.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import { readTable, type SourceTable, type TableOptions } from '../import-profiles/formats/read-table.ts';
import { UnreadableFile, type SourceRow } from '../import-profiles/formats/source-row.ts';
import { activeState, disabledState, stateField, type FoundRow } from '../import-kinds/import-kind.ts';
import { fieldError } from '../import-kinds/rules/parse-fields.ts';
import { runStep } from '../import-kinds/rules/answers.ts';
import { findKeysOfObjects, listMissingKeys } from './queries/import-keys.ts';
import {
  deleteClaims,
  findClaims,
  insertClaims,
  insertPlanRows,
  listDeactivations,
  type Claim,
} from './queries/import-rows.ts';
import { importLock, updateImport, type StoredImport } from './queries/imports.ts';
import { keySpaceOf, resolveRows, type Source } from './resolve-rows.ts';
import { ownerLock, ownerOf, recordImport } from './record-import.ts';
import { readCurrency } from './read-currency.ts';
import { createDefaultProfile } from '../import-profiles/rules/default-profile.ts';
import { planLeaseMs, type ImportState, type MissingAction, type RowAction } from './rules/import-states.ts';
import { decideRow, refuseRow, type ResolvedRow, type DecidedRow } from './rules/decide-row.ts';
import { createRowReader, type ParsedRow } from './rules/parse-row.ts';

type PlanInput = Source & {
  readonly database: TenantDatabase;
  readonly importId: number;
  readonly options: TableOptions;
  readonly missing: MissingAction;
  readonly actor: AuditContext;
  readonly file: AsyncIterable<Uint8Array>;
};

/** Rows of the file that are read, planned and stored together. */
const batchRows = 500;
const deadlineMs = 30_000;

/**
 * A file that cannot be read ends in the state `failed`. If the file breaks off or storage fails, so does the plan, and
 * the error is thrown.
 */
export async function planImport(input: PlanInput): Promise<void> {
  const hashed = hashFile(input.file);
  try {
    await planFile(input, hashed);
  } catch (error) {
    if (error instanceof PlanCancelled) return;
    const isUnreadable = error instanceof UnreadableFile;
    const failure = isUnreadable
      ? { code: error.code, text: error.message, line: error.line }
      : { code: 'interrupted', text: 'The file did not arrive, or could not be stored, to its end.', line: 0 };
    await changePlan(input, async (db) => {
      await deleteClaims(db, input.importId);
      return { state: 'failed', failure: JSON.stringify(failure), lease_until: null };
    }).catch((failed: unknown) => {
      // The first error says more: the plan may have been stored although its COMMIT was not answered. One that stays is
      // found when its lease has ended.
      if (isUnreadable && !(failed instanceof PlanCancelled)) throw failed;
    });
    if (!isUnreadable) throw error;
  }
}

async function planFile(input: PlanInput, hashed: HashedFile): Promise<void> {
  const { kind, options, target } = input;
  const table = await readTable(hashed.blocks(), options);
  const { fields: columns, ignoredColumns, profileOf, currency } = await openProfile(input, table);
  const readRow = createRowReader({ kind, profileOf, currency }, target);
  await changePlan(input, () => ({ detected: JSON.stringify({ ...table.detected, columns, ignoredColumns }) }));
  let position = 0;
  for await (const batch of inBatches(table.rows)) {
    const rows = batch.map((row) => readRow(row, (position += 1)));
    await planBatch(input, rows);
  }
  if (input.missing === 'deactivate') await planMissing(input, position);
  const { hash: file_hash, bytes: file_bytes } = hashed;
  await changePlan(
    input,
    async (db) => {
      await deleteClaims(db, input.importId);
      await recordImport(db, input.actor, input, { state: 'planned', fileHash: file_hash, fileBytes: file_bytes });
      return { state: 'planned', file_hash, file_bytes, lease_until: null, changed_at: input.actor.readClock() };
    },
    [ownerLock(ownerOf(input))],
  );
}

/** How rows are read: by the profile that was asked for, or by the names of the columns. */
async function openProfile(
  { database, kind, target, options: { profile } }: PlanInput,
  { detected: { format }, header }: Pick<SourceTable, 'detected' | 'header'>,
) {
  const currency = await database.read({ deadlineMs }, (db) => readCurrency(db, { kind, target }));
  if (profile !== undefined)
    return {
      fields: profile.columns.flatMap(({ field }) => field ?? []),
      ignoredColumns: [],
      profileOf: () => profile,
      currency,
    };
  const byName = createDefaultProfile(kind, { format, header, currency });
  if (byName.fields.length === 0)
    throw new UnreadableFile('no-known-column', 1, 'The header names no field: the profile of the file is missing.');
  return { ...byName, currency };
}

type HashedFile = { readonly hash: string; readonly bytes: number; blocks(): AsyncGenerator<Uint8Array> };

/** The hash and the length are known when all blocks have been read. */
function hashFile(file: AsyncIterable<Uint8Array>): HashedFile {
  const hash = createHash('sha256');
  let digest: string | undefined;
  let bytes = 0;
  return {
    get hash() {
      return (digest ??= hash.digest('hex'));
    },
    get bytes() {
      return bytes;
    },
    blocks: async function* blocks() {
      for await (const block of file) {
        hash.update(block);
        bytes += block.length;
        yield block;
      }
    },
  };
}

async function* inBatches(rows: AsyncIterable<SourceRow>): AsyncGenerator<SourceRow[]> {
  let batch: SourceRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < batchRows) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function planBatch(input: PlanInput, rows: readonly ParsedRow[]): Promise<void> {
  const { decided, claims } = await input.database.read({ deadlineMs }, (db) => decideRows(db, input, rows));
  await storeRows(input, decided, claims);
}

type DecidedRows = { readonly decided: readonly DecidedRow[]; readonly claims: readonly Claim[] };

async function decideRows(db: Db, input: PlanInput, rows: readonly ParsedRow[]): Promise<DecidedRows> {
  const { kind, target, importId } = input;
  const resolved = await resolveRows(db, input, rows);
  const readable = resolved.filter(({ errors }) => errors.length === 0);
  const foundByRow = await runStep(readable, (known) => kind.findCurrent(db, target, known));
  const keysOfFound = await findKeysOfObjects(
    db,
    keySpaceOf(input),
    [...foundByRow.values()].flatMap(({ current }) => current?.objectKid ?? []),
  );
  const claimsByRow = new Map(resolved.map((row) => [row, row.key === '' ? [] : [`key:${row.key}`]]));
  for (const [row, { errors, claims }] of foundByRow) if (errors.length === 0) claimsByRow.get(row)?.push(...claims);
  const returning = await findReturning(db, input, foundByRow);
  const taken = new Map(await findClaims(db, importId, [...claimsByRow.values()].flat()));
  const claims: Claim[] = [];
  const decided = resolved.map((row) => {
    const own = claimsByRow.get(row) ?? [];
    const repeated = own.find((claim) => taken.has(claim));
    if (repeated !== undefined) return refuseRow(row, [...row.errors, createRepeatError(repeated)]);
    for (const claim of own) {
      taken.set(claim, row.position);
      claims.push({ claim, position: row.position });
    }
    const current = foundByRow.get(row);
    if (current === undefined) return refuseRow(row, row.errors);
    const named = nameObject(row, current, keysOfFound);
    return decideRow(
      kind,
      returning.has(row) ? { ...named, values: { ...named.values, [stateField]: activeState } } : named,
      current,
    );
  });
  return { decided, claims };
}

/** A key that only looks like a KID, or whose object is gone, names none; an object that the fields name keeps its key. */
function nameObject(row: ResolvedRow, { current }: FoundRow, keysOfFound: ReadonlyMap<string, string>): ResolvedRow {
  if (current === null) return { ...row, objectKid: null };
  const { objectKid = row.objectKid } = current;
  const hasOwnKey = row.hasKey && objectKid === row.objectKid;
  return { ...row, objectKid, hasKey: hasOwnKey || keysOfFound.has(objectKid ?? '') };
}

/** Rows of objects that an earlier full file lacked, or said to have moved out, and that nobody has changed since. */
async function findReturning(
  db: Db,
  input: PlanInput,
  foundByRow: ReadonlyMap<ResolvedRow, FoundRow>,
): Promise<ReadonlySet<ResolvedRow>> {
  const { absenceField } = input.kind;
  const isThere = ({ values }: ResolvedRow): boolean => absenceField !== undefined && values[absenceField] === '';
  const inactive = [...foundByRow].filter(
    ([row, { current }]) =>
      (input.missing === 'deactivate' || isThere(row)) &&
      row.values[stateField] === undefined &&
      current?.values[stateField] === disabledState,
  );
  const kids = inactive.flatMap(([{ objectKid }]) => objectKid ?? []);
  const deactivations = await listDeactivations(db, keySpaceOf(input), kids);
  const returning = inactive.filter(([row, { current }]) =>
    deactivations.some(
      ({ objectKid, revision, wasMissing }) =>
        objectKid === row.objectKid && revision === current?.revision && (wasMissing || isThere(row)),
    ),
  );
  return new Set(returning.map(([row]) => row));
}

function createRepeatError(claim: string) {
  const index = claim.indexOf(':');
  const value = JSON.stringify(claim.slice(index + 1));
  return fieldError(claim.slice(0, index), 'repeated', `${value} stands in an earlier row of the file as well`);
}

const countColumns = {
  create: 'creates',
  update: 'updates',
  unchanged: 'unchanged',
  missing: 'missing',
  refused: 'refused',
} as const satisfies Record<RowAction, keyof StoredImport>;

const storeRows = (input: PlanInput, decided: readonly DecidedRow[], claims: readonly Claim[]): Promise<void> =>
  changePlan(input, async (db, row) => {
    await insertPlanRows(db, input.importId, decided);
    await insertClaims(db, input.importId, claims);
    const counts = { ...row };
    for (const { action } of decided) counts[countColumns[action]] += 1;
    const { creates, updates, unchanged, missing, refused } = counts;
    return { creates, updates, unchanged, missing, refused };
  });

/** Objects that had a key of this source, and that the file no longer has. */
async function planMissing(input: PlanInput, lastPosition: number): Promise<void> {
  const { database, kind, target, importId } = input;
  const space = keySpaceOf(input);
  let position = lastPosition;
  let afterKey = '';
  for (;;) {
    const page = { importId, afterKey, limit: batchRows };
    const found = await database.read({ deadlineMs }, async (db) => {
      const listed = await listMissingKeys(db, space, page);
      const rows = listed.map((keyed, index) => ({ ...keyed, position: index, values: {} }));
      return runStep(rows, (known) => kind.findCurrent(db, target, known));
    });
    if (found.size === 0) return;
    const missing = [...found].flatMap(([{ key, objectKid }, { current }]): DecidedRow[] => {
      afterKey = key;
      if (current?.values[stateField] !== activeState) return [];
      const changes = [{ field: stateField, before: activeState, after: disabledState }];
      const { revision } = current;
      position += 1;
      return [{ position, line: 0, key, action: 'missing', objectKid, revision, values: {}, changes, errors: [] }];
    });
    if (missing.length > 0) await storeRows(input, missing, []);
  }
}

/** Somebody has cancelled the import while its file arrived. */
class PlanCancelled extends Error {}

/** Changes the import in a transaction of its own, as long as it is still being planned. */
async function changePlan(
  { database, importId, actor }: Pick<PlanInput, 'database' | 'importId' | 'actor'>,
  change: (db: LockableDb, row: StoredImport) => Partial<StoredImport> | Promise<Partial<StoredImport>>,
  locks: readonly Lock[] = [],
): Promise<void> {
  await database.write({ deadlineMs }, async (db) => {
    const [row] = await takeLocks(db, [importLock(importId), ...locks]);
    if (row?.state !== ('planning' satisfies ImportState))
      throw new PlanCancelled('the import is no longer being planned');
    await updateImport(db, importId, { lease_until: actor.readClock() + planLeaseMs, ...(await change(db, row)) });
  });
}
