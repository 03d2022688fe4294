// The failures of storage, as the rest of the service distinguishes them.

/** What an engine's error means. `rolled-back` is proven to have stored nothing and may be run again. */
export type StorageFailure =
  | 'rolled-back'
  | 'outcome-unknown'
  | 'duplicate'
  | 'timeout'
  | 'text-comparison'
  | 'unavailable'
  | 'defect';

/** A failure of storage that is not the request's fault. */
export class StorageError extends Error {
  readonly failure: Exclude<StorageFailure, 'duplicate' | 'defect'>;

  constructor(failure: StorageError['failure'], cause?: unknown) {
    super(`storage: ${failure}`, { cause });
    this.name = 'StorageError';
    this.failure = failure;
  }
}

/** The engine refused the COMMIT and rolled the transaction back: it is proven that nothing was stored. */
export class NotCommittedError extends Error {
  constructor(cause: unknown) {
    super('storage: not committed', { cause });
    this.name = 'NotCommittedError';
  }
}

/** A unique key refused the write, which is the expected answer where something is allowed only once. */
export class DuplicateError extends Error {
  constructor(cause: unknown) {
    super('storage: duplicate key', { cause });
    this.name = 'DuplicateError';
  }
}
