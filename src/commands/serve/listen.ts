// Listens on the address of the settings, and says what helps where that is not possible.

import type { FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Application } from '../../app.ts';
import type { Config } from '../../config.ts';
import { CommandError } from '../command-error.ts';

/** Throws CommandError where the address cannot be listened on. */
export async function listen(app: FastifyInstance, config: Config, application: Application): Promise<void> {
  const { host, port } = config;
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw addressError(config, application, error);
  }
}

/** Listens for a moment. Throws CommandError where the address cannot be listened on. */
export async function tryAddress(config: Config, application: Application): Promise<void> {
  const server = createServer().listen({ host: config.host, port: config.port });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw addressError(config, application, error);
  }
  server.close();
  await once(server, 'close');
}

const portSettings: Readonly<Record<Application, string>> = {
  portal: 'PORTAL_PORT',
  equipment: 'PORTAL_EQUIPMENT_PORT',
};

/** By the codes of the system. */
const addressRemedies: Readonly<Record<string, (portSetting: string) => string>> = {
  EADDRINUSE: (portSetting) =>
    `another program uses it: stop that program, or choose another port with ${portSetting} (0 takes a free one)`,
  EACCES: (portSetting) => `the system reserves it: choose a port above 1023 with ${portSetting}`,
  EADDRNOTAVAIL: () => 'this machine does not have the address: choose another one with PORTAL_HOST',
  ENOTFOUND: () => 'nothing is known by the name: choose an address with PORTAL_HOST',
};

function addressError({ host, port }: Config, application: Application, error: unknown): CommandError {
  const { code = String(error) } = error as NodeJS.ErrnoException;
  const portSetting = portSettings[application];
  const remedy = addressRemedies[code]?.(portSetting);
  const reason = remedy === undefined ? code : `${code}, ${remedy}`;
  return new CommandError(`PORTAL_HOST, ${portSetting}: cannot listen on ${host} port ${port}: ${reason}`, 1);
}
