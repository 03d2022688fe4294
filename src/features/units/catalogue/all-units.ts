// What every unit has, whatever it is: whether it works, what is noted of it, and how its equipment is reached.

import { setting, state, type ValueDefinition } from './value-definition.ts';

export const commonSettings: readonly ValueDefinition[] = [
  /** Taken out of use by people. */
  setting('General', 'OutOfOrder', 'bool', { fallback: 'false' }),
  setting('General', 'OutOfOrderText', 'text', { maxLength: 200 }),
  /** The error with which the equipment took itself out of use; 0 is none. */
  setting('General', 'AutoOutOfOrder', 'int', { min: 0, max: 65_535, fallback: '0', editable: false }),
  /** Who is told by SMS that the unit is out of order, and how often a day at most. */
  setting('General', 'OutOfOrderSmsNumber', 'text', { maxLength: 16, pattern: '\\+[1-9][0-9]{5,14}' }),
  setting('General', 'OutOfOrderSmsLimit', 'int', { min: 0, max: 20, fallback: '1' }),
  setting('General', 'Note', 'text', { maxLength: 500 }),
  setting('General', 'SerialNumber', 'text', { maxLength: 40, pattern: '[A-Za-z0-9][A-Za-z0-9 ./-]*' }),
  setting('General', 'InstalledOn', 'text', {
    maxLength: 10,
    // 29 February is let in whatever the year.
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
  /** What the equipment proves itself with: nobody's to see or to write. */
  setting('Network', 'EquipmentKey', 'text', { maxLength: 64, editable: false, visible: false }),
];

export const commonStates: readonly ValueDefinition[] = [
  state('Status', 'ErrorId', 'int', { min: 0, max: 65_535 }),
  state('Status', 'ErrorText', 'text', { maxLength: 200, onDocuments: false }),
  state('Connection', 'SignalStrength', 'int', { unitOfMeasure: '%', min: 0, max: 100, onDocuments: false }),
  state('Connection', 'IpAddress', 'text', { maxLength: 45, onDocuments: false }),
  state('Connection', 'FirmwareVersion', 'text', { maxLength: 40, onDocuments: false }),
  state('Connection', 'Uptime', 'duration', { unitOfMeasure: 'h', min: 0, onDocuments: false }),
];
