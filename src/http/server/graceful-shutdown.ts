// Stops the server gracefully: it finishes the running requests and closes idle connections.

import type { FastifyInstance } from 'fastify';
import { isHttp2 } from '../protocol/http-version.ts';

/**
 * A kept-alive connection would keep the server open until it times out: while the server closes, every response closes
 * its connection, and idle connections are closed. Returns a function that tells whether the server is closing.
 */
export function addGracefulShutdown(app: FastifyInstance, stopping?: AbortSignal): () => boolean {
  let closing = false;
  // A load balancer then opens new connections, to other replicas, before those that it keeps are closed.
  stopping?.addEventListener('abort', () => void (closing = true), { once: true });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (closing && !isHttp2(request.raw)) reply.header('connection', 'close');
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
