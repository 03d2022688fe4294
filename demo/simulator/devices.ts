// What the devices of demo units know of themselves while the service runs.

import type { DemoUnit } from '../places/places.ts';

export type DeviceState = {
  readonly value: string | null;
  /** MS2000. */
  readonly reportedAt: number;
};

/** The document that a device is at, or has ended last. */
export type CurrentDocument = { readonly documentId: number; readonly from: number };

export type Device = {
  readonly bankId: number;
  readonly locationId: number;
  readonly unitId: number;
  readonly kid: string;
  readonly type: DemoUnit['type'];
  /** A disabled unit is heard of, but nobody uses it. */
  readonly isEnabled: boolean;
  /** What it last reported, by name. */
  readonly states: Map<string, DeviceState>;
  document: CurrentDocument | undefined;
  /** It has sent everything up to then, MS2000. */
  syncedAt: number;
};

/** A gateway of the demo, and how it enrols. */
export type Gateway = {
  readonly name: string;
  readonly code: string;
  readonly devices: readonly Device[];
};
