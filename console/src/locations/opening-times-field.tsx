// The field of the opening hours of a weekday: unknown, closed, or intervals. An interval that ends at or before its
// start ends on the next day; midnight at the end is 24:00.

import { useId, type JSX } from 'react';
import type { Field } from '../command/command-types.ts';
import { ProblemSentence } from '../components/problem-panel.tsx';
import { useLanguage } from '../portal.tsx';
import {
  formatOpeningTimes,
  maxIntervals,
  parseOpeningTimes,
  usualInterval,
  type OpeningTimes,
} from './opening-times.ts';
import styles from './opening-times-field.module.css';

type OpeningTimesFieldProps = {
  readonly field: Field<string>;
  readonly label: string;
  /** The keyboard begins here. */
  readonly autoFocus?: boolean;
};

export function OpeningTimesField({ field, label, autoFocus }: OpeningTimesFieldProps): JSX.Element {
  const { t } = useLanguage();
  const id = useId();
  const times = parseOpeningTimes(field.value);
  const change = (next: OpeningTimes): void => field.change(formatOpeningTimes(next));
  const kinds = [
    ['unknown', t('state.unknown')],
    ['closed', t('hours.closed')],
    ['hours', t('hours.open')],
  ] as const;
  return (
    <fieldset className="field field-many">
      <legend className="field-name">{label}</legend>
      <label htmlFor={id} className="visually-hidden">
        {t('word.state')}
      </label>
      <select
        id={id}
        value={times.kind}
        disabled={field.isDisabled}
        autoFocus={autoFocus}
        onChange={({ target: { value } }) => {
          const kind = value as OpeningTimes['kind'];
          change({ kind, intervals: kind === 'hours' ? [usualInterval] : [] });
        }}
      >
        {kinds.map(([kind, text]) => (
          <option key={kind} value={kind}>
            {text}
          </option>
        ))}
      </select>
      {times.kind === 'hours' ? <Intervals times={times} isDisabled={field.isDisabled} change={change} /> : undefined}
      {field.error === undefined ? undefined : (
        <span className="field-errors" role="alert">
          {field.error}
        </span>
      )}
      {field.serviceErrors.map((each) => (
        <span key={each.text} className="field-errors" role="alert">
          <ProblemSentence of={each} />
        </span>
      ))}
    </fieldset>
  );
}

type IntervalsProps = {
  readonly times: OpeningTimes;
  readonly isDisabled: boolean;
  readonly change: (times: OpeningTimes) => void;
};

function Intervals({ times, isDisabled, change }: IntervalsProps): JSX.Element {
  const { t } = useLanguage();
  const { intervals } = times;
  const changeAt = (changedIndex: number, changed: Partial<(typeof intervals)[number]>): void =>
    change({
      ...times,
      intervals: intervals.map((each, index) => (index === changedIndex ? { ...each, ...changed } : each)),
    });
  return (
    <>
      {intervals.map(({ from, to }, index) => (
        <div key={index} className={styles.interval}>
          {(['from', 'to'] as const).map((end) => (
            <input
              key={end}
              type="time"
              aria-label={t(end === 'from' ? 'word.from' : 'word.through')}
              // Browsers have no 24:00.
              value={end === 'from' ? from : to === '24:00' ? '00:00' : to}
              disabled={isDisabled}
              required
              onChange={({ target: { value } }) => {
                if (value !== '') changeAt(index, { [end]: end === 'to' && value === '00:00' ? '24:00' : value });
              }}
            />
          ))}
          {intervals.length === 1 ? undefined : (
            <button
              type="button"
              className="button"
              aria-disabled={isDisabled}
              onClick={() => change({ ...times, intervals: intervals.toSpliced(index, 1) })}
            >
              {t('action.remove')}
              <span className="visually-hidden">
                {from}–{to}
              </span>
            </button>
          )}
        </div>
      ))}
      {intervals.length >= maxIntervals ? undefined : (
        <button
          type="button"
          className="button"
          onClick={() => change({ ...times, intervals: [...intervals, usualInterval] })}
        >
          {t('hours.addInterval')}
        </button>
      )}
    </>
  );
}
