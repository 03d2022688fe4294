// Writers that each write one object over one connection and know its current revision.

import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { LoadTarget } from './processes.ts';

type Written = { readonly revision: string };

type Writing = {
  /** The body, by the number of the write. */
  readonly createBody: (count: number) => object;
  /** The revision of each target's object before the first write. */
  readonly firstRevision: (target: LoadTarget) => Promise<string>;
};

const settingWriting: Writing = {
  createBody: (count) => ({ value: `note ${count}` }),
  firstRevision: async () => '0',
};

/** Returns writes per second, with one writer for each target, over so many seconds. Throws if any answer was not 200. */
export async function measureWritesPerSecond(
  targets: readonly LoadTarget[],
  seconds: number,
  writing = settingWriting,
): Promise<number> {
  const revisions = await Promise.all(targets.map(writing.firstRevision));
  const began = performance.now();
  const until = began + seconds * 1000;
  const writes = await Promise.all(
    targets.map((target, at) => writeUntil(target, until, { writing, revision: revisions[at] ?? '' })),
  );
  return writes.reduce((sum, each) => sum + each, 0) / ((performance.now() - began) / 1000);
}

async function writeUntil(
  target: LoadTarget,
  until: number,
  first: { readonly writing: Writing; readonly revision: string },
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let { revision } = first;
  let writes = 0;
  while (performance.now() < until) {
    ({ revision } = await write(target, agent, { ...first.writing.createBody(writes), expectedRevision: revision }));
    writes += 1;
  }
  agent.destroy();
  return writes;
}

/** Each call writes the setting of the target, which was never written before, after the answer to the call before. */
export function createSettingWriter(target: LoadTarget): () => Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let revision = '0';
  let count = 0;
  return async () => {
    ({ revision } = await write(target, agent, { ...settingWriting.createBody(count), expectedRevision: revision }));
    count += 1;
  };
}

function write({ port, path, host, token }: LoadTarget, agent: Agent, body: object): Promise<Written> {
  const headers = { host, 'content-type': 'application/json', authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method: 'PUT', headers, agent });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      text(incoming).then((answer) => {
        if (incoming.statusCode === 200) resolve(JSON.parse(answer) as Written);
        else reject(new Error(`${path} answered ${incoming.statusCode}: ${answer}`));
      }, reject);
    });
    outgoing.end(JSON.stringify(body));
  });
}
