// Sets the opening hours of some weekdays for several units of a location at once. Each unit that has them already is
// left alone, so that a second try goes on where the first one ended.

import type { JSX } from 'react';
import type { Client } from '../api/client.ts';
import type { SettingName } from '../api/operations.ts';
import { may } from '../api/rights.ts';
import { CommandButton } from '../command/command-button.tsx';
import { CommandDialog } from '../command/command-dialog.tsx';
import { useOpenCommand } from '../command/command-address.ts';
import { ManyChoicesField } from '../command/fields.tsx';
import { useCommand } from '../command/use-command.ts';
import { useLanguage, useManager } from '../portal.tsx';
import { formatOpeningTimes, usualInterval } from './opening-times.ts';
import { OpeningTimesField } from './opening-times-field.tsx';
import { readsOfSettings } from '../units/setting-dialog.tsx';

const hoursCommand = 'hours';
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

type HoursCommandProps = {
  readonly unitKids: readonly string[];
  readonly nameOf: (unitKids: readonly string[]) => string;
};

/** The button and the dialog for a group of units with the same hours. */
export function HoursCommand({ unitKids, nameOf }: HoursCommandProps): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const opened = useOpenCommand(hoursCommand, { id: 'SetUnitSetting' });
  const [first = ''] = unitKids;
  return (
    <>
      {may(manager, 'SetUnitSetting') ? (
        <p className="marks">
          <CommandButton name={`${hoursCommand}.${first}`} text={t('hours.change')} about={nameOf(unitKids)} isSmall />
        </p>
      ) : undefined}
      {opened === first ? (
        <HoursDialog unitKids={unitKids} nameOf={nameOf} name={`${hoursCommand}.${first}`} />
      ) : undefined}
    </>
  );
}

type HoursValues = { readonly days: readonly string[]; readonly hours: string };

async function setHours(client: Client, unitKids: readonly string[], { days, hours }: HoursValues) {
  const value = hours === '' ? null : hours;
  const changed = [];
  for (const unitKid of unitKids) {
    const { values } = await client.call('GetUnitGroup', { unitKid, group: 'OpeningHours' });
    for (const { name, value: stored, revision } of values)
      if (days.includes(name) && stored !== value)
        changed.push(
          await client.call(
            'SetUnitSetting',
            { unitKid, setting: name as SettingName },
            { body: { value, expectedRevision: revision } },
          ),
        );
  }
  return changed;
}

function HoursDialog({ unitKids, nameOf, name }: HoursCommandProps & { readonly name: string }): JSX.Element {
  const { t, formats } = useLanguage();
  const command = useCommand({
    name,
    id: 'SetUnitSetting',
    stored: {
      values: {
        days: [] as readonly string[],
        hours: formatOpeningTimes({ kind: 'hours', intervals: [usualInterval] }),
      },
    },
    check: ({ days }) => (days.length === 0 ? { days: t('hours.noDay') } : {}),
    perform: (values, { client }) => setHours(client, unitKids, values),
    invalidates: readsOfSettings,
    done: (changed) => ({ text: t('hours.saved', { count: changed.length }) }),
  });
  return (
    <CommandDialog command={command} title={t('hours.change')} action={t('action.save')}>
      <p>{nameOf(unitKids)}</p>
      <ManyChoicesField
        field={command.field('days')}
        label={t('hours.days')}
        choices={weekdays.map((weekday, index) => [`Opening${weekday}`, formats.weekday(index + 1)])}
      />
      <OpeningTimesField field={command.field('hours')} label={t('hours.title')} />
    </CommandDialog>
  );
}
