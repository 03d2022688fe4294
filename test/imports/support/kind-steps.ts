// Runs the steps of a kind as the import does: finds what there is under the locks, and applies or undoes rows.

import type { Db } from '../../../src/database/db.ts';
import type { TenantDatabase } from '../../../src/database/tenant-database.ts';
import { takeLocks } from '../../../src/database/locks.ts';
import type { AuditContext } from '../../../src/features/audit/rules/audit-context.ts';
import type {
  ApplicableRow,
  AppliedRow,
  ExportedRow,
  FoundRow,
  ImportKind,
  ImportTarget,
  KeyedRow,
  RowValues,
  UndoableRow,
  UndoneRow,
} from '../../../src/features/import-kinds/import-kind.ts';
import { answerEach } from '../../../src/features/import-kinds/rules/answers.ts';
import { findRows } from '../../support/import-kinds.ts';

const deadline = { deadlineMs: 60_000 };

type Found = NonNullable<FoundRow['current']>;

export type AppliedStep = {
  readonly row: KeyedRow;
  readonly action: UndoableRow['action'];
  readonly current: FoundRow['current'];
  readonly applied: AppliedRow;
};

export class KindSteps {
  /** Of the last transaction that applied rows. */
  statements = 0;
  readonly #kind: ImportKind;
  readonly #database: TenantDatabase;
  readonly #target: ImportTarget;
  readonly #actor: AuditContext;

  constructor(
    kind: ImportKind,
    { database, target, actor }: { database: TenantDatabase; target: ImportTarget; actor: AuditContext },
  ) {
    this.#kind = kind;
    this.#database = database;
    this.#target = target;
    this.#actor = actor;
  }

  /** Texts as a file has them -> rows. The objects of those that exist are named. */
  parse(texts: readonly (RowValues & { readonly kid?: string })[]): KeyedRow[] {
    return texts.map(({ kid = null, ...values }, at) => {
      const { values: parsed, errors } = this.#kind.parseRow(values, this.#target);
      if (errors.length > 0) throw new Error(errors.map(({ text }) => text).join(' '));
      return { position: at + 1, key: `k${at + 1}`, values: parsed, objectKid: kid };
    });
  }

  find(rows: readonly KeyedRow[]): Promise<readonly FoundRow[]> {
    return this.#database.read(deadline, (db) => findRows(db, this.#kind, this.#target, rows));
  }

  /** Throws where a row has an error. */
  apply(rows: readonly KeyedRow[], isMissing = false): Promise<AppliedStep[]> {
    return this.#database.write(deadline, async (db) => {
      this.statements = 0;
      countStatements(db, () => (this.statements += 1));
      await takeLocks(db, this.#kind.locks(this.#target));
      const found = await findRows(db, this.#kind, this.#target, rows);
      const errors = found.flatMap((each) => each.errors);
      if (errors.length > 0) throw new Error(errors.map(({ text }) => text).join(' '));
      const applicable = rows.map((row, at): ApplicableRow => {
        const { current } = found[at]!;
        if (current === null) return { ...row, current };
        const changed = Object.entries(row.values).filter(([field, value]) => value !== current.values[field]);
        return { ...row, values: isMissing ? { state: 'disabled' } : Object.fromEntries(changed), current };
      });
      const applied = [
        ...answerEach(applicable, await this.#kind.apply(db, this.#actor, this.#target, applicable)).values(),
      ];
      return applicable.map((row, at) => {
        const action = row.current === null ? 'create' : 'update';
        return { row, action, current: row.current, applied: applied[at]! };
      });
    });
  }

  /** The last row first. */
  undo(steps: readonly AppliedStep[]): Promise<readonly UndoneRow[]> {
    return this.#database.write(deadline, async (db) => {
      await takeLocks(db, this.#kind.locks(this.#target));
      const rows = steps.toReversed();
      const kids = rows.map(({ applied }) => ('objectKid' in applied ? applied.objectKid : ''));
      const found = await findRows(
        db,
        this.#kind,
        this.#target,
        rows.map(({ row }, at) => ({ ...row, values: {}, objectKid: kids[at]! })),
      );
      const undoable = rows.map(({ row, action, current }, at): UndoableRow => ({
        position: row.position,
        objectKid: kids[at]!,
        action,
        before: action === 'update' ? pickBefore(row, current!) : {},
        current: found[at]!.current!,
      }));
      return [...answerEach(undoable, await this.#kind.undo(db, this.#actor, this.#target, undoable)).values()];
    });
  }

  export(): Promise<ExportedRow[]> {
    return this.#database.read(deadline, async (db) => {
      const all: ExportedRow[] = [];
      for await (const rows of this.#kind.exportRows(db, this.#target)) all.push(...rows);
      return all;
    });
  }
}

const pickBefore = ({ values }: KeyedRow, current: Found): RowValues =>
  Object.fromEntries(
    Object.keys(values)
      .filter((field) => values[field] !== current.values[field])
      .map((field) => [field, current.values[field] ?? '']),
  );

function countStatements(db: Db, count: () => void): void {
  const executor = db.getExecutor();
  const executeQuery = executor.executeQuery.bind(executor);
  executor.executeQuery = (query, ...rest) => {
    count();
    return executeQuery(query, ...rest);
  };
  // Prepared statements bypass the executor.
  const { execute } = db;
  Object.assign(db, {
    execute: (text: string, parameters: readonly unknown[]) => {
      count();
      return execute(text, parameters);
    },
  });
}
