// Declares settings, which managers write and equipment obeys, and states, which equipment reports. Operations, documents
// and examples follow from these declarations.

/** `duration`: integer in its unit of measure; `time`: time of day; `money`: minor units of the bank's currency. */
export const valueTypes = ['int', 'decimal', 'bool', 'enum', 'text', 'time', 'duration', 'money'] as const;
export type ValueType = (typeof valueTypes)[number];

export type ValueKind = 'Setting' | 'State';

/** The groups in the order of display; those of states follow those of settings. */
export const settingGroups = ['General', 'Operation', 'Prices', 'OpeningHours', 'Booking', 'Network'] as const;
export const stateGroups = ['Status', 'Program', 'Measurements', 'Counters', 'Connection'] as const;
type SettingGroup = (typeof settingGroups)[number];
type StateGroup = (typeof stateGroups)[number];
export type UnitGroupName = SettingGroup | StateGroup;

export type ValueConstraints = {
  /** For numbers, in the unit of the value; for times, `HH:MM`. */
  readonly min?: number | string;
  readonly max?: number | string;
  /** Values are `min`, or zero without `min`, plus a multiple of it. */
  readonly step?: number;
  /** For texts, in code points. */
  readonly maxLength?: number;
  /** The pattern of the whole text (ECMA-262). */
  readonly pattern?: string;
  /** The values of an enum. */
  readonly options?: readonly string[];
};

export type ValueDefinition = {
  /** Unique over settings and states. */
  readonly name: string;
  readonly kind: ValueKind;
  readonly group: UnitGroupName;
  readonly valueType: ValueType;
  /** UCUM: `Cel`, `min`, `kW.h`. */
  readonly unitOfMeasure?: string;
  readonly constraints: ValueConstraints;
  /** The default, as stored text. A setting without a default can be null. */
  readonly fallback?: string;
  /** Managers may write it. */
  readonly editable: boolean;
  /** Returned by operations, and a column of a unit's documents; other definitions are for internal use. */
  readonly visible: boolean;
  /** Its number only grows, as that of a meter: what counts is by how much. */
  readonly isCounter: boolean;
};

type DefinitionOptions = ValueConstraints &
  Partial<Pick<ValueDefinition, 'unitOfMeasure' | 'fallback' | 'editable' | 'visible' | 'isCounter'>>;

/** A setting. By default managers may write it. */
export const setting = (
  group: SettingGroup,
  name: string,
  valueType: ValueType,
  options: DefinitionOptions = {},
): ValueDefinition => define('Setting', group, name, valueType, { editable: true, ...options });

/** A state. By default it is a counter if it is in the group of counters. */
export const state = (
  group: StateGroup,
  name: string,
  valueType: ValueType,
  options: DefinitionOptions = {},
): ValueDefinition =>
  define('State', group, name, valueType, { isCounter: group === 'Counters', ...options, editable: false });

function define(
  kind: ValueKind,
  group: UnitGroupName,
  name: string,
  valueType: ValueType,
  options: DefinitionOptions,
): ValueDefinition {
  const { unitOfMeasure, fallback, editable = false, visible = true, isCounter = false, ...constraints } = options;
  return {
    name,
    kind,
    group,
    valueType,
    constraints,
    editable,
    visible,
    isCounter,
    ...(unitOfMeasure === undefined ? {} : { unitOfMeasure }),
    ...(fallback === undefined ? {} : { fallback }),
  };
}
