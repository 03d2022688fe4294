// What an operation answers in place of success, as an error that screens can show.

import type { Problem as ProblemBody } from './operations.ts';

/** Codes of our own, where there was no answer of the service. */
export type LocalCode = 'unreachable' | 'unreadable';

export class Problem extends Error {
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  readonly code: string;
  /** Which of the documented reasons; mostly of a missing right. */
  readonly reason: string | undefined;
  /** What the operator of the portal finds the request by. */
  readonly requestId: string | undefined;
  readonly errors: ProblemBody['errors'];

  constructor(status: number, body: Partial<ProblemBody>, requestId?: string | null, cause?: unknown) {
    super(body.detail ?? body.title ?? body.code ?? `status ${status}`, { cause });
    this.name = 'Problem';
    this.status = status;
    this.code = body.code ?? '';
    this.reason = body.reason;
    this.requestId = requestId ?? undefined;
    this.errors = body.errors;
  }
}

/** Any error as a problem: what is no problem already is a defect of the console or of the connection. */
export const toProblem = (error: unknown, code: LocalCode = 'unreadable'): Problem =>
  error instanceof Problem ? error : new Problem(0, { code, detail: String(error) }, undefined, error);
