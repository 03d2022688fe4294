// The days that a list is about: its first and its last one, and the usual choices at a press.

import type { JSX } from 'react';
import { DateFilter } from '../components/filters.tsx';
import type { ListState } from '../components/list-state.ts';
import type { Search } from '../components/search-values.ts';
import { useLanguage } from '../portal.tsx';
import type { Days } from './today.ts';
import styles from './day-range.module.css';

type DayRangeProps = {
  readonly list: ListState;
  /** The days that are shown; empty texts while they are not known. */
  readonly days: Days;
  /** Days that are chosen often, by their names. */
  readonly usual: readonly (readonly [name: string, days: Days])[];
  /** What else the address has to say for days to count. */
  readonly also?: Search;
};

/** A first day after the last one moves it along, and the other way round: there is always something between. */
export function DayRange({ list, days, usual, also = {} }: DayRangeProps): JSX.Element {
  const { t } = useLanguage();
  const { from, through } = days;
  const show = (chosen: Days): void => list.change({ ...also, ...chosen });
  return (
    <>
      <DateFilter
        label={t('word.from')}
        value={from}
        onChange={(day) => show({ from: day, through: through < day ? day : through })}
      />
      <DateFilter
        label={t('word.through')}
        value={through}
        onChange={(day) => show({ from: from > day || from === '' ? day : from, through: day })}
      />
      <div className={`field ${styles.usual}`} role="group" aria-label={t('day.usual')}>
        {usual.map(([name, chosen]) => (
          <button
            key={name}
            type="button"
            className="button button-small"
            aria-pressed={isSame(chosen, days) && isChosen(list, also)}
            onClick={() => show(chosen)}
          >
            {name}
          </button>
        ))}
      </div>
    </>
  );
}

const isSame = (one: Days, other: Days): boolean => one.from === other.from && one.through === other.through;

const isChosen = ({ search }: ListState, also: Search): boolean =>
  Object.entries(also).every(([name, value]) => search[name] === value);
