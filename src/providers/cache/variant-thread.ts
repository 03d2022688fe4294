// The thread that owns the cache's file. It opens the file with the first request and again after a fault; a file that is
// ours and unsound it removes, to begin anew.

import { parentPort, workerData } from 'node:worker_threads';
import { faultOf, identityOf, openFile, removeFile, type OpenFile } from './file.ts';
import type { Answer, Outgoing, Packed, Reply, Request, Stored, ThreadSettings } from './protocol.ts';
import { variantsIn, type Variants } from './variants.ts';

const port = parentPort ?? missingPort();

function missingPort(): never {
  throw new Error('this module runs in a worker thread');
}

const { file, bounds } = workerData as ThreadSettings;

type Opened = OpenFile & {
  readonly variants: Variants;
  /** The number of the last variant that was told of; undefined before the first answer. */
  last: number | undefined;
};

let opened: Opened | undefined;

function open(): Opened {
  // Who still writes to a file that was removed or replaced writes in vain.
  if (opened !== undefined && identityOf(file) !== opened.identity) close();
  if (opened !== undefined) return opened;
  const { database, identity } = openFile(file);
  try {
    opened = { database, identity, variants: variantsIn(database, bounds), last: undefined };
    return opened;
  } catch (error) {
    database.close();
    throw error;
  }
}

function close(): void {
  opened?.database.close();
  opened = undefined;
}

function answer(request: Request): Answer {
  const current = open();
  const { database, variants } = current;
  const anew = request.all || current.last === undefined;
  const found: Stored[] = [];
  const went: string[] = [];
  const changed: string[] = [];
  // For a read one transaction, too: it waits for the file once.
  database.exec(request.kind === 'read' ? 'begin' : 'begin immediate');
  try {
    if (request.kind === 'write') went.push(...variants.write(unpacked(request.variants), request.uses, request.nowMs));
    else
      for (const key of request.keys) {
        const stored = variants.read(key);
        if (typeof stored === 'object') found.push(stored);
        else went.push(key);
        if (stored === 'changed') changed.push(key);
      }
    const { entries, last } = variants.since(anew ? 0 : (current.last ?? 0));
    database.exec('commit');
    current.last = last;
    drop(changed);
    return { anew, came: entries, went, found };
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

/** What was changed behind our back is not answered, even if it has to stay for now. */
function drop(keys: readonly string[]): void {
  try {
    for (const key of keys) opened?.variants.remove(key);
  } catch {
    // The next reader tries again.
  }
}

function unpacked({ named, bodies }: Packed): Outgoing[] {
  let from = 0;
  return named.map(({ end, ...variant }) => {
    const body = bodies.subarray(from, end);
    from = end;
    return { ...variant, body };
  });
}

function reply(request: Request): Reply {
  try {
    return { answer: attempted(request) };
  } catch (error) {
    const fault = faultOf(error);
    if (fault === 'unusable' || fault === 'unsound') close();
    const message = error instanceof Error ? error.message : String(error);
    return { failure: { message, busy: fault === 'busy', closed: opened === undefined } };
  }
}

function attempted(request: Request): Answer {
  try {
    return answer(request);
  } catch (error) {
    if (faultOf(error) !== 'unsound') throw error;
    const replaced = opened !== undefined && identityOf(file) !== opened.identity;
    close();
    if (!replaced) removeFile(file);
    return answer(request);
  }
}

port.on('message', (request: Request | 'close') => {
  if (request === 'close') {
    close();
    port.close();
    return;
  }
  const sent = reply(request);
  const bodies = 'answer' in sent ? sent.answer.found.map(({ body }) => body.buffer as ArrayBuffer) : [];
  port.postMessage(sent, bodies);
});
