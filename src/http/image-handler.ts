// Makes the handler of an image operation: validation, `render`, and the image that every cache may store.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../lib/problem.ts';
import { tenantHostOf } from './context/request-context.ts';
import { throwImageFailure } from './image-failure.ts';
import { validationCode } from './operation-properties.ts';
import type { ImageOperation } from './operation.ts';
import { sendRepresentation, type Representation } from './representation.ts';
import { queryStringOf } from './request-target.ts';
import type { Validator } from './validation.ts';

export function createImageHandler(operation: ImageOperation, validate: Validator) {
  const queryProblemCode = validationCode(operation, 'query');
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const tenantHost = tenantHostOf(request);
    const search = queryStringOf(request);
    const { params } = validate({ params: request.params, search, body: undefined }, tenantHost.tenant.name);
    // Also an empty query: an image has one URL.
    if (request.raw.url?.includes('?') === true)
      throw new Problem(queryProblemCode, { detail: 'An image URL takes no query string.' });
    const send = (rendered: Representation): FastifyReply => sendRepresentation(rendered, request, reply);
    throwImageFailure(request.raw);
    const rendered = operation.render(params, tenantHost, request.requestContext.clientAddress);
    return rendered instanceof Promise ? rendered.then(send) : send(rendered);
  };
}
