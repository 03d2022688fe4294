// Chooses the resident whose postings the account shows: found by name, email address, apartment or key while one types.

import { useId, useState, type JSX, type KeyboardEvent } from 'react';
import { longestFilter } from '../api/limits.ts';
import type { Resident } from '../api/operations.ts';
import { may, mayInBank } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import type { ListState } from '../lists/list-state.ts';
import { usePaused } from '../components/use-paused.ts';
import { useLanguage, useManager } from '../portal.tsx';
import styles from './resident-filter.module.css';

type ResidentFilterProps = { readonly list: ListState; readonly bankKid: string };

const mostShown = 20;

export function ResidentFilter({ list, bankKid }: ResidentFilterProps): JSX.Element | undefined {
  const manager = useManager();
  /** What had the focus is replaced by the other part. */
  const [isMoved, setMoved] = useState(false);
  const { userKid } = list.search;
  const choose = (chosen: string | undefined): void => {
    setMoved(true);
    list.change({ userKid: chosen });
  };
  if (userKid !== undefined)
    return <Chosen bankKid={bankKid} userKid={userKid} isFocused={isMoved} onClear={() => choose(undefined)} />;
  return may(manager, 'GetBankUsers') ? <Search bankKid={bankKid} isFocused={isMoved} onChoose={choose} /> : undefined;
}

type ChosenProps = {
  readonly bankKid: string;
  readonly userKid: string;
  readonly isFocused: boolean;
  readonly onClear: () => void;
};

function Chosen({ bankKid, userKid, isFocused, onClear }: ChosenProps): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const isGuest = userKid.endsWith('-R1000');
  const isNamed = !isGuest && !userKid.endsWith('-R0') && mayInBank(manager, bankKid, 'GetBankUserWorkspace');
  const { data } = useRead('GetBankUserWorkspace', { bankKid, userKid }, { enabled: isNamed });
  const name = isGuest ? t('resident.guest') : (data?.user.name ?? '');
  return (
    <div className="field">
      <span className="field-name">{t('word.resident')}</span>
      <button type="button" className="button" autoFocus={isFocused} onClick={onClear}>
        {name === '' ? <code>{userKid}</code> : name} ✕<span className="visually-hidden">{t('action.clear')}</span>
      </button>
    </div>
  );
}

type SearchProps = {
  readonly bankKid: string;
  readonly isFocused: boolean;
  readonly onChoose: (userKid: string) => void;
};

/** A list of options below a field (ARIA Authoring Practices, combobox): the focus stays in the field. */
function Search({ bankKid, isFocused, onChoose }: SearchProps): JSX.Element {
  const { t } = useLanguage();
  const id = useId();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [pointed, setPointed] = useState(0);
  const filter = usePaused(text.trim());
  const isAsked = filter !== '' && filter === text.trim();
  const residents = useRead('GetBankUsers', { bankKid, filter, limit: mostShown }, { enabled: filter !== '' });
  const isFound = isAsked && residents.data !== undefined && !residents.isPlaceholderData;
  const items = isFound ? residents.data.items : [];
  const isListed = isOpen && text.trim() !== '';

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = items[pointed];
    if (event.key === 'Escape' && isListed) setOpen(false);
    else if (event.key === 'Enter' && isListed && chosen !== undefined) onChoose(chosen.kid);
    else if (step === undefined || items.length === 0) return;
    else if (isListed) setPointed((pointed + step + items.length) % items.length);
    else setOpen(true);
    event.preventDefault();
  }

  return (
    <div className={`field ${styles.combobox}`}>
      <label htmlFor={id}>{t('word.resident')}</label>
      <input
        id={id}
        role="combobox"
        aria-expanded={isListed}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isListed && items.length > 0 ? `${id}-${pointed}` : undefined}
        value={text}
        autoFocus={isFocused}
        autoComplete="off"
        spellCheck={false}
        maxLength={longestFilter}
        placeholder={t('list.filterHint')}
        onChange={({ target }) => {
          setText(target.value);
          setPointed(0);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      />
      <div className={`popover ${styles.list}`} hidden={!isListed}>
        <Options id={id} items={items} pointed={pointed} onChoose={onChoose} />
        <p className="soft" role="status">
          {items.length > 0 ? '' : t(isFound ? 'list.none' : 'palette.searching')}
        </p>
      </div>
    </div>
  );
}

type OptionsProps = Pick<SearchProps, 'onChoose'> & {
  readonly id: string;
  readonly items: readonly Resident[];
  readonly pointed: number;
};

function Options({ id, items, pointed, onChoose }: OptionsProps): JSX.Element {
  const { t } = useLanguage();
  return (
    <ul id={`${id}-list`} className="menu" role="listbox" aria-label={t('bank.residents')}>
      {items.map(({ kid, name, apartment }, index) => (
        <li
          key={kid}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === pointed}
          data-focused={index === pointed ? '' : undefined}
          // The field would lose the focus before the click.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(kid)}
        >
          <span>
            {name === '' ? kid : name}
            <span className="second">{apartment}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
