// Mounts operations as routes: each with its guard (token, limits, rights) and its handler.

import type {
  FastifyInstance,
  FastifyRequest,
  HTTPMethods,
  RouteOptions,
  onRequestHookHandler,
  FastifyReply,
} from 'fastify';
import type { Readable } from 'node:stream';
import { createGuard } from '../requests/guard.ts';
import { createDownloadQueue } from '../responses/download-queue.ts';
import type { HttpDependencies } from '../requests/http-dependencies.ts';
import { addOptionsRoute } from './options-route.ts';
import { createCursorKeys } from '../pagination/cursor-keys.ts';
import { createOperationHandler } from './operation-handler.ts';
import { defaultMaxBodyBytes, isImageOperation, validationCode } from '../operations/operation-properties.ts';
import type { Operation, ImageOperation } from '../operations/operation.ts';
import { RunningKeys } from '../idempotency/running-keys.ts';
import { Uploads } from '../limits/uploads.ts';
import { createUploadHook, readOctets, requireOctetsDeclaration } from '../requests/octets-body.ts';
import { createSchemaCompiler, createValidator, type Validator } from '../validation/validation.ts';
import { Problem } from '../../lib/problem.ts';
import { tenantHostOf } from '../requests/request-context.ts';
import { sendRepresentation, type Representation } from '../representations/representation.ts';
import { queryStringOf } from '../protocol/request-target.ts';

export function mountOperations(
  app: FastifyInstance,
  operations: readonly Operation[],
  dependencies: HttpDependencies,
): void {
  const compile = createSchemaCompiler();
  const handlerDependencies = {
    ...dependencies,
    runningKeys: new RunningKeys(),
    cursorKeys: createCursorKeys(),
    downloadQueue: createDownloadQueue(),
  };
  const uploads = createUploads(app);
  const methodsByUrl = new Map<string, HTTPMethods[]>();
  for (const operation of operations) {
    const url = toRouterPath(operation.path);
    methodsByUrl.getOrInsertComputed(url, () => []).push(operation.method);
    const validate = createValidator(operation, compile);
    const route: RouteOptions = {
      method: operation.method,
      url,
      bodyLimit: operation.maxBodyBytes ?? defaultMaxBodyBytes,
      config: {
        operationId: operation.id,
        replacedProblems: operation.replacedProblems,
        takesLines: operation.bodyFormat === 'jsonl',
      },
      onRequest: [...createDeprecationHooks(operation), ...createGuard(operation, dependencies)],
      handler: isImageOperation(operation)
        ? createImageHandler(operation, validate)
        : createOperationHandler(operation, validate, handlerDependencies),
    };
    if (operation.bodyFormat === 'octets') mountUpload(app, operation, route, uploads);
    else app.route(route);
  }
  for (const [url, methods] of methodsByUrl) addOptionsRoute(app, url, methods);
}

function createUploads(app: FastifyInstance): Uploads {
  const uploads = new Uploads();
  app.addHook('onClose', (_app, done) => {
    uploads.stop();
    done();
  });
  return uploads;
}

/** In a context of its own, whose only parser keeps nothing in memory, whatever the media type. */
function mountUpload(app: FastifyInstance, operation: Operation, route: RouteOptions, uploads: Uploads): void {
  requireOctetsDeclaration(operation);
  const { maxBodyBytes = 0 } = operation;
  void app.register((own, _options, done) => {
    own.removeAllContentTypeParsers();
    own.addContentTypeParser('*', (request: FastifyRequest, arriving: Readable, parsed: BodyParsed) =>
      parsed(null, readOctets(request, arriving, maxBodyBytes)),
    );
    own.route({ ...route, preParsing: createUploadHook(operation, uploads) });
    done();
  });
}

type BodyParsed = (error: Error | null, body?: unknown) => void;

/** The path in the router's syntax. The first of two parameters with only a letter between them ends at that letter. */
const toRouterPath = (path: string): string =>
  path.replaceAll(/\{(\w+)\}(?=([a-z])\{)/g, ':$1(^[^$2]*)').replaceAll(/\{(\w+)\}/g, ':$1');

/**
 * Tells clients in every answer of a deprecated operation since when it is deprecated, and when it ends. No hook for an
 * operation that stays. Throws if the end is announced too late.
 */
function createDeprecationHooks({ id, deprecation }: Operation): onRequestHookHandler[] {
  if (deprecation === undefined) return [];
  const since = Temporal.PlainDate.from(deprecation.since);
  const sunset = Temporal.PlainDate.from(deprecation.sunset);
  if (Temporal.PlainDate.compare(since.add({ months: 6 }), sunset) > 0)
    throw new Error(`${id} would end less than six months after its deprecation`);
  const startOf = (day: Temporal.PlainDate): number => day.toZonedDateTime('UTC').epochMilliseconds;
  const headers = {
    // A date of RFC 9651: seconds since 1970.
    deprecation: `@${startOf(since) / 1000}`,
    sunset: new Date(startOf(sunset)).toUTCString(),
  };
  return [
    (_request, reply, done) => {
      reply.headers(headers);
      done();
    },
  ];
}

/** Validates, renders, and sends an image that every cache may store. */
function createImageHandler(operation: ImageOperation, validate: Validator) {
  const queryProblemCode = validationCode(operation, 'query');
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const tenantHost = tenantHostOf(request);
    const search = queryStringOf(request);
    const { params } = validate({ params: request.params, search, body: undefined }, tenantHost.tenant);
    // This also refuses an empty query: an image has exactly one URL.
    if (request.raw.url?.includes('?') === true)
      throw new Problem(queryProblemCode, { detail: 'An image URL takes no query string.' });
    const send = (rendered: Representation): FastifyReply => sendRepresentation(rendered, request, reply);
    const rendered = operation.render(params, tenantHost, request.requestContext.clientAddress);
    return rendered instanceof Promise ? rendered.then(send) : send(rendered);
  };
}
