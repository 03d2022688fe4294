// The palette: finds screens, places, people and the object of any KID by what is typed, and opens them by keyboard.

import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useState, type JSX, type KeyboardEvent } from 'react';
import { longestFilter } from '../api/limits.ts';
import type { CurrentManager } from '../api/operations.ts';
import { Icon } from '../components/icon.tsx';
import { ModalDialog } from '../components/modal-dialog.tsx';
import { useOwnActions } from '../layout/own-actions.ts';
import { useLanguage } from '../portal.tsx';
import type { Entry, EntryGroup } from './entries.ts';
import { listActions } from './actions.ts';
import { useFound, type Found } from './use-found.ts';
import styles from './palette.module.css';
import navigationStyles from '../layout/navigation.module.css';

type PaletteProps = { readonly manager: CurrentManager; readonly onClose: () => void };

export function Palette({ manager, onClose }: PaletteProps): JSX.Element {
  const { t } = useLanguage();
  return (
    <ModalDialog
      className={`dialog ${styles.palette}`}
      title={t('palette.title')}
      isTitleShown={false}
      isDismissable
      onClose={onClose}
    >
      <Finder manager={manager} onClose={onClose} />
    </ModalDialog>
  );
}

/** The KID of the object of the screen, or of the housing association to which the screen belongs. */
const placeIn = (path: string): string =>
  /\/(?:banks|locations|units|documents|computers)\/([^/]+)/.exec(path)?.[1] ?? '';

/** A list of options below a field (ARIA Authoring Practices, combobox): the focus stays in the field. */
function Finder({ manager, onClose }: PaletteProps): JSX.Element {
  const { t } = useLanguage();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const id = useId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  /** Enter was pressed before anything was found. */
  const [isAwaited, setAwaited] = useState(false);
  const placeKid = placeIn(pathname);
  const own = useOwnActions(manager);
  const found = useFound({ manager, text, placeKid, actions: listActions({ manager, placeKid, own, t }) });
  const entries = found.groups.flatMap((group) => group.entries);
  const pointed = Math.min(chosen, entries.length - 1);

  useEffect(() => {
    document.getElementById(optionId(id, pointed))?.scrollIntoView({ block: 'nearest' });
  }, [id, pointed]);

  function follow(entry: Entry | undefined): void {
    if (entry === undefined) return;
    onClose();
    if ('run' in entry) entry.run();
    else void navigate({ to: entry.to, search: entry.search ?? {} });
  }

  useEffect(() => {
    if (isAwaited && entries[0] !== undefined) follow(entries[0]);
  });

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: pageOfEntries, PageUp: -pageOfEntries }[event.key];
    if (event.key === 'Enter' && entries.length === 0) setAwaited(found.isSearching);
    else if (event.key === 'Enter') follow(entries[pointed]);
    else if (step === undefined || entries.length === 0) return;
    else setChosen(nextOf(pointed, step, entries.length));
    event.preventDefault();
  }

  return (
    <>
      <SearchField
        id={id}
        text={text}
        pointed={entries.length === 0 ? undefined : pointed}
        onType={(typed) => {
          setText(typed);
          setChosen(0);
          setAwaited(false);
        }}
        onKeyDown={onKeyDown}
      />
      {entries.length === 0 ? undefined : (
        <Options id={id} groups={found.groups} pointed={pointed} onPoint={setChosen} onFollow={follow} />
      )}
      <PaletteState found={found} count={entries.length} />
    </>
  );
}

const pageOfEntries = 8;

type SearchFieldProps = {
  /** The id of the list below. */
  readonly id: string;
  readonly text: string;
  /** The number of the chosen option; undefined if there is none. */
  readonly pointed: number | undefined;
  readonly onType: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
};

function SearchField({ id, text, pointed, onType, onKeyDown }: SearchFieldProps): JSX.Element {
  const { t } = useLanguage();
  return (
    <div className={styles.field}>
      <Icon name="search" />
      <input
        role="combobox"
        aria-label={t('palette.title')}
        aria-autocomplete="list"
        aria-expanded={pointed !== undefined}
        aria-controls={pointed === undefined ? undefined : id}
        aria-activedescendant={pointed === undefined ? undefined : optionId(id, pointed)}
        value={text}
        placeholder={t('palette.hint')}
        autoFocus
        autoComplete="off"
        spellCheck={false}
        maxLength={longestFilter}
        onChange={({ target }) => onType(target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

const optionId = (id: string, index: number): string => `${id}-${index}`;

/** From the last one on to the first; pages end at the ends. */
function nextOf(index: number, step: number, count: number): number {
  if (Math.abs(step) === 1) return (index + step + count) % count;
  return Math.max(0, Math.min(count - 1, index + step));
}

type OptionsProps = {
  readonly id: string;
  readonly groups: readonly EntryGroup[];
  readonly pointed: number;
  readonly onPoint: (index: number) => void;
  readonly onFollow: (entry: Entry) => void;
};

function Options({ id, groups, pointed, onPoint, onFollow }: OptionsProps): JSX.Element {
  const { t } = useLanguage();
  const numbered = new Map(groups.flatMap(({ entries }) => entries).map((entry, index) => [entry, index]));
  return (
    <div id={id} className={styles.list} role="listbox" aria-label={t('palette.title')}>
      {groups.map(({ title, entries }, group) => (
        <ul key={title} role="group" aria-labelledby={`${id}-group-${group}`}>
          <li role="presentation" className={`${navigationStyles.title} ${styles.title}`} id={`${id}-group-${group}`}>
            {title}
          </li>
          {entries.map((entry) => {
            const index = numbered.get(entry) ?? 0;
            return (
              <li
                key={entry.key}
                id={optionId(id, index)}
                role="option"
                aria-selected={index === pointed}
                onMouseMove={() => onPoint(index)}
                onClick={() => onFollow(entry)}
              >
                <Icon name={entry.icon} />
                <span className={styles.name}>{entry.title}</span>
                {entry.detail === undefined ? undefined : <span className="second">{entry.detail}</span>}
              </li>
            );
          })}
        </ul>
      ))}
    </div>
  );
}

function PaletteState({ found, count }: { readonly found: Found; readonly count: number }): JSX.Element {
  const { t } = useLanguage();
  const { isSearching, isIncomplete, searchedIn, unitsIn } = found;
  return (
    <div className={styles.state}>
      <p role="status">
        {isSearching ? t('palette.searching') : count === 0 ? t('list.none') : t('palette.count', { count })}
      </p>
      {isIncomplete && !isSearching ? <p>{t('palette.incomplete')}</p> : undefined}
      {searchedIn.length === 0 ? undefined : <p>{t('palette.searchedIn', { names: searchedIn.join(', ') })}</p>}
      {unitsIn === undefined || searchedIn.length > 0 ? undefined : <p>{t('palette.unitsIn', { count: unitsIn })}</p>}
      <p className="wide-only">
        <kbd>↑</kbd> <kbd>↓</kbd> {t('keys.choose')} <kbd>Enter</kbd> {t('keys.openChosen')} <kbd>Esc</kbd>{' '}
        {t('action.close')}
      </p>
    </div>
  );
}
