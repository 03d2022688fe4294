// Lists what keeps this process from ending: its kind, its port, path or command, and where it was opened.
import { createHook } from 'node:async_hooks';
import { fileURLToPath } from 'node:url';
import { root } from './test-files.ts';

/** The kinds of async_hooks that can keep a process alive, in plain words. */
const kinds: Readonly<Record<string, string>> = {
  FSEVENTWRAP: 'file watcher',
  MESSAGEPORT: 'message port',
  PIPESERVERWRAP: 'server on a pipe',
  PIPEWRAP: 'pipe',
  PROCESSWRAP: 'child process',
  SIGNALWRAP: 'signal handler',
  STATWATCHER: 'file watcher',
  TCPSERVERWRAP: 'server',
  TCPWRAP: 'connection',
  TTYWRAP: 'terminal',
  Timeout: 'timer',
  UDPWRAP: 'datagram socket',
  WORKER: 'worker thread',
};

interface Opened {
  readonly kind: string;
  readonly handle: WeakRef<Handle>;
  /** Formatted only when it is read. */
  readonly trace: { readonly stack?: string };
}

type AddressReader = (address: { address?: string; port?: number }) => number;
interface Handle {
  hasRef?(): boolean;
  getsockname?: AddressReader;
  getpeername?: AddressReader;
  pid?: number;
  _idleTimeout?: number;
  _repeat?: number | null;
}

/** Starts to watch; what it returns lists, a text each, what is open and keeps the process alive now. */
export function watchHandles(): () => string[] {
  const opened = new Map<number, Opened>();
  createHook({
    trackPromises: false,
    init: (id, type, _trigger, handle) => {
      const kind = kinds[type];
      if (kind === undefined) return;
      const trace = {};
      Error.captureStackTrace(trace);
      opened.set(id, { kind, handle: new WeakRef(handle), trace });
    },
    destroy: (id) => void opened.delete(id),
  }).enable();
  return () =>
    [...opened.values()].flatMap(({ kind, handle, trace }) => {
      const open = handle.deref();
      if (open?.hasRef?.() !== true) return [];
      return [[`  ${kind}${detailOf(open)}`, ...whereOpened(trace.stack ?? '')].join('\n')];
    });
}

function detailOf(handle: Handle): string {
  const { pid, _idleTimeout: delayMs, _repeat: repeat } = handle;
  if (pid !== undefined) return ` ${pid}`;
  if (delayMs !== undefined) return repeat === null ? ` of ${delayMs} ms` : `, every ${delayMs} ms`;
  const own = addressOf(handle, 'getsockname');
  const peer = addressOf(handle, 'getpeername');
  return [own && ` on ${own}`, peer && ` to ${peer}`].join('');
}

function addressOf(handle: Handle, read: 'getsockname' | 'getpeername'): string {
  const found: { address?: string; port?: number } = {};
  const failed = handle[read]?.(found) !== 0;
  return failed || found.port === undefined ? '' : `${found.address} port ${found.port}`;
}

/** The calls of our own that led there, or else of the packages; none where Node came back to it later. */
function whereOpened(stack: string): string[] {
  const calls = stack
    .split('\n')
    .filter((line) => /^\s+at .*\/.*:\d/.test(line) && !line.includes('node:') && !line.includes(import.meta.dirname))
    .map((line) =>
      line.replaceAll(/file:\/\/[^\s)]+?(?=:\d)/g, (url) => fileURLToPath(url)).replaceAll(`${root}/`, ''),
    );
  const own = calls.filter((call) => !call.includes('node_modules'));
  return (own.length > 0 ? own : calls).slice(0, 5);
}
