// Finds answers that public operations know already, as finished texts: requests for them need no framework.

import type { IncomingMessage } from 'node:http';
import type { Compressor } from './compression/compressor.ts';
import type { TenantHost } from './context/tenancy.ts';
import type { Operation } from './operation.ts';
import type { PreparedJson } from './prepared-json.ts';
import { toRouterPath } from './router-path.ts';
import type { FinishedAnswer } from './send-finished.ts';
import { defaultJsonType, negotiateJsonType } from './send-result.ts';

export type KnownAnswers = {
  /** Whether the target is that of an operation which may know its answer. */
  mayKnow(target: string): boolean;
  /** Undefined where the answer is not known, or the request asks for another form of it. */
  find(tenantHost: TenantHost, request: IncomingMessage): FinishedAnswer | undefined;
};

type KnownAnswersOptions = {
  readonly operations: readonly Operation[];
  readonly compressor: Compressor;
  /** Names and values, in turns, of the header fields that every answer has. */
  readonly commonHeaders: readonly string[];
  /** The Vary field, in the same form. */
  readonly varyField: readonly string[];
};

export function createKnownAnswers({
  operations,
  compressor,
  commonHeaders,
  varyField,
}: KnownAnswersOptions): KnownAnswers {
  const operationsByTarget = new Map(
    operations.flatMap((operation) => ('knownAnswer' in operation ? [[operation.path, operation] as const] : [])),
  );
  const finished = new WeakMap<PreparedJson, FinishedAnswer>();
  const finish = ({ text }: PreparedJson, { path, id }: Operation): FinishedAnswer => ({
    body: text,
    ...(Buffer.byteLength(text) === text.length ? { encoding: 'latin1' } : {}),
    fields: [
      ...commonHeaders,
      'cache-control',
      'no-store',
      ...varyField,
      'content-type',
      defaultJsonType,
      'content-length',
      String(Buffer.byteLength(text)),
    ],
    route: toRouterPath(path),
    operationId: id,
  });
  return {
    mayKnow: (target) => operationsByTarget.has(target),
    find: (tenantHost, { url = '', headers }) => {
      const operation = operationsByTarget.get(url);
      const answer = operation?.knownAnswer?.(tenantHost);
      if (operation === undefined || answer === undefined) return undefined;
      const acceptEncoding = headers['accept-encoding'];
      if (acceptEncoding !== undefined && compressor.chooseFor(answer.text, acceptEncoding) !== undefined)
        return undefined;
      // Another media type is the framework's to write.
      if (negotiateJsonType(headers.accept) !== defaultJsonType) return undefined;
      const known = finished.get(answer) ?? finish(answer, operation);
      finished.set(answer, known);
      return known;
    },
  };
}
