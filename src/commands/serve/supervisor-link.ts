// A worker's side of the link to its supervisor: it learns its number, answers questions, and tells of what it has
// committed, so that the caches of the other workers follow at once.

import type { FastifyInstance } from 'fastify';
import { once } from 'node:events';
import type { Dependencies } from '../../dependencies.ts';
import type { HealthAnswer, MessageFromWorker, MessageToWorker, WorkerAddress } from './worker-messages.ts';

export type SupervisorLink = Awaited<ReturnType<typeof connectToSupervisor>>;

export async function connectToSupervisor() {
  const started = once(process, 'message') as Promise<[MessageToWorker]>;
  send({ kind: 'started' });
  const [message] = await started;
  if (message.kind !== 'start') throw new Error(`the supervisor has sent ${message.kind} first`);
  return {
    /** From 1. */
    worker: message.worker,
    /** The worker cannot serve: the link no longer keeps it alive. */
    release: () => process.channel?.unref(),
    /** The worker serves: from now on it answers questions. */
    reportReady: ({ metrics, databases }: Dependencies, app: FastifyInstance, address: WorkerAddress) => {
      let isOfOther = false;
      databases.onCommit((tenant, topics) => {
        if (!isOfOther && topics.size > 0) send({ kind: 'committed', tenant, topics: [...topics] });
      });
      process.on('message', (received: MessageToWorker) => {
        if (received.kind === 'committed') {
          isOfOther = true;
          databases.announceCommit(received.tenant, new Set(received.topics));
          isOfOther = false;
        } else if (received.kind === 'ask') {
          const { id, question, asked = '' } = received;
          const answered = question === 'metrics' ? metrics.values() : answerHealth(app, asked);
          answered.then(
            (answer) => send({ kind: 'answer', id, answer }),
            // The supervisor stops waiting.
            () => {},
          );
        }
      });
      send({ kind: 'ready', address });
    },
  };
}

function send(message: MessageFromWorker): void {
  // The supervisor may have gone: then this process ends, too.
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

async function answerHealth(app: FastifyInstance, url: string): Promise<HealthAnswer> {
  const { statusCode, headers, body } = await app.inject({ method: 'GET', url });
  const { 'content-type': type = 'application/json', 'retry-after': retryAfter } = headers;
  return {
    status: statusCode,
    headers: {
      'content-type': type,
      'cache-control': 'no-store',
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    },
    body,
  };
}
