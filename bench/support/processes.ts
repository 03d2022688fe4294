// Starts and stops the processes of a benchmark: the service, floors, and load clients.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '../..');

export type RunningProcess = {
  readonly line: Record<string, unknown>;
  /** Megabytes that the process holds. */
  residentMegabytes(): number;
  /** Seconds of processor time that the process has taken so far. */
  processorSeconds(): number;
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
};

/** Starts a Node process and waits for its first line of JSON that `accept`s. */
export async function startNode(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  accept: (line: Record<string, unknown>) => boolean = () => true,
): Promise<RunningProcess> {
  const child = spawn(process.execPath, [join(root, file), ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A benchmark that fails ends its processes.
  const killChild = (): boolean => child.kill('SIGTERM');
  process.once('exit', killChild);
  child.once('exit', () => process.removeListener('exit', killChild));
  const line = await firstLine(child, accept);
  return {
    line,
    residentMegabytes: () =>
      Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1000,
    processorSeconds: () => processorSecondsOf(child.pid),
    signal: (name) => void child.kill(name),
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** The processor time of all its threads (proc(5): the 14th and 15th field, in hundredths of a second). */
function processorSecondsOf(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The third field follows the name, which can contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function firstLine(
  child: ChildProcess,
  accept: (line: Record<string, unknown>) => boolean,
): Promise<Record<string, unknown>> {
  if (child.stdout === null) throw new Error('the process has no output');
  for await (const text of createInterface({ input: child.stdout })) {
    const line = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : undefined;
    if (line === undefined || !accept(line)) continue;
    // Its further output must not fill the pipe.
    child.stdout.resume();
    return line;
  }
  throw new Error(`the process ended without the line that was waited for (exit code ${child.exitCode})`);
}

/** Runs a command of the service to its end. */
export async function runPortal(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'bin/portal.mjs'), ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`portal ${args.join(' ')} ended with ${code}`);
}

export const startPortal = (environment: Readonly<Record<string, string>>): Promise<RunningProcess> =>
  startNode('bin/portal.mjs', ['serve', '--demo'], environment, ({ msg }) => msg === 'ready');

export type LoadTarget = {
  readonly port: number;
  readonly path: string;
  readonly host: string;
  readonly token: string;
  readonly acceptEncoding?: string;
  /** The bodies that the connections send, one after the other. */
  readonly bodies?: readonly unknown[];
};
export type LoadResult = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The bytes of an answer with its head. */
  readonly bytesEach: number;
  readonly bad: number;
  readonly firstBad?: string;
};

/** Drives a target for some seconds, or for so many requests at most. Throws if any answer was not 200. */
export async function runLoad(
  { port, path, host, token, acceptEncoding = '', bodies }: LoadTarget,
  connections: number,
  seconds: number,
  { method = 'GET', most }: { readonly method?: string; readonly most?: number } = {},
): Promise<LoadResult> {
  const args = [port, path, host, token, connections, seconds, method, most ?? '', acceptEncoding].map(String);
  if (bodies !== undefined) args.push(JSON.stringify(bodies));
  const client = await startNode('bench/support/load.ts', args, {});
  const result = client.line as LoadResult;
  if (result.bad > 0) throw new Error(`${result.bad} answers of ${path} were not 200: ${result.firstBad}`);
  return result;
}
