// The controls above a list: a text to look for, choices, and dates. Each writes into the address.

import { useEffect, useId, useRef, useState, type JSX, type ReactNode } from 'react';
import { longestFilter } from '../api/limits.ts';
import { useLanguage } from '../portal.tsx';
import { Icon } from './icon.tsx';
import type { ListState } from './list-state.ts';
import styles from './filters.module.css';

export const FilterBar = ({ children }: { readonly children: ReactNode }): JSX.Element => (
  <search className="filters">{children}</search>
);

/** How long a reader pauses between letters. */
const typingPauseMs = 300;

type FilterProps = { readonly list: ListState; readonly label: string; readonly name?: string };

type TextFilterProps = FilterProps & {
  /** Another value of the address that makes no sense with another filter. */
  readonly resets?: string;
};

export function TextFilter({ list, label, name = 'filter', resets = 'offset' }: TextFilterProps): JSX.Element {
  const id = useId();
  const inAddress = list.search[name] ?? '';
  const [text, setText] = useState(inAddress);
  const timer = useRef<number>(undefined);
  const [seen, setSeen] = useState(inAddress);
  // Back, and links, change the address under the field.
  if (seen !== inAddress) {
    setSeen(inAddress);
    setText(inAddress);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const { t } = useLanguage();
  return (
    <div className={`field ${styles.search}`}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.box}>
        <Icon name="search" />
        <input
          id={id}
          type="search"
          value={text}
          data-filter
          autoComplete="off"
          spellCheck={false}
          maxLength={longestFilter}
          placeholder={t('list.filterHint')}
          onChange={({ target: { value } }) => {
            setText(value);
            clearTimeout(timer.current);
            timer.current = window.setTimeout(
              () => list.change({ [name]: value.trim(), [resets]: undefined }, true),
              typingPauseMs,
            );
          }}
        />
      </div>
    </div>
  );
}

type ChoiceProps = FilterProps & {
  readonly name: string;
  /** Value and text; the first one is what the service does unless told, and stays out of the address. */
  readonly choices: readonly (readonly [value: string, text: string])[];
};

export function ChoiceFilter({ list, label, name, choices }: ChoiceProps): JSX.Element {
  const id = useId();
  const [first] = choices;
  const value = list.search[name] ?? first?.[0] ?? '';
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => list.change({ [name]: target.value === first?.[0] ? undefined : target.value })}
      >
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Longer than for letters: a date that is typed is another one after each digit. */
const datePauseMs = 700;

/** Years of less digits are on their way to one of four. */
const isWholeDate = (date: string): boolean => /^[1-9]\d{3}-/.test(date);

type DateFilterProps = {
  readonly label: string;
  /** The day that is shown now; empty if there is none. */
  readonly value: string;
  readonly onChange: (day: string) => void;
};

/** Nothing is asked for while a date is being typed, and nothing disturbs the typing. */
export function DateFilter({ label, value, onChange }: DateFilterProps): JSX.Element {
  const id = useId();
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  const [chosen, setChosen] = useState(value);
  const timer = useRef<number>(undefined);
  // Back, and links, change the day under the field; what was typed into it is there already.
  if (seen !== value) {
    setSeen(value);
    setChosen(value);
    if (value !== chosen) setText(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  function choose(day: string): void {
    clearTimeout(timer.current);
    if (day === value) return;
    setChosen(day);
    onChange(day);
  }

  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="date"
        value={text}
        onChange={({ target }) => {
          const day = target.value;
          setText(day);
          clearTimeout(timer.current);
          if (isWholeDate(day)) timer.current = window.setTimeout(() => choose(day), datePauseMs);
        }}
        onBlur={() => (isWholeDate(text) ? choose(text) : setText(value))}
        onKeyDown={({ key }) => {
          if (key === 'Enter' && isWholeDate(text)) choose(text);
        }}
      />
    </div>
  );
}

/** A box that is ticked unless the address says otherwise. */
export function CheckFilter({ list, label, name }: FilterProps & { readonly name: string }): JSX.Element {
  const id = useId();
  return (
    <div className="field field-check">
      <input
        id={id}
        type="checkbox"
        checked={list.search[name] !== 'no'}
        onChange={({ target }) => list.change({ [name]: target.checked ? undefined : 'no' })}
      />
      <label htmlFor={id}>{label}</label>
    </div>
  );
}
