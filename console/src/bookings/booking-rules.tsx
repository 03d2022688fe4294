// The booking rules of a location, in the service's own sentences, with what is contradictory in them.

import type { JSX } from 'react';
import { useRead } from '../api/use-read.ts';
import { Loaded } from '../components/loaded.tsx';
import { Empty, Section } from '../components/page.tsx';
import { useLanguage } from '../portal.tsx';
import { UnitSettingLinks } from '../units/unit-setting-links.tsx';
import { useUnitNames } from '../units/unit-names.ts';

export function BookingRulesSection({ locationKid }: { readonly locationKid: string }): JSX.Element {
  const { t } = useLanguage();
  const rules = useRead('GetLocationBookingRules', { locationKid });
  const namesOf = useUnitNames(locationKid);
  return (
    <Section title={t('rules.title')}>
      <Loaded read={rules}>
        {({ groups }) =>
          groups.length === 0 ? (
            <Empty>{t('rules.none')}</Empty>
          ) : (
            groups.map((group) => (
              <div key={group.unitKids.join(' ')} className="panel">
                <h3>{namesOf(group.unitKids)}</h3>
                {group.calendar === null ? undefined : (
                  <p className="second">{t('rules.calendar', { calendar: group.calendar })}</p>
                )}
                <ul className="sentences">
                  {group.rules.map(({ code, text }) => (
                    <li key={code}>{text}</li>
                  ))}
                </ul>
                {group.warnings.map(({ code, text }) => (
                  <p key={code} className="note note-bad">
                    {text}
                  </p>
                ))}
                <UnitSettingLinks unitKids={group.unitKids} nameOf={namesOf} group="Booking" />
              </div>
            ))
          )
        }
      </Loaded>
    </Section>
  );
}
