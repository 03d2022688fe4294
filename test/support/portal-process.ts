// Runs the real command line as a separate process, for tests of its ready line, its log and its end.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from './async.ts';
import { findProgram, pidOf } from './programs.ts';

const portal = join(import.meta.dirname, '../../bin/portal.mjs');

export type ProcessResult = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type ServeProcess = {
  readonly url: string;
  readonly port: number;
  readonly metricsUrl: string;
  readonly pid: number;
  /** What it has written to standard output so far, by lines: the ready line and the log. */
  lines(): string[];
  /** What it has written to standard error so far. */
  stderr(): string;
  signal(name: NodeJS.Signals): void;
  readonly ended: Promise<ProcessResult>;
  /** Ends it, in whatever state it is. */
  kill(): Promise<void>;
};

/** How many files the process may open. */
type ProcessLimits = { readonly openFiles?: number };

const environmentOf = (settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  NODE_OPTIONS: process.env['NODE_OPTIONS'],
  ...settings,
});

/** Runs a program on a terminal of its own: https://docs.python.org/3/library/pty.html */
const terminalScript = 'import pty, sys; pty.spawn(sys.argv[1:])';

/** What a command has written to a terminal when this is found there; it is ended then. Needs python3. */
export async function readTerminal(
  argv: readonly string[],
  settings: Readonly<Record<string, string>>,
  awaited: RegExp,
): Promise<string> {
  const child = startProcess(findProgram('python3') ?? '', ['-c', terminalScript, process.execPath, portal, ...argv], {
    PORTAL_PORT: '0',
    PORTAL_METRICS_PORT: '0',
    ...settings,
  });
  try {
    await waitUntil(`the terminal shows ${awaited}`, () => awaited.test(child.stdout()));
  } finally {
    // The end of its terminal ends the service.
    child.process.kill('SIGKILL');
    await child.ended;
  }
  return child.stdout().replaceAll('\r\n', '\n');
}

/** Runs a command of `portal` to its end. */
export async function runPortal(
  argv: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  limits: ProcessLimits = {},
): Promise<ProcessResult & { readonly stdout: string; readonly stderr: string }> {
  const child = startPortalProcess(argv, settings, limits);
  const ended = await child.ended;
  return { ...ended, stdout: child.stdout(), stderr: child.stderr() };
}

export type RunningPortal = {
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  signal(name: NodeJS.Signals): void;
  readonly ended: Promise<ProcessResult>;
};

/** Starts a command of `portal` that a test ends, or waits for. */
export function startPortal(argv: readonly string[], settings: Readonly<Record<string, string>> = {}): RunningPortal {
  const { process: child, stdout, stderr, ended } = startPortalProcess(argv, settings, {});
  return { pid: pidOf(child), stdout, stderr, signal: (name) => void child.kill(name), ended };
}

/** Starts `portal serve` on free ports of loopback and waits until it says that it is ready. */
export const startServeProcess = (
  settings: Readonly<Record<string, string>>,
  limits: ProcessLimits = {},
  options: readonly string[] = [],
): Promise<ServeProcess> => startServing(['serve', ...options], { PORTAL_PORT: '0', ...settings }, limits);

/** The same of `portal equipment`. */
export const startEquipmentProcess = (settings: Readonly<Record<string, string>>): Promise<ServeProcess> =>
  startServing(['equipment'], { PORTAL_EQUIPMENT_PORT: '0', ...settings }, {});

async function startServing(
  command: readonly string[],
  settings: Readonly<Record<string, string>>,
  limits: ProcessLimits,
): Promise<ServeProcess> {
  const child = startPortalProcess(command, { PORTAL_METRICS_PORT: '0', ...settings }, limits);
  const lines = (): string[] => child.stdout().split('\n').slice(0, -1);
  const ready = await Promise.race([waitForReadyLine(child.process, lines), child.ended]);
  if ('code' in ready)
    throw new Error(`${command.join(' ')} ended with ${ready.code} before it was ready: ${child.stderr()}`);
  return {
    ...ready,
    port: Number(new URL(ready.url).port),
    pid: pidOf(child.process),
    lines,
    stderr: child.stderr,
    signal: (name) => void child.process.kill(name),
    ended: child.ended,
    kill: async () => {
      child.process.kill('SIGKILL');
      await child.ended;
    },
  };
}

function startPortalProcess(
  argv: readonly string[],
  settings: Readonly<Record<string, string>>,
  { openFiles }: ProcessLimits,
) {
  const command = [process.execPath, portal, ...argv];
  const [program = '', ...args] =
    openFiles === undefined ? command : ['sh', '-c', `ulimit -n ${openFiles} && exec "$@"`, 'sh', ...command];
  return startProcess(program, args, settings);
}

function startProcess(program: string, argv: readonly string[], settings: Readonly<Record<string, string>>) {
  // What no setting names is below the working directory.
  const cwd = mkdtempSync(join(tmpdir(), 'portal-process-'));
  const child = spawn(program, argv, {
    cwd,
    env: environmentOf(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout = collectText(child.stdout);
  const stderr = collectText(child.stderr);
  // `close` comes when all it wrote has been read as well.
  const ended = once(child, 'close').then(([code, signal]): ProcessResult => {
    rmSync(cwd, { recursive: true, force: true });
    return { code, signal };
  });
  return { process: child, stdout, stderr, ended };
}

function collectText(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => (text += chunk));
  return () => text;
}

async function waitForReadyLine(
  child: ChildProcess,
  lines: () => string[],
): Promise<{ url: string; metricsUrl: string }> {
  for (;;) {
    const ready = lines()
      .map(parsed)
      .find(({ msg }) => msg === 'ready');
    if (ready !== undefined) return ready;
    await once(child.stdout as NodeJS.ReadableStream, 'data');
  }
}

function parsed(line: string): { msg: string; url: string; metricsUrl: string } {
  return JSON.parse(line);
}
