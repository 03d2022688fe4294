// Creates what demo equipment reports besides its measurements: its connection at both ends of a document, its
// supplies, and in a few runs an error.

import type { StateSample } from '../../src/features/documents/queries/record-report.ts';
import type { UnitType } from '../../src/features/places/rules/unit-types.ts';
import { hourMs, minuteMs } from '../../src/lib/time/durations.ts';
import type { Random } from '../random.ts';
import { demoErrors } from '../units/setting-edits.ts';
import { demoIpAddress } from '../units/state-values.ts';

type StatusContext = {
  readonly unit: { readonly locationId: number; readonly unitId: number };
  /** The times of the first and the last Cycle, MS2000. */
  readonly from: number;
  readonly through: number;
  readonly random: Random;
};

const errorShare = 0.08;
/** The oldest version of the demo units, from which those were updated that report another one now. */
const firmwareVersion = '4.2.1';
/** Hours after which equipment starts anew. */
const maxUptimeHours = 4000;

export function createStatusSamples(type: UnitType, context: StatusContext): StateSample[] {
  const { unit, from, through, random } = context;
  const signalStrength = random.int(40, 95);
  return [
    { name: 'IpAddress', at: from, value: demoIpAddress(unit) },
    { name: 'FirmwareVersion', at: from, value: firmwareVersion },
    { name: 'SignalStrength', at: from, value: String(signalStrength) },
    { name: 'SignalStrength', at: through, value: String(signalStrength + random.int(-4, 4)) },
    ...[from, through].map((at) => ({ name: 'Uptime', at, value: String(Math.floor(at / hourMs) % maxUptimeHours) })),
    ...createSupplySamples(type, context),
    ...(random.chance(errorShare) ? createErrorSamples(context) : []),
  ];
}

function createSupplySamples(type: UnitType, { from, through, random }: StatusContext): StateSample[] {
  if (type === 'dryer') return [{ name: 'FilterFull', at: through, value: String(random.chance(0.2)) }];
  if (type !== 'washer') return [];
  const soapLevel = random.int(15, 95);
  return [
    { name: 'SoapLevel', at: from, value: String(soapLevel) },
    { name: 'SoapLevel', at: through, value: String(soapLevel - random.int(3, 6)) },
  ];
}

/** An error in the middle, which is gone a minute later. */
function createErrorSamples({ from, through, random }: StatusContext): StateSample[] {
  const [errorId, text] = random.pick([...demoErrors]);
  const measuredAt = Math.round((from + through) / 2000) * 1000;
  return [
    { name: 'ErrorId', at: measuredAt, value: String(errorId) },
    { name: 'ErrorText', at: measuredAt, value: text },
    { name: 'ErrorId', at: measuredAt + minuteMs, value: '0' },
    { name: 'ErrorText', at: measuredAt + minuteMs, value: '' },
  ];
}
