// Two versions side by side: what the manager has typed, and what somebody else has stored meanwhile. The manager
// chooses, and nothing that was typed is lost.

import { useState, type JSX, type ReactNode } from 'react';
import { useLanguage } from '../portal.tsx';
import type { FieldValue, Values, Version } from './command-store.ts';
import { compareVersions, mergeVersions, type Difference, type Side } from './merge-versions.ts';
import styles from './conflict-view.module.css';

type ConflictViewProps = {
  readonly versions: { readonly base: Version; readonly mine: Values; readonly theirs: Version };
  readonly labels: Readonly<Record<string, string | undefined>>;
  readonly format: (name: string, value: FieldValue) => ReactNode;
  readonly onResolve: (merged: Values) => void;
  /** What was typed is stored already, or no longer wanted. */
  readonly onDiscard: () => void;
  readonly onClose: () => void;
};

export function ConflictView({ versions, labels, format, onResolve, ...leave }: ConflictViewProps): JSX.Element {
  const { t, formats } = useLanguage();
  const { base, mine, theirs } = versions;
  const compared = { base: base.values, mine, theirs: theirs.values };
  const differences = compareVersions(compared);
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const sideOf = ({ name, taken }: Difference): Side | undefined => chosen[name] ?? taken;
  const isChosen = differences.every((difference) => sideOf(difference) !== undefined);
  const editor = [theirs.editorName, theirs.editedAtUtc == null ? '' : formats.dateTime(theirs.editedAtUtc)];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isChosen) onResolve(mergeVersions(compared, chosen));
      }}
    >
      <div className="note" role="alert">
        <p>{t('conflict.title')}</p>
        <p>{editor.filter(Boolean).join(', ')}</p>
        <p>{t(differences.length === 0 ? 'conflict.same' : 'conflict.advice')}</p>
      </div>
      {differences.map((difference) => (
        <Choice
          key={difference.name}
          difference={difference}
          label={labels[difference.name] ?? difference.name}
          format={format}
          side={sideOf(difference)}
          onChoose={(side) => setChosen((before) => ({ ...before, [difference.name]: side }))}
        />
      ))}
      <div className="dialog-actions">
        {differences.length === 0 ? undefined : (
          <button type="submit" className="button button-main" aria-disabled={!isChosen}>
            {t('conflict.continue')}
          </button>
        )}
        <button type="button" className="button" onClick={leave.onClose}>
          {t('action.close')}
        </button>
        <button type="button" className="button button-plain" onClick={leave.onDiscard}>
          {t('command.discard')}
        </button>
      </div>
    </form>
  );
}

type ChoiceProps = Pick<ConflictViewProps, 'format'> & {
  readonly difference: Difference;
  readonly label: string;
  readonly side: Side | undefined;
  readonly onChoose: (side: Side) => void;
};

function Choice({ difference, label, format, side, onChoose }: ChoiceProps): JSX.Element {
  const { t } = useLanguage();
  const { name } = difference;
  return (
    <fieldset className={styles.conflict}>
      <legend>{label}</legend>
      {(['mine', 'theirs'] as const).map((each) => (
        <label key={each} className={side === each ? `${styles.side} ${styles.chosen}` : styles.side}>
          <input type="radio" name={`conflict-${name}`} checked={side === each} onChange={() => onChoose(each)} />
          <span>
            <span className="field-name">{t(each === 'mine' ? 'conflict.mine' : 'conflict.theirs')}</span>
            <span className="line">{format(name, difference[each])}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
