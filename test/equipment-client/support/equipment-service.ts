// A small local server that speaks the Equipment API, and whose answers a test can cut, repeat and refuse.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

/** What becomes of the next request to a stream: cut before or after the lines are stored, or refused. */
export type Fault = 'cut-before' | 'cut-after' | { readonly status: number; readonly retryAfter?: string };

export type StoredLine = Readonly<Record<string, unknown>> & { readonly n: number; readonly t: string };

export type FakeStream = { epoch: string; through: number; former: Set<string>; lines: StoredLine[] };

type Header = {
  readonly epoch: string;
  readonly first: number;
  readonly buffered?: number;
  readonly digests?: Readonly<Record<string, string>>;
};

export type StreamRequest = { readonly stream: string; readonly count: number; readonly header: Header };

export type EquipmentService = Awaited<ReturnType<typeof startEquipmentService>>;

export async function startEquipmentService() {
  const createStream = (): FakeStream => ({ epoch: '', through: 0, former: new Set(), lines: [] });
  const state = {
    streams: { money: createStream(), samples: createStream() } as Record<string, FakeStream>,
    faults: { money: [], samples: [], key: [] } as Record<string, Fault[]>,
    requests: [] as StreamRequest[],
    /** How many requests of a stream were in flight at once, at most. */
    mostInFlight: 0,
    clockMs: () => Date.now(),
    resync: [] as string[],
    keys: new Set(['ke_1']),
    /** The things of the snapshot, and the changes after it, each with its `v`. */
    snapshot: { things: [] as object[], version: 0 },
    changes: [] as ({ readonly v: number } & Record<string, unknown>)[],
    /** Changes after older versions are gone. */
    oldest: 0,
    authorised: undefined as { allowed: boolean; reason: string } | undefined,
  };
  const inFlight = new Map<string, number>();

  const answer = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

  async function receiveLines(stream: string, body: Buffer, response: ServerResponse): Promise<void> {
    const { streams, faults, requests } = state;
    const position = streams[stream] ?? createStream();
    const [header, ...lines] = body
      .toString()
      .split('\n')
      .map((text) => JSON.parse(text) as StoredLine);
    const { epoch, first } = header as unknown as Header;
    requests.push({ stream, count: lines.length, header: header as unknown as Header });
    const fault = faults[stream]?.shift();
    if (fault === 'cut-before') return void response.destroy();
    if (typeof fault === 'object') {
      const retry = fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter };
      response.writeHead(fault.status, retry).end();
      return;
    }
    if (position.epoch !== '' && position.epoch !== epoch)
      return answer(response, 409, { code: 'unknown-epoch', epoch: position.epoch, expected: position.through + 1 });
    if (first > position.through + 1)
      return answer(response, 409, { code: 'stream-gap', epoch, expected: position.through + 1 });
    const added = lines.filter(({ n }) => n > position.through);
    position.epoch = epoch;
    position.lines.push(...added);
    position.through = Math.max(position.through, lines.at(-1)?.n ?? 0);
    if (fault === 'cut-after') return void response.destroy();
    answer(response, 200, {
      epoch,
      through: position.through,
      repeated: lines.length - added.length,
      held: [],
      serverTime: new Date(state.clockMs()).toISOString(),
      desired: { version: 0, pending: false },
      ...(state.resync.length > 0 ? { resync: state.resync } : {}),
    });
  }

  function beginEpoch(stream: string, body: Buffer, response: ServerResponse): void {
    const position = state.streams[stream] ?? createStream();
    const { epoch } = JSON.parse(body.toString()) as { epoch: string };
    if (position.former.has(epoch) || (position.epoch === epoch && position.through > 0))
      return answer(response, 409, { code: 'epoch-used' });
    position.former.add(position.epoch);
    Object.assign(position, { epoch, through: 0 });
    answer(response, 200, { stream, epoch, through: 0 });
  }

  function readDesired(url: URL, response: ServerResponse): void {
    const after = Number(url.searchParams.get('after'));
    if (after < state.oldest) return answer(response, 410, { code: 'resync' });
    const changes = state.changes.filter(({ v }) => v > after);
    const reply = (): void => answer(response, 200, { version: changes.at(-1)?.v ?? after, more: false, changes });
    // A poll that has nothing to say waits a moment.
    if (changes.length > 0) reply();
    else setTimeout(reply, 20).unref();
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await buffer(request);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    const url = new URL(request.url ?? '', 'http://local');
    const [, , , resource = '', stream = '', epoch] = url.pathname.split('/');
    if (resource === 'enrol') return answer(response, 200, { key: 'ke_1', computerKid: 'sund-B1001-C1' });
    if (!state.keys.has(request.headers.authorization?.replace('Bearer ', '') ?? ''))
      return answer(response, 401, { code: 'unauthenticated' });
    if (resource === 'key') return renewKey(response);
    if (resource === 'streams' && epoch !== undefined) return beginEpoch(stream, body, response);
    if (resource === 'streams' && stream !== '') return receiveLines(stream, body, response);
    if (resource === 'streams') {
      const streams = Object.entries(state.streams).map(([name, each]) => ({ stream: name, ...each }));
      return answer(response, 200, { streams: streams.map(({ lines: _lines, former: _former, ...each }) => each) });
    }
    if (resource === 'desired') return readDesired(url, response);
    if (resource === 'authorise')
      return state.authorised === undefined ? void response.destroy() : answer(response, 200, state.authorised);
    const { things, version } = state.snapshot;
    const lines = [...things, { end: true, version }].map((line) => JSON.stringify(line));
    response.writeHead(200, { 'content-type': 'application/jsonl' }).end(lines.join('\n'));
  }

  function renewKey(response: ServerResponse): void {
    const key = `ke_${state.keys.size + 1}`;
    state.keys.add(key);
    if (state.faults['key']?.shift() === 'cut-after') return void response.destroy();
    answer(response, 200, { key });
  }

  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const now = (inFlight.get(path) ?? 0) + 1;
    inFlight.set(path, now);
    if (path.startsWith('/equipment/v1/streams/')) state.mostInFlight = Math.max(state.mostInFlight, now);
    response.on('close', () => inFlight.set(path, (inFlight.get(path) ?? 1) - 1));
    handle(request, response).catch((error: unknown) => {
      // A computer that is killed in the middle of a request has sent none.
      if (request.complete) throw error;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
