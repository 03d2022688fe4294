// Writes the lines that the devices of a demo gateway send: what became of their counters and documents, and what
// residents use and pay.

import type { Line } from '../../equipment-client/lines.ts';
import { formatUtc } from '../../src/lib/time/ms2000.ts';
import type { Random } from '../random.ts';
import { consumptionUnitTypes, randomPrice, randomUse } from '../tariff.ts';
import { advanceCounters } from './counter-reports.ts';
import type { Device } from './devices.ts';
import { beginRun, createDocumentReport, type DocumentReport } from './document-reports.ts';

type Moment = {
  readonly timeZone: string;
  /** MS2000. */
  readonly now: number;
  readonly random: Random;
};

type Setting = { readonly unit: string; readonly name: string; readonly value: unknown };

/** Everything new of a device. It is heard of in any case. */
export function reportDevice(device: Device, settings: readonly Setting[], { timeZone, now, random }: Moment): Line[] {
  const ofDevice = { unit: device.kid, at: formatUtc(now) };
  if (!device.isEnabled) {
    device.syncedAt = now;
    return [{ t: 'alive', ...ofDevice }];
  }
  const counters = advanceCounters(device, now, random);
  const report = createDocumentReport(device, { timeZone, now, mayBegin: works(device, settings) });
  const lines = [
    ...(counters.length === 0 ? [] : [{ t: 'samples', ...ofDevice, values: toValues(counters) }]),
    ...documentLines(device, report),
    device.document === undefined ? { t: 'alive', ...ofDevice } : { t: 'synced', ...ofDevice },
  ];
  keepStates(device, counters, now);
  device.syncedAt = now;
  return lines;
}

/** A machine that has an error or is out of order does not start. */
function works({ kid, states }: Device, settings: readonly Setting[]): boolean {
  const isOutOfOrder = settings.some(
    ({ unit, name, value }) => unit === kid && name === 'OutOfOrder' && value === true,
  );
  return !isOutOfOrder && (states.get('ErrorId')?.value ?? '0') === '0';
}

/** The lines of what is new of a document, in the order of time. */
function documentLines(device: Device, report: DocumentReport | undefined): Line[] {
  if (report === undefined) return [];
  const { document, samples, cycles } = report;
  device.document = document;
  const unit = device.kid;
  const byTime = Map.groupBy(samples, ({ at }) => at);
  for (const { name, value, at } of samples) keepStates(device, [[name, value]], at);
  return [
    ...cycles.map(({ at, value }) => ({
      at,
      line: { t: 'cycle', unit, document: String(document.documentId), value },
    })),
    ...[...byTime].map(([recordedAt, ofTime]) => ({
      at: recordedAt,
      line: { t: 'samples', unit, values: toValues(ofTime.map(({ name, value }) => [name, value])) },
    })),
  ]
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, line }) => ({ ...line, at: formatUtc(at) }));
}

function keepStates(device: Device, states: readonly (readonly [string, string | null])[], reportedAt: number): void {
  for (const [name, value] of states)
    if ((device.states.get(name)?.reportedAt ?? 0) <= reportedAt) device.states.set(name, { value, reportedAt });
}

const toValues = (states: readonly (readonly [string, string | null])[]) =>
  Object.fromEntries(states.map(([name, text]) => [name, toJson(text)]));

/** The value of a stored text, as devices send it. */
function toJson(text: string | null): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== null && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

type Key = { readonly key: string; readonly units: readonly string[] };
type Activity = Moment & {
  readonly currency: string;
  readonly keys: readonly Key[];
  readonly settings: readonly Setting[];
};

/** A resident uses a unit, whose next run begins if it has runs; nothing if nobody can. */
export function useUnit(devices: readonly Device[], activity: Activity): Line[] {
  const { keys, settings, currency, now, random } = activity;
  const usable = devices.filter(
    (device) => device.isEnabled && consumptionUnitTypes.has(device.type) && works(device, settings),
  );
  if (keys.length === 0 || usable.length === 0) return [];
  const device = random.pick(usable);
  const { text, amountMinor } = randomUse(device.type, currency, random);
  const begun = documentLines(device, beginRun(device, activity));
  if (begun.length > 0) device.syncedAt = now;
  const { document } = device;
  const use = {
    t: 'use',
    at: formatUtc(now),
    unit: device.kid,
    key: random.pick(keys).key,
    amountMinor: String(amountMinor),
    currency,
    text,
    ...(document === undefined ? {} : { document: String(document.documentId) }),
    ref: createRef(now, random),
  };
  return [use, ...begun];
}

/** A resident pays at the terminal; nothing if there is nobody. */
export function pay({ keys, currency, now, random }: Activity): Line[] {
  if (keys.length === 0) return [];
  const amountMinor = String(randomPrice(currency, 5000, 50_000, random));
  const { key } = random.pick(keys);
  return [{ t: 'pay', at: formatUtc(now), key, amountMinor, currency, text: 'Payment', ref: createRef(now, random) }];
}

/** No two events of a gateway have the same one. */
const createRef = (now: number, random: Random): string => `${now.toString(36)}-${random.int(0, 36 ** 4).toString(36)}`;
