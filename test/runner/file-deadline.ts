// Preloaded into every test process (`deadline.ts?ms=…`): the process is killed when its time is over or the runner is
// gone. The runner's own timeout bounds a test, but not a file that keeps a handle open or never leaves a loop.
import { writeSync } from 'node:fs';
import { basename } from 'node:path';
import { isMainThread, threadName, Worker, workerData } from 'node:worker_threads';

const THREAD = 'deadline';
const POLL_MS = 1000;

interface WatchedFile {
  file: string;
  untilMs: number;
}

if (isMainThread) {
  const url = new URL(import.meta.url);
  const untilMs = Date.now() + Number(url.searchParams.get('ms'));
  const watched: WatchedFile = { file: basename(process.argv[1] ?? ''), untilMs };
  // In a thread of its own, as the main one may be busy for good.
  new Worker(url, { name: THREAD, workerData: watched, execArgv: [] }).unref();
} else if (threadName === THREAD) {
  // Any other is a worker of the test, into which this is loaded as well.
  killAtDeadline(workerData as WatchedFile);
}

function killAtDeadline({ file, untilMs }: WatchedFile): void {
  const runner = process.ppid;
  setInterval(() => {
    const isOrphan = process.ppid !== runner;
    if (!isOrphan && Date.now() < untilMs) return;
    if (!isOrphan) writeSync(2, `${file} is killed: its time is over\n`);
    process.kill(process.pid, 'SIGKILL');
  }, POLL_MS);
}
