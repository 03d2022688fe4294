// What the import has to know of a kind of object: its columns, how a row is read, what there is of it now, and how it is
// created, changed and taken back. A kind decides with the rules of the operations on the same objects.

import type { Db, LockableDb } from '../../database/db.ts';
import type { Lock } from '../../database/locks.ts';
import type { OperationAccess } from '../../http/operations/operation.ts';
import type { FieldResult } from '../../lib/values/field-values.ts';
import type { WholeGrantedBank, WholeTenant } from '../../permissions/coverage.ts';
import type { Tenant } from '../../tenants.ts';
import type { AuditContext } from '../audit/rules/audit-context.ts';
import type { ImportKindName } from './rules/kind-names.ts';

/** The texts of a row by their fields, in the spelling of the kind. Amounts are whole numbers of minor units. */
export type RowValues = Readonly<Record<string, string>>;

/** The field of the key, which every kind has. A row without other changes gives its object a key by it. */
export const keyField = 'key';

/** The field of kinds whose objects can be deactivated, and its values for those that are and those that are not. */
export const stateField = 'state';
export const activeState = 'active';
export const disabledState = 'disabled';

export type RowError = { readonly field: string; readonly code: string; readonly text: string };

/** The canonical spelling of a text, or why it is invalid. An empty text is what the field is where nothing is given. */
export type FieldParser = (text: string, target: ImportTarget) => FieldResult;

/** A field of a kind: its column in files, how it is read, and how an object has it. */
export type Field<Subject = never> = {
  /** One sentence, for the documentation. */
  readonly description: string;
  /** For the template. Plainly made up. */
  readonly example: string;
  readonly isRequired?: true;
  /** An object keeps the value that it has. */
  readonly isFixed?: true;
  /** The column names an object of this kind by its key of the same source, its KID, or its name. */
  readonly references?: ImportKindName;
  /** What an export has in other columns where the object that the column names is deleted. */
  readonly whenGone?: RowValues;
  /**
   * The column lists banks and locations, with spaces between them. Parses their KIDs, as which the names of the file are
   * found.
   */
  readonly parsePlaces?: FieldParser;
  /** Is read as an amount with this many decimals, or those of the row's currency, with a decimal comma or point. */
  readonly decimals?: number | 'currency';
  /** Says of a row, by its other fields, that a number of a profile is an amount in minor units. */
  readonly scaleOf?: (textOf: (field: string) => string) => 'currency' | undefined;
  /** A text of a field without a parser stays as it is, but must not be empty where the field is required. */
  readonly parse?: FieldParser;
  /** How an object has the field now. Kinds whose exports have millions of rows write all fields at once instead. */
  readonly write?: (subject: Subject, target: ImportTarget) => string;
};

/** The fields of a kind by their names, in the order of the columns. */
export type FieldTable<Subject = never> = Readonly<Record<string, Field<Subject>>>;

export type ImportColumn = Field & { readonly field: string };

/** Whose data is imported. */
export type ImportTarget = {
  readonly tenant: Tenant;
  /** The bank of a kind that belongs to banks. */
  readonly bank: WholeGrantedBank;
  /** The whole tenant, of a kind that belongs to none. */
  readonly wholeTenant: WholeTenant;
  /** Whether the addresses of disabled locations are shown. */
  readonly showsDisabled: boolean;
  /** Whose identities are shown. An operator, who moves a tenant, has no viewer, and gets everything. */
  readonly viewer?: Viewer;
  /** MS2000: when the request or the work began. */
  readonly now: number;
};

/** The fields of a row in their one spelling, before it is known what there is of its object. */
export type ParsedFields = { readonly values: RowValues; readonly errors: readonly RowError[] };

/** A row whose references are KIDs. */
export type KeyedRow = {
  /** The place of the row in the import, from 1: tells it apart from all others. */
  readonly position: number;
  /** The key of the object in its source. */
  readonly key: string;
  /** Only the columns that the file has. */
  readonly values: RowValues;
  /** The object that has this key, or that the row names; null if there is none yet. */
  readonly objectKid: string | null;
};

/** What there is of a row's object now, and what keeps the row from being applied. */
export type FoundRow = {
  /** Null if there is no such object, and it would be created. */
  readonly current: {
    /** All fields of the kind. */
    readonly values: RowValues;
    /** Changes with every change of the object. */
    readonly revision: string;
    /** The object, of kinds whose rows name theirs by their fields where its key does not. */
    readonly objectKid?: string;
  } | null;
  readonly errors: readonly RowError[];
  /** Fields that change with those of the row. */
  readonly implied?: RowValues;
  /** What only one row of a file can have, such as an email address: `email:anna@example.com`. */
  readonly claims: readonly string[];
};

/** Has all values of an object that is created, and those of another that are to change. */
export type ApplicableRow = KeyedRow & {
  /** What there is now; null for one that is created. */
  readonly current: FoundRow['current'];
};

export type AppliedRow =
  /** With the revision that the object has now. What replaces another object has another KID. */
  | { readonly objectKid: string; readonly revision: string }
  /** Nothing of the row is stored. */
  | { readonly errors: readonly RowError[] };

export type UndoableRow = {
  readonly position: number;
  readonly objectKid: string;
  /** What the import did. */
  readonly action: 'create' | 'update';
  /** The fields that it changed, with their values before. */
  readonly before: RowValues;
  readonly current: NonNullable<FoundRow['current']>;
};

export type UndoneRow =
  | {
      /** The revision of the object afterwards; null if it is gone. */
      readonly revision: string | null;
      /** If it has another KID again, as it had before. */
      readonly objectKid?: string;
    }
  | { readonly errors: readonly RowError[] };

/** What a step of a kind says of its rows: it is asked once for each of them, in their order. */
export type Answers<Row, Answer> = (row: Row) => Answer;

/** The manager or service that sees what there is of the rows, or an export. */
type Viewer = {
  /** The manager's own retention of identities in days, which replaces that of the tenant if it is positive. */
  readonly retentionDays: number;
};

export type ExportedRow = {
  readonly objectKid: string;
  /** Nobody else has them: keys take the place of KIDs in them, since a copy of each row would take a tenth of the time. */
  readonly values: Record<string, string>;
};

export type ImportKind = {
  readonly name: ImportKindName;
  /** A kind of a bank's data needs `bankKid`. */
  readonly belongsTo: 'bank' | 'tenant';
  /** What an import needs: to plan, to apply and to undo it. */
  readonly access: OperationAccess;
  /** What an export needs. */
  readonly readAccess: OperationAccess;
  /** The columns after `key` and `kid`, which every kind has first. */
  readonly columns: readonly ImportColumn[];
  /** Of kinds whose objects belong to residents: what is left out where the viewer does not see whose they are. */
  readonly identity?: KindIdentity;
  /** Columns that show of disabled objects only what managers of the whole tenant see. */
  readonly columnsOfEnabled?: readonly string[];
  /** What cannot be changed once it is there, such as a posting, has no updates: another value is an error. */
  readonly isAppendOnly?: true;
  /** What the key of a row is where the file has none: of objects that their fields name. Empty: a key is needed. */
  defaultKey?(values: RowValues): string;
  /** The fields in the spelling of the kind, and what is wrong with them. Pure. Absent columns are no fields. */
  parseRow(values: RowValues, target: ImportTarget): ParsedFields;
  /**
   * What there is of each row. Runs while a plan is made, and again under the locks before rows are applied. One statement
   * for many rows, not one for each.
   */
  findCurrent(db: Db, target: ImportTarget, rows: readonly KeyedRow[]): Promise<Answers<KeyedRow, FoundRow>>;
  /** The KIDs of objects by their names, for references; a name that several have is left out. */
  findByNames?(db: Db, target: ImportTarget, names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * The locks of `apply` and `undo`, which are taken before anything is read. `objectKids` are the objects that the import
   * changes.
   */
  locks(target: ImportTarget, objectKids?: readonly string[]): readonly Lock[];
  /** The locks depend on the objects. */
  readonly locksObjects?: true;
  /**
   * Stores the rows, in their order, with history, audit entries and records for devices, as the operations do. All of them
   * have passed `findCurrent` under the locks. Returns what became of each.
   */
  apply(
    db: LockableDb,
    actor: AuditContext,
    target: ImportTarget,
    rows: readonly ApplicableRow[],
  ): Promise<Answers<ApplicableRow, AppliedRow>>;
  /** Takes rows back, in the order given (the last first). Nobody has changed their objects since. */
  undo(
    db: LockableDb,
    actor: AuditContext,
    target: ImportTarget,
    rows: readonly UndoableRow[],
  ): Promise<Answers<UndoableRow, UndoneRow>>;
  /** Objects that a full file no longer has can be deactivated: their `state` is `active`, and becomes `disabled`. */
  readonly isDeactivatable?: true;
  /** The field that is empty in the rows of those who are there, so that whoever an earlier file lacked is active again. */
  readonly absenceField?: string;
  /** How many rows are applied or undone in one transaction; fewer where each costs more than an insert. */
  readonly batchRows?: number;
  /**
   * All objects, in the order of their ids, in batches. The fields are those of the columns.
   */
  exportRows(db: Db, target: ImportTarget): AsyncIterable<readonly ExportedRow[]>;
};

type KindIdentity = {
  /** Fields that tell whose an object is. */
  readonly fields: readonly string[];
  /** The field of the time that the retention counts from. */
  readonly timeField: string;
  /** Those of the objects whose identity the viewer of the target does not see. */
  listHidden(db: Db, target: ImportTarget, objectKids: readonly string[]): Promise<readonly string[]>;
};
