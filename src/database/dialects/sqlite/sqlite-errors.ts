// The errors of a SQLite thread.

/**
 * An error of SQLite; `errcode` is its extended result code. A refused statement was not carried out, since the error had
 * ended the transaction before it.
 */
export class SqliteError extends Error {
  readonly errcode: number | undefined;
  readonly isRefused: boolean;

  constructor(message: string, errcode: number | undefined, isRefused = false) {
    super(message);
    this.name = 'SqliteError';
    this.errcode = errcode;
    this.isRefused = isRefused;
  }
}

/** The thread ended with statements unanswered: what they did is not known. */
export class SqliteThreadEndedError extends Error {
  override name = 'SqliteThreadEnded';
}
