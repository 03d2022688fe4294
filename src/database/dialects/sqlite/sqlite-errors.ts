// The errors of a SQLite thread.

/** An error of SQLite; `errcode` is its extended result code. */
export class SqliteError extends Error {
  readonly errcode: number | undefined;

  constructor(message: string, errcode: number | undefined) {
    super(message);
    this.name = 'SqliteError';
    this.errcode = errcode;
  }
}

/** The thread ended with statements unanswered: what they did is not known. */
export class SqliteThreadEndedError extends Error {
  override name = 'SqliteThreadEnded';
}
