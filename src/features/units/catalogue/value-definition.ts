// What can be said of a unit: settings, which people write and devices obey, and states, which devices report. Each is
// declared once; operations, documents and examples follow from it.

/** `duration` counts whole units of its measure, `time` is a time of day, `money` minor units of the bank's currency. */
export const valueTypes = ['int', 'decimal', 'bool', 'enum', 'text', 'time', 'duration', 'money'] as const;
export type ValueType = (typeof valueTypes)[number];

export type ValueKind = 'Setting' | 'State';

/** The groups in the order in which a unit shows them; those of states come after those of settings. */
export const settingGroups = ['General', 'Operation', 'Prices', 'OpeningHours', 'Booking', 'Network'] as const;
export const stateGroups = ['Status', 'Program', 'Measurements', 'Counters', 'Connection'] as const;
export type SettingGroup = (typeof settingGroups)[number];
export type StateGroup = (typeof stateGroups)[number];
export type GroupName = SettingGroup | StateGroup;

export type ValueConstraints = {
  /** Of numbers, in the value's own unit; of times, `HH:MM`. */
  readonly min?: number | string;
  readonly max?: number | string;
  /** Values lie on multiples of it, counted from `min` or else from zero. */
  readonly step?: number;
  /** Of texts, in characters (code points). */
  readonly maxLength?: number;
  /** What a text has to look like (ECMA-262), as a whole. */
  readonly pattern?: string;
  /** Exact names, of an enum. */
  readonly options?: readonly string[];
};

export type ValueDefinition = {
  /** The exact enum name, unique over settings and states. */
  readonly name: string;
  readonly kind: ValueKind;
  readonly group: GroupName;
  readonly valueType: ValueType;
  /** UCUM, where there is one: `Cel`, `min`, `kW.h`. */
  readonly unitOfMeasure?: string;
  readonly constraints: ValueConstraints;
  /** The value, canonically spelled, as long as none was given; without a default there is none, and null can be written. */
  readonly fallback?: string;
  /** People may write it. */
  readonly editable: boolean;
  /** It is shown at all; what is not shown serves the service alone. */
  readonly visible: boolean;
  /** It can be a column of a unit's documents. */
  readonly onDocuments: boolean;
};

type DefinitionOptions = ValueConstraints &
  Partial<Pick<ValueDefinition, 'unitOfMeasure' | 'fallback' | 'editable' | 'visible' | 'onDocuments'>>;

/** A setting that people write, unless told otherwise; it is no column of documents. */
export const setting = (
  group: SettingGroup,
  name: string,
  valueType: ValueType,
  options: DefinitionOptions = {},
): ValueDefinition => define('Setting', group, name, valueType, { editable: true, onDocuments: false, ...options });

/** A state, and a column of documents unless told otherwise. */
export const state = (
  group: StateGroup,
  name: string,
  valueType: ValueType,
  options: DefinitionOptions = {},
): ValueDefinition => define('State', group, name, valueType, { onDocuments: true, ...options, editable: false });

function define(
  kind: ValueKind,
  group: GroupName,
  name: string,
  valueType: ValueType,
  { unitOfMeasure, fallback, editable = false, visible = true, onDocuments = false, ...constraints }: DefinitionOptions,
): ValueDefinition {
  return {
    name,
    kind,
    group,
    valueType,
    constraints,
    editable,
    visible,
    onDocuments,
    ...(unitOfMeasure === undefined ? {} : { unitOfMeasure }),
    ...(fallback === undefined ? {} : { fallback }),
  };
}
