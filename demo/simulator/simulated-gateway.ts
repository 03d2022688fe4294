// A gateway of the demo: a reference computer that talks to the service as those of real equipment do, and the devices
// behind it.

import { openComputer, type Computer } from '../../equipment-client/computer.ts';
import type { Line } from '../../equipment-client/lines.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import type { Random } from '../random.ts';
import type { Device, Gateway } from './devices.ts';
import { pay, reportDevice, useUnit } from './unit-lines.ts';

/** The address at which the service listens, and how it can be trusted. */
export type ServiceAddress = {
  /** Such as `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly domain: string;
  /** Its certificate, in PEM. */
  readonly ca: string | undefined;
};

type GatewayOptions = {
  readonly gateway: Gateway;
  readonly address: ServiceAddress;
  readonly tenant: { readonly name: string; readonly timeZone: string; readonly currency: string };
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly random: Random;
  readonly onError: (error: unknown) => void;
};

export type SimulatedGateway = {
  /** Whether it knows the keys of residents. */
  isReady(): boolean;
  /** Tells what became of some devices, and lets a resident use a unit, or else pay. */
  act(kind: 'use' | 'pay'): void;
  /** Why the service did not take what was sent last; undefined if it did. */
  lastError(): string | undefined;
  stop(): Promise<void>;
};

/** How long it waits for a change. */
const waitSeconds = 55;
/** It forgets what it has not sent when the process ends, as a demo may. */
const inMemory = ':memory:';

/** Enrols, and says that its devices are there. */
export async function connectGateway(options: GatewayOptions): Promise<SimulatedGateway> {
  const { gateway, address, tenant, clock, random, onError } = options;
  const computer = openComputer({
    file: inMemory,
    service: address.url,
    host: `api.${tenant.name}.${address.domain}`,
    ca: address.ca,
    serial: gateway.name,
    software: '4.2.1',
    waitSeconds,
    clock,
    onError,
    // The devices take every value that the service has accepted.
    device: { apply: () => ({ ok: true }) },
  });
  try {
    await computer.enrol(gateway.code);
  } catch (error) {
    await computer.stop();
    throw error;
  }
  for (const { kid } of gateway.devices) computer.record({ t: 'alive', unit: kid });
  computer.start();
  return {
    isReady: () => (computer.status().version ?? '') !== '',
    act: (kind) => {
      const moment = { timeZone: tenant.timeZone, now: toMs2000(clock()), random };
      for (const line of act(computer, gateway.devices, kind, { ...moment, currency: tenant.currency }))
        computer.record(line);
    },
    lastError: () => {
      const { money, samples } = computer.status().lastErrors;
      return money ?? samples;
    },
    stop: () => computer.stop(),
  };
}

type Moment = {
  readonly timeZone: string;
  readonly now: number;
  readonly random: Random;
  readonly currency: string;
};

function act(computer: Computer, devices: readonly Device[], kind: 'use' | 'pay', moment: Moment): Line[] {
  type World = Parameters<typeof useUnit>[1];
  const settings = computer.entries('setting') as unknown as World['settings'];
  const keys = computer.entries('key') as unknown as World['keys'];
  const activity = { ...moment, keys, settings };
  return [
    ...(kind === 'use' ? useUnit(devices, activity) : pay(activity)),
    ...takeStalest(devices).flatMap((device) => reportDevice(device, settings, moment)),
  ];
}

const maxReports = 8;

/** Those with the oldest reports. */
const takeStalest = (devices: readonly Device[]): Device[] =>
  devices.toSorted((a, b) => a.syncedAt - b.syncedAt).slice(0, maxReports);
