// Writes a setting of a unit. What has been written goes to the equipment afterwards; the table of settings shows that.

import type { JSX } from 'react';
import { largestPages } from '../api/limits.ts';
import type { Client } from '../api/client.ts';
import type { SettingName, SettingValue, Unit, UnitDetail, UnitGroupName, UnitValue } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import { CommandDialog } from '../command/command-dialog.tsx';
import type { Version } from '../command/command-store.ts';
import { ChoiceField, ManyChoicesField, NumberField, TextField } from '../command/fields.tsx';
import { requestOf } from '../command/toast-store.ts';
import type { Field, Sending } from '../command/command-types.ts';
import { useCommand } from '../command/use-command.ts';
import { unitPath } from '../paths.ts';
import { useLanguage } from '../portal.tsx';
import { OpeningTimesField } from '../locations/opening-times-field.tsx';
import { fromField, toField } from './setting-value.ts';
import { formatTyped, formatValue, symbolOf } from './unit-value.ts';

type SettingDialogProps = {
  readonly unit: UnitDetail;
  readonly group: UnitGroupName;
  readonly described: UnitValue;
};

type SettingValues = {
  readonly value: string;
  /** KIDs of other units that get the same value. */
  readonly others: readonly string[];
};

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

export function SettingDialog({ unit, group, described }: SettingDialogProps): JSX.Element {
  const language = useLanguage();
  const { t, locale } = language;
  const setting = described.name as SettingName;
  const input = { unitKid: unit.kid, setting };
  const others = useOtherUnits(unit);
  const toVersion = ({ value, revision, editorName, editedAtUtc }: UnitValue): Version<SettingValues> => ({
    values: { value: toField(described, value, locale), others: [] },
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
    perform: (values, sending) =>
      writeSetting({ input, group, value: fromField(described, values.value) ?? null, others: values.others }, sending),
    invalidates: readsOfSettings,
    reread: async (client: Client) => {
      const { values } = await client.call('GetUnitGroup', { unitKid: unit.kid, group });
      return toVersion(values.find(({ name }) => name === setting) ?? described);
    },
    done: ({ written, count }) => ({
      text:
        count === 1
          ? t('unit.saved', { name: described.label, value: formatValue(described, written.value, language) })
          : t('hours.saved', { count }),
      link: { to: unitPath(unit.kid), search: { group, setting }, text: t('unit.showHistory') },
      ...(count === 1
        ? {
            undo: requestOf('SetUnitSetting', {
              input,
              body: { value: described.value, expectedRevision: written.revision },
            }),
          }
        : {}),
    }),
  });
  return (
    <CommandDialog
      command={command}
      title={described.label}
      action={t('action.save')}
      labels={{ value: described.label, others: t('unit.alsoFor') }}
      format={(name, typed) => (name === 'value' ? formatTyped(described, String(typed), language) : String(typed))}
    >
      <ValueField described={described} group={group} field={command.field('value')} />
      {others.length === 0 ? undefined : (
        <ManyChoicesField
          field={command.field('others')}
          label={t('unit.alsoFor')}
          choices={others.map(({ kid, name }) => [kid, name])}
        />
      )}
    </CommandDialog>
  );
}

/** The units of the same type in the same location: they have the same settings. */
function useOtherUnits({ kid: unitKid, locationKid, unitType }: UnitDetail): readonly Unit[] {
  const units = useRead('GetLocationUnits', { locationKid, limit: largestPages.GetLocationUnits });
  return (units.data?.items ?? []).filter((each) => each.unitType === unitType && each.kid !== unitKid);
}

type SettingWrite = {
  readonly input: { readonly unitKid: string; readonly setting: SettingName };
  readonly group: UnitGroupName;
  readonly value: SettingValue;
  readonly others: readonly string[];
};

/** That of the unit itself is compared with what the manager has seen; others get the value, if they have another one. */
async function writeSetting(
  { input, group, value, others }: SettingWrite,
  { client, key, revision }: Sending,
): Promise<{ readonly written: UnitValue; /** Of the units that have the value now. */ readonly count: number }> {
  const { setting } = input;
  const written = await client.call('SetUnitSetting', input, { body: { value, expectedRevision: revision }, key });
  let count = 1;
  for (const unitKid of others) {
    const { values } = await client.call('GetUnitGroup', { unitKid, group });
    const stored = values.find(({ name }) => name === setting);
    if (stored === undefined) continue;
    count += 1;
    if (String(stored.value) === String(value)) continue;
    const body = { value, expectedRevision: stored.revision };
    await client.call('SetUnitSetting', { unitKid, setting }, { body });
  }
  return { written, count };
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
          choices={[
            ...none,
            ...(options ?? []).map((option, index) => [option, optionLabels?.[index] ?? option] as const),
          ]}
          autoFocus
        />
      );
    case 'text':
      return group === 'OpeningHours' ? (
        <OpeningTimesField field={field} label={label} autoFocus />
      ) : (
        <TextField field={field} label={label} maxLength={maxLength ?? undefined} autoFocus />
      );
    case 'time':
      return (
        <TextField field={field} label={label} type="time" description={<Limits described={described} />} autoFocus />
      );
    case 'int':
    case 'duration':
    case 'money':
    case 'decimal':
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
