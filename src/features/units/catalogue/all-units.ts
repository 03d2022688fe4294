// The settings and states that units of every type have.

import { setting, state, type ValueDefinition } from './value-definition.ts';

export const commonSettings: readonly ValueDefinition[] = [
  /** Set by a manager. */
  setting('General', 'OutOfOrder', 'bool', { fallback: 'false' }),
  setting('General', 'OutOfOrderText', 'text', { maxLength: 200 }),
  /** The error for which the equipment took itself out of order; 0: none. */
  setting('General', 'AutoOutOfOrder', 'int', { min: 0, max: 65_535, fallback: '0', editable: false }),
  /** The number that gets an SMS when the unit is out of order, and the most messages a day. */
  setting('General', 'OutOfOrderSmsNumber', 'text', { maxLength: 16, pattern: '\\+[1-9][0-9]{5,14}' }),
  setting('General', 'OutOfOrderSmsLimit', 'int', { min: 0, max: 20, fallback: '1' }),
  setting('General', 'Note', 'text', { maxLength: 500 }),
  setting('General', 'SerialNumber', 'text', { maxLength: 40, pattern: '[A-Za-z0-9][A-Za-z0-9 ./-]*' }),
  setting('General', 'InstalledOn', 'text', {
    maxLength: 10,
    // 29 February is allowed in every year.
    pattern:
      '(?:19|20)[0-9]{2}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|[12][0-9]))',
  }),
  setting('Network', 'ReportInterval', 'duration', {
    unitOfMeasure: 's',
    min: 10,
    max: 86_400,
    step: 10,
    fallback: '60',
  }),
  setting('Network', 'OfflineAfter', 'duration', { unitOfMeasure: 'min', min: 1, max: 1440, fallback: '15' }),
  /** The address of the equipment on its gateway's bus. */
  setting('Network', 'BusAddress', 'int', { min: 1, max: 247 }),
  setting('Network', 'TimeServer', 'text', { maxLength: 253, pattern: '[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?' }),
  /** The secret with which the equipment authenticates: never shown, never written by managers. */
  setting('Network', 'EquipmentKey', 'text', { maxLength: 64, editable: false, visible: false }),
];

export const commonStates: readonly ValueDefinition[] = [
  state('Status', 'ErrorId', 'int', { min: 0, max: 65_535 }),
  state('Status', 'ErrorText', 'text', { maxLength: 200 }),
  state('Connection', 'SignalStrength', 'int', { unitOfMeasure: '%', min: 0, max: 100 }),
  state('Connection', 'IpAddress', 'text', { maxLength: 45 }),
  state('Connection', 'FirmwareVersion', 'text', { maxLength: 40 }),
  state('Connection', 'Uptime', 'duration', { unitOfMeasure: 'h', min: 0 }),
];

export const offlineSettings = [
  /** By the list of keys that the computer has; by the list, up to a limit; or nobody. */
  setting('Network', 'OfflineAuthorisation', 'enum', {
    options: ['List', 'ListWithLimit', 'Deny'],
    fallback: 'ListWithLimit',
  }),
  /** What a resident may use of the unit, in all, before the computer reaches the service again. */
  setting('Network', 'OfflineLimit', 'money', { min: 0, max: 100_000_000 }),
] as const;
