// A command that cannot do its work, in words for the operator.

export class CommandError extends Error {
  override name = 'CommandError';
  /** 2: something wrong was asked for; 1: it was asked for rightly, and failed. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}
