// How the server stops: it finishes what runs, and lets go of connections that only wait.

import type { FastifyInstance } from 'fastify';

/**
 * A kept-alive connection would hold the server open until it times out: while closing, every answer ends its
 * connection, and idle ones are closed as they appear. Answers whether it is closing.
 */
export function addGracefulShutdown(app: FastifyInstance): () => boolean {
  let closing = false;
  app.addHook('onSend', (request, reply, payload, done) => {
    if (closing && request.raw.httpVersionMajor === 1) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('preClose', (done) => {
    closing = true;
    const server = app.server;
    const closeIdleTimer = setInterval(() => server.closeIdleConnections?.(), 50);
    server.once('close', () => clearInterval(closeIdleTimer));
    done();
  });
  return () => closing;
}
