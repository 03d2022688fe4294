// The opening hours of a location: whether its units are open, when that changes, the week, and the days that differ.

import type { JSX } from 'react';
import type { OpeningException, OpeningHoursGroup, OpeningInterval } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Facts, Mark, Section } from '../components/page.tsx';
import { useLanguage } from '../portal.tsx';
import { HoursCommand } from './hours-command.tsx';
import { UnitSettingLinks } from '../units/unit-setting-links.tsx';
import { useUnitNames } from '../units/unit-names.ts';

export function OpeningHoursSection({ locationKid }: { readonly locationKid: string }): JSX.Element {
  const { t } = useLanguage();
  const hours = useRead('GetLocationOpeningHours', { locationKid });
  const namesOf = useUnitNames(locationKid);
  return (
    <Section title={t('hours.title')}>
      <Loaded read={hours}>
        {({ groups, timeZone }) =>
          groups.length === 0 ? (
            <Empty>{t('hours.none')}</Empty>
          ) : (
            groups.map((group) => (
              <Group key={group.unitKids.join(' ')} group={group} timeZone={timeZone} namesOf={namesOf} />
            ))
          )
        }
      </Loaded>
    </Section>
  );
}

type NamesOf = (unitKids: readonly string[]) => string;
type GroupProps = { readonly group: OpeningHoursGroup; readonly timeZone: string; readonly namesOf: NamesOf };

function Group({ group, timeZone, namesOf }: GroupProps): JSX.Element {
  const { t, formats } = useLanguage();
  const { isOpen, nextChange, weekly, exceptions } = group;
  return (
    <div className="panel">
      <h3>{namesOf(group.unitKids)}</h3>
      <p className="marks">
        {isOpen === null ? (
          <Mark tone="plain">{t('state.unknown')}</Mark>
        ) : (
          <Mark tone={isOpen ? 'ok' : 'plain'}>{t(isOpen ? 'hours.open' : 'hours.closed')}</Mark>
        )}
        {nextChange === null
          ? undefined
          : t(nextChange.opens ? 'hours.opensAt' : 'hours.closesAt', {
              time: formats.dateTime(nextChange.atUtc, timeZone),
            })}
      </p>
      <Facts facts={weekly.map(({ days, intervals }) => [nameDays(days, formats.weekday), describe(intervals, t)])} />
      {exceptions.length === 0 ? undefined : <Exceptions exceptions={exceptions} />}
      <HoursCommand unitKids={group.unitKids} nameOf={namesOf} />
      <UnitSettingLinks unitKids={group.unitKids} nameOf={namesOf} group="OpeningHours" />
    </div>
  );
}

function Exceptions({ exceptions }: { readonly exceptions: readonly OpeningException[] }): JSX.Element {
  const { t, formats } = useLanguage();
  return (
    <>
      <h4>{t('hours.exceptions')}</h4>
      <Facts
        facts={exceptions.map(({ date, intervals, text }) => [
          formats.date(date),
          <>
            {intervals === null ? t('state.unknown') : describe(intervals, t)}
            {text === '' ? undefined : <span className="second">{text}</span>}
          </>,
        ])}
      />
    </>
  );
}

type Texts = (key: 'hours.closed') => string;

const describe = (intervals: readonly OpeningInterval[], t: Texts): string =>
  intervals.length === 0 ? t('hours.closed') : intervals.map(({ from, to }) => `${from}–${to}`).join(', ');

/** Days in a row are named by the first and the last: 1, 2, 3 -> Monday–Wednesday. */
function nameDays(days: readonly number[], nameOf: (day: number) => string): string {
  const runs: [first: number, last: number][] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === day - 1) run[1] = day;
    else runs.push([day, day]);
  }
  return runs.map(([first, last]) => (first === last ? nameOf(first) : `${nameOf(first)}–${nameOf(last)}`)).join(', ');
}
