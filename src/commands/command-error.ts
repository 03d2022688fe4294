// The error of a command that cannot do its work, with a message for the operator.

export class CommandError extends Error {
  override name = 'CommandError';
  /** 2: the input is wrong; 1: the command failed. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}
