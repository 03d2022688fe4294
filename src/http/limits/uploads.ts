// Bounds the uploads of one process: how many run at the same time, and how slowly the body of one may arrive. A client
// of usual speed never meets the second bound.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { FairQueue } from '../../lib/queues/fair-queue.ts';
import { Problem } from '../../lib/problem.ts';
import type { KeyPath } from '../../lib/queues/turn-queue.ts';
import { ClientGoneError } from '../context/client-watch.ts';
import type { WaitingTime } from '../context/waiting-time.ts';
import { ArrivingBody, afterAnswer } from './arriving-body.ts';
import { uploadLimits } from './limits.ts';
import { isAbandoned } from './unsent-answers.ts';

type Upload = {
  readonly body: ArrivingBody;
  readonly response: ServerResponse;
  readonly waitingTime: WaitingTime;
  readonly end: () => void;
  markedBytes: number;
  markedWaitedMs: number;
};

type UploadOwner = {
  /** The tenant and the manager. */
  readonly key: KeyPath;
  /** That of the request: whoever reads the body waits in it. */
  readonly waitingTime: WaitingTime;
};

export class Uploads {
  readonly #queue = new FairQueue({
    maxConcurrent: uploadLimits.total,
    maxConcurrentPerKey: [uploadLimits.total, uploadLimits.perManager],
    maxWaitMs: 0,
    createRefusal: () => new Problem('uploads-busy'),
  });
  readonly #uploads = new Set<Upload>();
  readonly #timer = setInterval(() => this.#check(), uploadLimits.checkIntervalMs).unref();

  stop(): void {
    clearInterval(this.#timer);
  }

  /** The body of a request as it arrives. Throws a problem if too many uploads are running. */
  async begin(
    raw: IncomingMessage,
    response: ServerResponse,
    { key, waitingTime }: UploadOwner,
  ): Promise<ArrivingBody> {
    // A client that has gone meanwhile would never be told apart from one that is silent.
    if (isAbandoned(response)) throw new ClientGoneError();
    const release = await this.#queue.acquire({ key });
    const body = new ArrivingBody(raw, response);
    const end = (): void => {
      this.#uploads.delete(upload);
      release();
    };
    const upload: Upload = { body, response, waitingTime, end, markedBytes: 0, markedWaitedMs: 0 };
    this.#uploads.add(upload);
    afterAnswer(raw, response, end);
    return body;
  }

  #check(): void {
    for (const upload of this.#uploads) {
      const { body, response, waitingTime, markedBytes, markedWaitedMs } = upload;
      // A response behind others does not tell.
      if (isAbandoned(response)) {
        body.destroy(new ClientGoneError());
        upload.end();
        continue;
      }
      body.touchConnection();
      const waitedMs = waitingTime.elapsedMs;
      if (body.receivedBytes - markedBytes >= uploadLimits.windowBytes) {
        upload.markedBytes = body.receivedBytes;
        upload.markedWaitedMs = waitedMs;
      } else if (waitedMs - markedWaitedMs >= uploadLimits.windowMs && !body.hasArrived)
        body.destroy(new Problem('request-timeout'));
    }
  }
}
