// Reads when something happened, by the clock of the device or by how long it had run.

import type { DeviceTime } from './clock.ts';
import type { LineFields } from './line-fields.ts';

/** Undefined where the line has neither, or both. */
export function parseDeviceTime(fields: LineFields): DeviceTime | undefined {
  const at = fields.time('at');
  const uptimeMs = fields.integer('uptimeMs', 0);
  if (at !== undefined && uptimeMs === undefined) return { at };
  return at === undefined && uptimeMs !== undefined ? { uptimeMs } : undefined;
}
