// Writes a setting of a unit. What has been written goes to the equipment afterwards; the table of settings shows that.

import type { JSX } from 'react';
import type { Client } from '../api/client.ts';
import type { SettingName, UnitGroupName, UnitValue } from '../api/operations.ts';
import { CommandDialog } from '../command/command-dialog.tsx';
import type { Version } from '../command/command-store.ts';
import { ChoiceField, NumberField, TextField } from '../command/fields.tsx';
import { requestOf } from '../command/toast-store.ts';
import type { Field } from '../command/command-types.ts';
import { useCommand } from '../command/use-command.ts';
import { unitPath } from '../paths.ts';
import { useLanguage } from '../portal.tsx';
import { OpeningTimesField } from './opening-times-field.tsx';
import { fromField, toField } from './setting-value.ts';
import { formatTyped, formatValue, symbolOf } from './unit-value.ts';

type SettingDialogProps = {
  readonly unitKid: string;
  readonly group: UnitGroupName;
  readonly described: UnitValue;
};

type SettingValues = { readonly value: string };

export const settingCommand = 'set';

/** What shows the settings of a unit. */
export const readsOfSettings = [
  'GetUnitGroup',
  'GetUnitSettingHistory',
  'GetUnitOverview',
  'GetLocationUnits',
  'GetLocationOpeningHours',
  'GetLocationBookingRules',
  'GetDeviceSyncs',
  'GetTenantStatusPage',
] as const;

export function SettingDialog({ unitKid, group, described }: SettingDialogProps): JSX.Element {
  const language = useLanguage();
  const { t, locale } = language;
  const setting = described.name as SettingName;
  const input = { unitKid, setting };
  const toVersion = ({ value, revision, editorName, editedAtUtc }: UnitValue): Version<SettingValues> => ({
    values: { value: toField(described, value, locale) },
    revision,
    editorName,
    editedAtUtc,
  });
  const command = useCommand({
    name: `${settingCommand}.${setting}`,
    id: 'SetUnitSetting',
    stored: toVersion(described),
    check: ({ value }) =>
      fromField(described, value) === undefined
        ? { value: t(described.valueType === 'money' ? 'field.notAmount' : 'field.notNumber') }
        : {},
    request: ({ value }, expectedRevision) => ({
      input,
      body: { value: fromField(described, value) ?? null, expectedRevision },
    }),
    invalidates: readsOfSettings,
    reread: async (client: Client) => {
      const { values } = await client.call('GetUnitGroup', { unitKid, group });
      return toVersion(values.find(({ name }) => name === setting) ?? described);
    },
    done: ({ value, revision }) => ({
      text: t('unit.saved', { name: described.label, value: formatValue(described, value, language) }),
      link: { to: unitPath(unitKid), search: { group, setting }, text: t('unit.showHistory') },
      undo: requestOf('SetUnitSetting', { input, body: { value: described.value, expectedRevision: revision } }),
    }),
  });
  return (
    <CommandDialog
      command={command}
      title={described.label}
      action={t('action.save')}
      labels={{ value: described.label }}
      format={(_, typed) => formatTyped(described, String(typed), language)}
    >
      <ValueField described={described} group={group} field={command.field('value')} />
    </CommandDialog>
  );
}

type ValueFieldProps = {
  readonly described: UnitValue;
  readonly group: UnitGroupName;
  readonly field: Field<string>;
};

function ValueField({ described, group, field }: ValueFieldProps): JSX.Element {
  const { t } = useLanguage();
  const { valueType, unitOfMeasure, constraints } = described;
  const { options, optionLabels, maxLength } = constraints;
  const label = t('word.value');
  const none = described.value === null ? ([['', t('state.none')]] as const) : [];
  switch (valueType) {
    case 'bool':
      return (
        <ChoiceField
          field={field}
          label={label}
          choices={[...none, ['true', t('word.yes')], ['false', t('word.no')]]}
          autoFocus
        />
      );
    case 'enum':
      return (
        <ChoiceField
          field={field}
          label={label}
          choices={[...none, ...(options ?? []).map((option, at) => [option, optionLabels?.[at] ?? option] as const)]}
          autoFocus
        />
      );
    case 'text':
      return group === 'OpeningHours' ? (
        <OpeningTimesField field={field} label={label} />
      ) : (
        <TextField field={field} label={label} maxLength={maxLength ?? undefined} autoFocus />
      );
    case 'time':
      return (
        <TextField field={field} label={label} type="time" description={<Limits described={described} />} autoFocus />
      );
    default:
      return (
        <NumberField
          field={field}
          label={label}
          unit={unitOfMeasure === null ? undefined : symbolOf(unitOfMeasure)}
          description={<Limits described={described} />}
          autoFocus
        />
      );
  }
}

/** From which to which value, and in which steps. */
function Limits({ described }: { readonly described: UnitValue }): JSX.Element | undefined {
  const language = useLanguage();
  const { t, formats } = language;
  const { min, max, step } = described.constraints;
  const show = (bound: number | string): string => formatValue(described, bound, language);
  if (min !== null && max !== null)
    return (
      <>
        {t('field.range', { from: show(min), to: show(max) })}
        {step === null || step === 1 ? undefined : ` ${t('field.step', { step: formats.number(step) })}`}
      </>
    );
  if (min !== null) return <>{t('field.atLeast', { from: show(min) })}</>;
  return max === null ? undefined : <>{t('field.atMost', { to: show(max) })}</>;
}
