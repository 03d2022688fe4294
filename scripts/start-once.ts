// Does what a newcomer does first: runs `npm start`, sends a request when the service is ready, and ends the service by
// SIGTERM, which must succeed. The script is a part of .ci/run, and keeps the databases.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../src/config.ts';

const readyWithinMs = 3 * 60_000;
const { port, domain } = readConfig(process.env);

const service = spawn('npm', ['start'], { cwd: join(import.meta.dirname, '..'), stdio: 'inherit' });
const ended = once(service, 'exit');
try {
  await waitUntilReady();
  const status = await ask('/api/v1/session/me', `api.sund.${domain}`);
  if (status !== 401) throw new Error(`a request without a token was answered with ${status}, not 401`);
  // npm exits with the status of its shell, and the shell with that of the service.
  process.kill(innermostChildOf(service.pid ?? 0), 'SIGTERM');
  const [code, signal] = await ended;
  if (code !== 0) throw new Error(`npm start ended with ${code ?? signal} after SIGTERM, not 0`);
  console.log('npm start: was ready, answered, and stopped.');
} catch (error) {
  service.kill('SIGKILL');
  throw error;
}

/** The last process of a chain in which each started the next. */
function innermostChildOf(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return child === undefined ? pid : innermostChildOf(Number(child));
}

async function waitUntilReady(): Promise<void> {
  const untilMs = performance.now() + readyWithinMs;
  while ((await ask('/readyz').catch(() => 0)) !== 200) {
    if (service.exitCode !== null) throw new Error(`npm start ended with ${service.exitCode} before it was ready`);
    if (performance.now() > untilMs) throw new Error(`not ready after ${readyWithinMs} ms`);
    await sleep(200);
  }
}

/** Returns the status of the answer. */
async function ask(path: string, host = 'localhost'): Promise<number | undefined> {
  const outgoing = request({ host: '127.0.0.1', port, path, headers: { host }, agent: false }).end();
  const [response] = await once(outgoing, 'response');
  response.resume();
  return response.statusCode;
}
