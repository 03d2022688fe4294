// Serves `/metrics` and the health checks on loopback, apart from the API: there no client can take all connections.

import { createServer, type RequestListener, type Server } from 'node:http';
import type { HttpMetrics } from './metrics.ts';

export const healthPaths: ReadonlySet<string> = new Set(['/livez', '/readyz']);

export function listenForMetrics(
  metrics: Pick<HttpMetrics, 'text' | 'contentType'>,
  answerHealth: RequestListener,
  port: number,
): Promise<Server> {
  const server = createServer(
    { requestTimeout: 5000, headersTimeout: 5000, maxHeaderSize: 8192 },
    (request, response) => {
      const [path = ''] = (request.url ?? '').split('?', 1);
      if (healthPaths.has(path)) {
        answerHealth(request, response);
        return;
      }
      if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
        response.writeHead(404).end();
        return;
      }
      metrics.text().then(
        (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    },
  );
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
