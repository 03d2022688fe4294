// A service in a process of its own, whose provider of coordinates never answers. It prints its port, and then waits to be
// killed.

import type { AddressInfo } from 'node:net';
import { createApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import { createDependencies } from '../../../src/dependencies.ts';

const now = Number(process.argv[2]);
const waitForever = () => new Promise<never>(() => {});
const config = readConfig({ ...process.env, PORTAL_PORT: '0', PORTAL_LOG_LEVEL: 'silent' });
const dependencies = createDependencies(config, {
  demo: false,
  clock: () => now,
  geocoder: {
    canFindAddress: () => true,
    findAddress: waitForever,
    findPostalCity: waitForever,
    countRequests: () => ({ address: 1, postalCity: 1 }),
  },
});
const app = await createApp(dependencies);
await app.listen({ host: '127.0.0.1', port: 0 });
console.log((app.server.address() as AddressInfo).port);
