// From what is declared of a setting or state, and what is stored of it, to its shape.

import { formatKid } from '../../lib/kid.ts';
import { localisedTexts, type Language } from '../../lib/language.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import type { ValueDefinition, GroupName, ValueKind } from './catalogue/value-definition.ts';
import type { StoredSettingRow, ReportedStateRow, SettingWriteRow } from './queries/unit-values.ts';
import { parseStoredText } from './rules/stored-text.ts';
import type { HistoryItem, ValueRow } from './schemas.ts';

const groupLabels = localisedTexts('settingGroups');
const labels = localisedTexts('settings');
const optionTexts = localisedTexts('options');

const kindNames: Readonly<Record<ValueKind, 'Settings' | 'States'>> = { Setting: 'Settings', State: 'States' };

/** All members of a group are of one kind. */
export const kindOf = (members: readonly ValueDefinition[]): 'Settings' | 'States' =>
  kindNames[members[0]?.kind ?? 'State'];

export const toGroupItem = (name: GroupName, members: readonly ValueDefinition[], language: Language) => ({
  name,
  label: groupLabels[language].get(name) ?? name,
  kind: kindOf(members),
  count: members.length,
});

export type ValueContext = {
  readonly tenant: string;
  readonly language: Language;
  /** The bank's, ISO 4217. */
  readonly currency: string;
  readonly canWrite: boolean;
};

/** A setting; without a row it was never given, and is what the catalogue says. */
export function toSettingRow(
  definition: ValueDefinition,
  row: StoredSettingRow | undefined,
  context: ValueContext,
): ValueRow {
  return toValueRow(definition, context, {
    text: effectiveText(definition, row),
    writeInfo: row === undefined ? noWriteInfo : toWriteInfo(row, context.tenant),
    editedAt: row?.changed_at,
    canEdit: definition.editable && context.canWrite,
    revision: row?.version ?? 0,
  });
}

export function toStateRow(
  definition: ValueDefinition,
  row: ReportedStateRow | undefined,
  context: ValueContext,
): ValueRow {
  return toValueRow(definition, context, {
    text: row?.value ?? null,
    writeInfo: noWriteInfo,
    editedAt: row?.reported_at,
    canEdit: false,
    revision: row?.reported_at ?? 0,
  });
}

type StoredValue = {
  readonly text: string | null;
  readonly writeInfo: Pick<ValueRow, 'synced' | 'editorKid' | 'editorName'>;
  /** MS2000; undefined where it never was. */
  readonly editedAt: number | undefined;
  readonly canEdit: boolean;
  readonly revision: number;
};

function toValueRow(definition: ValueDefinition, { language, currency }: ValueContext, stored: StoredValue): ValueRow {
  const { name, valueType, unitOfMeasure = null } = definition;
  const { text, writeInfo, editedAt, canEdit, revision } = stored;
  return {
    name,
    label: labels[language].get(name) ?? name,
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

function toConstraintsJson({ constraints }: ValueDefinition, language: Language): ValueRow['constraints'] {
  const { min = null, max = null, step = null, maxLength = null, pattern = null, options } = constraints;
  const optionLabels = options?.map((option) => optionTexts[language].get(option) ?? option) ?? null;
  return { min, max, step, maxLength, pattern, options: options?.slice() ?? null, optionLabels };
}

/** The text that holds: what was given, or else the default. */
export const effectiveText = (
  { fallback }: ValueDefinition,
  row: Pick<StoredSettingRow, 'value'> | undefined,
): string | null => row?.value ?? fallback ?? null;

export function toHistoryItem(definition: ValueDefinition, row: SettingWriteRow, tenant: string): HistoryItem {
  return {
    value: parseStoredText(definition, row.value),
    atUtc: formatUtc(row.changed_at),
    ...toWriteInfo(row, tenant),
  };
}

const noWriteInfo = { synced: true, editorKid: null, editorName: null } as const;

function toWriteInfo(
  { editor_id, editor_name, sync_id, sync_state }: SettingWriteRow,
  tenant: string,
): StoredValue['writeInfo'] {
  return {
    // A record that is no longer kept was done with.
    synced: sync_id === null || sync_state === null || sync_state === 'acknowledged',
    editorKid: editor_id === null ? null : formatKid({ type: 'manager', tenant, managerId: editor_id }),
    editorName: editor_id === null ? null : editor_name,
  };
}
