// Calls the service's operations by their ids, with the session's token and the reader's language.

import type { EarlyAnswers } from './early-answers.ts';
import type { addresses, Operations, Problem as ProblemBody } from './operations.ts';
import { Problem, toProblem } from './problem.ts';
import { readJson } from './read-json.ts';
import { requestOf, type SendOptions, type Values } from './request.ts';

export type OperationId = keyof Operations;
export type Input<Id extends OperationId> = Operations[Id]['input'];
export type Answer<Id extends OperationId> = Operations[Id]['answer'];

/** Operations that change nothing: their answers may be kept and asked for again. */
export type ReadId = { [Id in OperationId]: (typeof addresses)[Id] extends `GET ${string}` ? Id : never }[OperationId];

/** Operations that may change something. */
export type WriteId = Exclude<OperationId, ReadId>;
export type Body<Id extends OperationId> = Operations[Id]['body'];

type ClientOptions = {
  readonly token: () => string | undefined;
  readonly language: () => string;
  readonly early: Pick<EarlyAnswers, 'take'>;
  /** The service no longer knows the token that was sent. */
  readonly onUnauthenticated: (token: string) => void;
};

type CallOptions<Id extends OperationId> = {
  readonly body?: Body<Id> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Idempotency-Key: a write that is sent again with the same key is done once. */
  readonly key?: string | undefined;
};

export type Download = { readonly blob: Blob; readonly fileName: string };

export type Client = {
  call<Id extends OperationId>(id: Id, input: Input<Id>, options?: CallOptions<Id>): Promise<Answer<Id>>;
  /** A file, under the name that the service gives it. */
  download<Id extends ReadId>(id: Id, input: Input<Id>): Promise<Download>;
};

export function createClient({ token, language, early, onUnauthenticated }: ClientOptions): Client {
  async function send(id: OperationId, input: Values, options: SendOptions = {}): Promise<Response> {
    const reader = { token: token(), language: language() };
    const { url, init } = requestOf(id, input, reader, options);
    const isRead = init.method === 'GET';
    let response: Response;
    try {
      response = await ((isRead ? early.take(url, reader) : undefined) ?? fetch(url, init));
    } catch (error) {
      // A read that is no longer wanted; a write that took too long may have been done.
      if (options.signal?.aborted === true && isRead) throw error;
      throw toProblem(error, 'unreachable');
    }
    if (response.ok) return response;
    if (response.status === 401 && reader.token !== undefined) onUnauthenticated(reader.token);
    throw await readProblem(response);
  }

  return {
    async call(id, input, options) {
      const response = await send(id, input, options);
      return (await readAnswer(response)) as Answer<typeof id>;
    },
    async download(id, input) {
      const response = await send(id, input);
      return { blob: await response.blob(), fileName: fileNameOf(response) };
    },
  };
}

const isJson = (response: Response): boolean => /\bjson\b/.test(response.headers.get('content-type') ?? '');

async function readAnswer(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  return isJson(response) ? readBody(response) : response.blob();
}

async function readBody(response: Response): Promise<unknown> {
  try {
    return readJson(await response.text());
  } catch (error) {
    throw new Problem(0, { code: 'unreadable', detail: String(error) }, response.headers.get('x-request-id'), error);
  }
}

async function readProblem(response: Response): Promise<Problem> {
  // A 401, or what a proxy answers, may have no body of ours.
  const body = isJson(response) ? await response.json().catch(() => ({})) : {};
  return new Problem(response.status, body as Partial<ProblemBody>, response.headers.get('x-request-id'));
}

/** RFC 6266: the extended name goes first. */
function fileNameOf(response: Response): string {
  const header = response.headers.get('content-disposition') ?? '';
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  if (extended !== undefined) return decodeURIComponent(extended);
  return /filename="?([^";]+)"?/i.exec(header)?.[1] ?? 'download';
}
