// Formats settings and states, with their stored values, as the items of responses.

import { formatKid } from '../../lib/kid.ts';
import type { Language } from '../../lib/text/language.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import type { ValueDefinition, UnitGroupName, ValueKind } from './catalogue/value-definition.ts';
import type { StoredSettingRow, ReportedStateRow, SettingWriteRow } from './queries/unit-values.ts';
import { effectiveText, parseStoredText } from './rules/stored-text.ts';
import { formatGroupLabel, formatOptionLabel, formatValueLabel } from './rules/value-labels.ts';
import type { SettingHistoryItem, UnitValue } from './schemas.ts';

const kindNames: Readonly<Record<ValueKind, 'Settings' | 'States'>> = { Setting: 'Settings', State: 'States' };

/** The kind of a group: all its members have the same. */
export const kindOf = (members: readonly ValueDefinition[]): 'Settings' | 'States' =>
  kindNames[members[0]?.kind ?? 'State'];

export const toUnitGroupSummary = (name: UnitGroupName, members: readonly ValueDefinition[], language: Language) => ({
  name,
  label: formatGroupLabel(name, language),
  kind: kindOf(members),
  count: members.length,
});

export type UnitValueContext = {
  readonly tenant: string;
  readonly language: Language;
  /** The currency of the bank, ISO 4217. */
  readonly currency: string;
  /** Whether the caller may call SetUnitSetting. */
  readonly canWrite: boolean;
};

/** A setting without a row was never written, and has its default value. */
export const toSettingRow = (
  definition: ValueDefinition,
  row: StoredSettingRow | undefined,
  context: UnitValueContext,
): UnitValue =>
  toUnitValue(definition, context, {
    text: effectiveText(definition, row?.value),
    writeInfo: row === undefined ? noWriteInfo : toWriteInfo(row, context.tenant),
    editedAt: row?.changed_at,
    canEdit: definition.editable && context.canWrite,
    revision: row?.version ?? 0,
  });

export const toStateRow = (
  definition: ValueDefinition,
  row: ReportedStateRow | undefined,
  context: UnitValueContext,
): UnitValue =>
  toUnitValue(definition, context, {
    text: row?.value ?? null,
    writeInfo: noWriteInfo,
    editedAt: row?.reported_at,
    canEdit: false,
    revision: row?.reported_at ?? 0,
  });

type StoredValue = {
  readonly text: string | null;
  readonly writeInfo: Pick<UnitValue, 'synced' | 'editorKid' | 'editorName'>;
  /** MS2000; undefined: never. */
  readonly editedAt: number | undefined;
  readonly canEdit: boolean;
  readonly revision: number;
};

function toUnitValue(
  definition: ValueDefinition,
  { language, currency }: UnitValueContext,
  stored: StoredValue,
): UnitValue {
  const { name, valueType, unitOfMeasure = null } = definition;
  const { text, writeInfo, editedAt, canEdit, revision } = stored;
  return {
    name,
    label: formatValueLabel(name, language),
    valueType,
    value: parseStoredText(definition, text),
    unitOfMeasure: valueType === 'money' ? currency : unitOfMeasure,
    ...writeInfo,
    editedAtUtc: editedAt === undefined ? null : formatUtc(editedAt),
    canEdit,
    constraints: toConstraintsJson(definition, language),
    revision: String(revision),
  };
}

function toConstraintsJson({ name, constraints }: ValueDefinition, language: Language): UnitValue['constraints'] {
  const { min = null, max = null, step = null, maxLength = null, pattern = null, options } = constraints;
  const optionLabels = options?.map((option) => formatOptionLabel(name, option, language)) ?? null;
  return { min, max, step, maxLength, pattern, options: options?.slice() ?? null, optionLabels };
}

export const toSettingHistoryItem = (
  definition: ValueDefinition,
  row: SettingWriteRow,
  tenant: string,
): SettingHistoryItem => ({
  value: parseStoredText(definition, row.value),
  atUtc: formatUtc(row.changed_at),
  ...toWriteInfo(row, tenant),
});

const noWriteInfo = { synced: true, editorKid: null, editorName: null } as const;

const toWriteInfo = (
  { editor_id, editor_name, sync_id, sync_state }: SettingWriteRow,
  tenant: string,
): StoredValue['writeInfo'] => ({
  // A sync record is deleted only after the equipment has confirmed it.
  synced: sync_id === null || sync_state === null || sync_state === 'acknowledged',
  editorKid: editor_id === null ? null : formatKid({ type: 'manager', tenant, managerId: editor_id }),
  editorName: editor_id === null ? null : editor_name,
});
