// What is wrong with a tenant's database, as the operator is told: which check failed, what was found, and what helps.

/** The checks, in the documents of the service: docs/operating.md, "Health". */
export type StorageCheck =
  | 'connection'
  | 'tls'
  | 'permissions'
  | 'integrity'
  | 'disk'
  | 'migrations'
  | 'database'
  | 'storage-settings';

export type Diagnosis = {
  /** `clock` is no check of storage, but of what is stored. */
  readonly check: StorageCheck | 'clock';
  /** What was found: part of a sentence, without the name of the database. */
  readonly problem: string;
  /** What to do about it: a sentence without its full stop. */
  readonly remedy: string;
};

export type FailedCheck = Diagnosis & {
  readonly tenant: string;
  /** The name of the file or schema. */
  readonly storage: string;
  /** The place of the file or schema; only logs and commands show it. */
  readonly location: string;
  /** More for the log, where the rest is not enough. */
  readonly cause?: unknown;
};

/** One line for a log or a terminal. */
export const formatFailedCheck = ({ tenant, location, check, problem, remedy }: FailedCheck): string =>
  `tenant ${tenant}, ${location}: ${check}: ${problem}. ${remedy}`;

/** The schema is not the one that this version of the service works with. */
export class SchemaError extends Error {
  override name = 'SchemaError';
  readonly diagnosis: Diagnosis;

  constructor(difference: SchemaDifference) {
    const diagnosis = diagnoseSchema(difference);
    super(diagnosis.problem);
    this.diagnosis = diagnosis;
  }
}

export type SchemaDifference = {
  /** The migrations that the database lacks. */
  readonly missing: readonly string[];
  /** The migrations of the database that this version does not know. */
  readonly unknown: readonly string[];
  /** A backup is being restored, or its restore was cut short. */
  readonly isRestoring: boolean;
  /** This process creates its demo data. */
  readonly isBeingFilled?: true;
};

function diagnoseSchema({ missing, unknown, isRestoring, isBeingFilled }: SchemaDifference): Diagnosis {
  if (isBeingFilled)
    return { check: 'migrations', problem: 'its demo data are being created', remedy: 'Wait until they are there' };
  if (isRestoring)
    return {
      check: 'migrations',
      problem: 'the restore of a backup has not finished',
      remedy: 'Wait for it, or run `restore` again',
    };
  if (unknown.length > 0)
    return {
      check: 'migrations',
      problem: `a newer version of the service has migrated it (${unknown.join(', ')})`,
      remedy: 'Run that version, or a later one',
    };
  return {
    check: 'migrations',
    problem: `it lacks the migrations from ${missing[0]} on`,
    remedy: 'Run `migrate`',
  };
}
