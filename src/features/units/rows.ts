// From what is declared of a setting or state, and what is stored of it, to its shape.

import { formatKid } from '../../lib/kid.ts';
import { textsOf, type Language } from '../../lib/language.ts';
import { utcText } from '../../lib/ms2000.ts';
import type { Definition, GroupName, Kind } from './catalogue/definition.ts';
import type { GivenRow, ReportedRow, WrittenRow } from './queries/values.ts';
import { toJson } from './rules/values.ts';
import type { HistoryItem, ValueRow } from './schemas.ts';

const groupLabels = textsOf('settingGroups');
const labels = textsOf('settings');
const optionTexts = textsOf('options');

const kindNames: Readonly<Record<Kind, 'Settings' | 'States'>> = { Setting: 'Settings', State: 'States' };

/** All members of a group are of one kind. */
export const kindOf = (members: readonly Definition[]): 'Settings' | 'States' => kindNames[members[0]?.kind ?? 'State'];

export const groupItem = (name: GroupName, members: readonly Definition[], language: Language) => ({
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
  readonly mayWrite: boolean;
};

/** A setting; without a row it was never given, and is what the catalogue says. */
export function settingRow(definition: Definition, row: GivenRow | undefined, context: ValueContext): ValueRow {
  return valueRow(definition, context, {
    text: storedText(definition, row),
    written: row === undefined ? unwritten : writing(row, context.tenant),
    editedAt: row?.changed_at,
    canEdit: definition.editable && context.mayWrite,
    revision: row?.version ?? 0,
  });
}

export function stateRow(definition: Definition, row: ReportedRow | undefined, context: ValueContext): ValueRow {
  return valueRow(definition, context, {
    text: row?.value ?? null,
    written: unwritten,
    editedAt: row?.reported_at,
    canEdit: false,
    revision: row?.reported_at ?? 0,
  });
}

type Stored = {
  readonly text: string | null;
  readonly written: Pick<ValueRow, 'synced' | 'editorKid' | 'editorName'>;
  /** MS2000; undefined where it never was. */
  readonly editedAt: number | undefined;
  readonly canEdit: boolean;
  readonly revision: number;
};

function valueRow(definition: Definition, { language, currency }: ValueContext, stored: Stored): ValueRow {
  const { name, valueType, unitOfMeasure = null } = definition;
  const { text, written, editedAt, canEdit, revision } = stored;
  return {
    name,
    label: labels[language].get(name) ?? name,
    valueType,
    value: toJson(definition, text),
    unitOfMeasure: valueType === 'money' ? currency : unitOfMeasure,
    ...written,
    editedAtUtc: editedAt === undefined ? null : utcText(editedAt),
    canEdit,
    constraints: constraintsOf(definition, language),
    revision: String(revision),
  };
}

function constraintsOf({ constraints }: Definition, language: Language): ValueRow['constraints'] {
  const { min = null, max = null, step = null, maxLength = null, pattern = null, options } = constraints;
  const optionLabels = options?.map((option) => optionTexts[language].get(option) ?? option) ?? null;
  return { min, max, step, maxLength, pattern, options: options?.slice() ?? null, optionLabels };
}

/** The text that holds: what was given, or else the default. */
export const storedText = ({ fallback }: Definition, row: Pick<GivenRow, 'value'> | undefined): string | null =>
  row?.value ?? fallback ?? null;

export function historyItem(definition: Definition, row: WrittenRow, tenant: string): HistoryItem {
  return { value: toJson(definition, row.value), atUtc: utcText(row.changed_at), ...writing(row, tenant) };
}

const unwritten = { synced: true, editorKid: null, editorName: null } as const;

function writing({ editor_id, editor_name, sync_id, sync_state }: WrittenRow, tenant: string): Stored['written'] {
  return {
    // A record that is no longer kept was done with.
    synced: sync_id === null || sync_state === null || sync_state === 'acknowledged',
    editorKid: editor_id === null ? null : formatKid({ type: 'manager', tenant, managerId: editor_id }),
    editorName: editor_id === null ? null : editor_name,
  };
}
