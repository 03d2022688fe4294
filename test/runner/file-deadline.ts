// Preloaded into every test process (`file-deadline.ts?ms=…&endMs=…`). The process is killed when the time of the file that
// it runs is over or the runner is gone, and soon after its tests have finished, with the kinds of handles that are still open. The
// runner's own timeout bounds a test, but not a file that keeps a handle open or never leaves a loop.
import { writeSync } from 'node:fs';
import { basename } from 'node:path';
import { after } from 'node:test';
import { isMainThread, parentPort, threadName, Worker, workerData } from 'node:worker_threads';
import { onFileStart } from './file-starts.ts';

const THREAD = 'deadline';
const POLL_MS = 1000;

interface WatchedFile {
  file: string;
  untilMs: number;
}

if (isMainThread) {
  const url = new URL(import.meta.url);
  const watch = (file: string): WatchedFile => ({ file, untilMs: Date.now() + Number(url.searchParams.get('ms')) });
  let watched = watch(basename(process.argv[1] ?? ''));
  // In a thread of its own, as the main one may be busy for good.
  const thread = new Worker(url, { name: THREAD, workerData: watched, execArgv: [] });
  thread.unref();
  onFileStart((file) => {
    watched = watch(file);
    thread.postMessage(watched);
  });
  requireEnd(() => watched.file, Number(url.searchParams.get('endMs')));
} else if (threadName === THREAD) {
  // Any other is a worker of the test, into which this is loaded as well.
  killAtDeadline(workerData as WatchedFile);
}

function killAtDeadline(first: WatchedFile): void {
  const runner = process.ppid;
  let { file, untilMs } = first;
  parentPort?.on('message', (next: WatchedFile) => ({ file, untilMs } = next));
  setInterval(() => {
    const isOrphan = process.ppid !== runner;
    if (!isOrphan && Date.now() < untilMs) return;
    if (!isOrphan) writeSync(2, `${file} is killed: its time is over\n`);
    process.kill(process.pid, 'SIGKILL');
  }, POLL_MS);
}

/** Node runs the hooks of the file itself after this one. */
function requireEnd(file: () => string, withinMs: number): void {
  after(() => {
    setTimeout(() => {
      const kinds = [...new Set(process.getActiveResourcesInfo())].join(', ');
      writeSync(2, `${file()} is killed: its tests have finished, but it is kept alive by ${kinds}\n`);
      process.kill(process.pid, 'SIGKILL');
    }, withinMs).unref();
  });
}
