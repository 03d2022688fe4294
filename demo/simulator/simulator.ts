// Lets time pass in demo data while the service runs: the gateways of each tenant enrol and send what happens, over
// loopback, as real equipment does, and apply what managers change. It never touches a database without demo data.

import type { Logger } from 'pino';
import type { Databases } from '../../src/database/databases.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import type { Tenant } from '../../src/tenants.ts';
import { connectGateways } from '../connect-gateways.ts';
import { createSeededRandom, type Random } from '../random.ts';
import { connectGateway, type ServiceAddress, type SimulatedGateway } from './simulated-gateway.ts';

type SimulatorDependencies = {
  readonly databases: Databases;
  readonly tenants: readonly Tenant[];
  readonly address: ServiceAddress;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly log: Logger;
  readonly intervalMs?: number;
};

const defaultIntervalMs = 5000;
const activityShare = 0.2;
const paymentShare = 0.15;
/** Until the first purchase, for which keys must be known. */
const firstIntervalMs = 50;

/** Each tenant's first activity is a purchase as soon as possible, so the last hour has one again after any pause. */
export function startSimulator(dependencies: SimulatorDependencies): { stop(): Promise<void> } {
  const random = createSeededRandom(`simulator/${dependencies.clock()}`);
  const simulations = dependencies.tenants.map((tenant) => startTenant(dependencies, tenant, random));
  return {
    stop: async () => {
      await Promise.all(simulations.map((each) => each.stop()));
    },
  };
}

function startTenant(dependencies: SimulatorDependencies, tenant: Tenant, random: Random): { stop(): Promise<void> } {
  const { log, intervalMs = defaultIntervalMs } = dependencies;
  const stopping = new AbortController();
  const gateways: SimulatedGateway[] = [];
  let failing = false;
  /** Logged once: storage that is not available stays so for a while. */
  const onError = (error: unknown): void => {
    if (!failing && !stopping.signal.aborted) log.error({ err: error, tenant: tenant.name }, 'the simulator failed');
    failing = true;
  };
  const connect = async (): Promise<void> => {
    try {
      await connectAll(dependencies, { tenant, random, gateways, onError, signal: stopping.signal });
    } catch (error) {
      onError(error);
    }
  };
  let connecting = connect();
  let timer = setTimeout(turn, firstIntervalMs);
  let hasPurchase = false;

  function turn(): void {
    const ready = gateways.filter((gateway) => gateway.isReady());
    if (ready.length > 0 && (!hasPurchase || random.chance(activityShare))) {
      const pays = hasPurchase && random.chance(paymentShare);
      random.pick(ready).act(pays ? 'pay' : 'use');
      hasPurchase = true;
    }
    const refusal = gateways.map((gateway) => gateway.lastError()).find((reason) => reason !== undefined);
    if (refusal !== undefined) onError(new Error(`the service did not take what was sent: ${refusal}`));
    else if (gateways.length > 0) failing = false;
    else if (failing) connecting = connecting.then(connect);
    timer = setTimeout(turn, hasPurchase || failing ? intervalMs : Math.min(firstIntervalMs, intervalMs));
  }
  return {
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await connecting;
      await Promise.all(gateways.map((gateway) => gateway.stop()));
    },
  };
}

type Connection = {
  readonly tenant: Tenant;
  readonly random: Random;
  /** Those that are connected. */
  readonly gateways: SimulatedGateway[];
  readonly onError: (error: unknown) => void;
  readonly signal: AbortSignal;
};

/** One after another: nobody waits for them, and the service has other work when it starts. */
async function connectAll(
  { databases, address, clock }: SimulatorDependencies,
  { tenant, random, gateways, onError, signal }: Connection,
): Promise<void> {
  const database = databases.forTenant(tenant.name);
  const options = { tenant: tenant.name, clock: () => toMs2000(clock()) };
  for (const gateway of await connectGateways(database, options)) {
    if (signal.aborted) return;
    gateways.push(await connectGateway({ gateway, address, tenant, clock, random, onError }));
  }
}
