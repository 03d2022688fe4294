// Preloaded into every process of a run (run.ts). Ends a process that touches what `npm start` uses in the same clone by
// default: the folder `data`, with databases and caches, and the default ports. Tests have folders and ports of their own.
// `?clone=…` is another clone, for the guard's own tests.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { join, resolve, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import threads, { type WorkerOptions } from 'node:worker_threads';

const clone = new URL(import.meta.url).searchParams.get('clone') ?? join(import.meta.dirname, '../..');
const dataFolder = join(clone, 'data');
/** Of the API, of the Equipment API and of the metrics. */
const defaultPorts = new Set([8080, 8081, 9464]);

/** Throwing would not suffice: the service continues without a cache, for example. */
function refuse(what: string): never {
  const { stack = '' } = new Error(
    `a test must not touch ${what}, which belongs to a service that runs from this clone`,
  );
  fs.writeSync(2, `${stack}\n`);
  process.kill(process.pid, 'SIGKILL');
  throw new Error(what);
}

function refuseOwnPath(value: unknown): void {
  const isUrl = value instanceof URL || (typeof value === 'string' && value.startsWith('file:'));
  const path = isUrl ? fileURLToPath(value) : Buffer.isBuffer(value) ? value.toString() : value;
  // Most paths have no such part: searching the text is cheaper than resolving them.
  if (typeof path !== 'string' || !path.includes('data')) return;
  const absolute = resolve(path);
  if (absolute === dataFolder || absolute.startsWith(dataFolder + sep)) refuse(absolute);
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Has every function of a module look at its first two arguments, which are where its paths stand. */
function guardPaths(module: object): void {
  for (const [name, original] of Object.entries(module)) {
    // A capital letter marks a class.
    if (typeof original !== 'function' || !/^[a-z]/.test(name)) continue;
    const guarded: AnyFunction = function (...args) {
      refuseOwnPath(args[0]);
      if (typeof args[1] === 'string') refuseOwnPath(args[1]);
      return (original as AnyFunction).apply(this, args);
    };
    const { prototype: _prototype, ...properties } = Object.getOwnPropertyDescriptors(original);
    Object.assign(module, { [name]: Object.defineProperties(guarded, properties) });
  }
}

guardPaths(fs);
guardPaths(fs.promises);

// Node lets nobody replace the class itself, only its methods.
const { prototype } = DatabaseSync as unknown as { prototype: Record<'exec' | 'prepare', AnyFunction> };
for (const name of ['exec', 'prepare'] as const) {
  const original = prototype[name];
  prototype[name] = function (this: DatabaseSync, ...args) {
    refuseOwnPath(this.location());
    return original.apply(this, args);
  } as AnyFunction;
}

// A thread of SQLite takes neither options nor the environment of its process: it learns its file from this.
threads.Worker = class Worker extends threads.Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    for (const value of Object.values(Object(options?.workerData) as object)) refuseOwnPath(value);
    super(file, options);
  }
};

const { listen } = net.Server.prototype as unknown as { listen: AnyFunction };
const { connect } = net.Socket.prototype as unknown as { connect: AnyFunction };
const refuseOwnPort = (args: unknown[]): void => {
  // Node itself passes on what it has made of its arguments, as an array in an array.
  const [first] = args.flat();
  const port = typeof first === 'object' && first !== null && 'port' in first ? first.port : first;
  if (defaultPorts.has(Number(port))) refuse(`port ${String(port)}`);
};
net.Server.prototype.listen = function (this: net.Server, ...args: unknown[]) {
  refuseOwnPort(args);
  return listen.apply(this, args);
} as typeof net.Server.prototype.listen;
net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
  refuseOwnPort(args);
  return connect.apply(this, args);
} as typeof net.Socket.prototype.connect;

syncBuiltinESMExports();
