// Creates the handler of an image operation: validation, `render`, and an image that every cache may store.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../lib/problem.ts';
import { tenantHostOf } from '../requests/request-context.ts';
import { validationCode } from '../operations/operation-properties.ts';
import type { ImageOperation } from '../operations/operation.ts';
import { sendRepresentation, type Representation } from '../representations/representation.ts';
import { queryStringOf } from '../protocol/request-target.ts';
import type { Validator } from '../validation/validation.ts';

export function createImageHandler(operation: ImageOperation, validate: Validator) {
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
