// An import in numbers: what its plan does with how many rows, how far it is, and what became of them.

import { Link, useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Import, ImportOutcome } from '../api/operations.ts';
import type { StateText } from '../components/state-mark.tsx';
import { useLanguage } from '../portal.tsx';
import { importActions, importOutcomes } from './import-states.ts';
import styles from './import-numbers.module.css';

type ImportProps = { readonly of: Import };

/** How many rows change something. */
export const changingRows = ({ counts: { create, update, missing } }: Pick<Import, 'counts'>): number =>
  create + update + missing;

export function ImportNumbers({ of: found }: ImportProps): JSX.Element {
  const { outcomes } = found;
  const isDone = Object.values(outcomes).some((count) => count > 0);
  return (
    <>
      <Tiles name="action" counts={found.counts} shown={importActions} />
      {isDone ? <Tiles name="outcome" counts={outcomes} shown={importOutcomes} /> : undefined}
    </>
  );
}

type TilesProps = {
  readonly name: 'action' | 'outcome';
  readonly counts: Readonly<Record<string, number>>;
  readonly shown: Readonly<Record<string, StateText>>;
};

/** Each number leads to its rows. */
function Tiles({ name, counts, shown }: TilesProps): JSX.Element {
  const { t, formats } = useLanguage();
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  return (
    <ul className="tiles">
      {Object.entries(shown).map(([key, { text, tone }]) => {
        const count = counts[key] ?? 0;
        const isRaised = count > 0 && (tone === 'bad' || tone === 'warn');
        return (
          <li key={key} className={isRaised ? 'tile is-raised' : 'tile'}>
            <span className="tile-value">{formats.number(count)}</span>
            {count === 0 ? (
              <span className="tile-name">{t(text)}</span>
            ) : (
              <Link
                to="."
                search={{ [name]: key }}
                className="tile-name"
                resetScroll={false}
                aria-current={search[name] === key ? 'true' : undefined}
              >
                {t(text)}
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const doneOutcomes: readonly ImportOutcome[] = ['applied', 'stale', 'failed'];
const undoneOutcomes: readonly ImportOutcome[] = ['undone', 'kept'];

/** How far it is, while rows are applied or undone. */
export function ImportProgress({ of: found }: ImportProps): JSX.Element | undefined {
  const { t, formats } = useLanguage();
  const { state, outcomes } = found;
  if (state === 'planning') return <p role="status">{t('import.reading')}</p>;
  if (state !== 'applying' && state !== 'undoing') return undefined;
  const isUndo = state === 'undoing';
  const done = (isUndo ? undoneOutcomes : doneOutcomes).reduce((sum, name) => sum + outcomes[name], 0);
  const all = isUndo ? outcomes.applied : changingRows(found);
  const text = t('import.progress', { done, all });
  return (
    <div className={styles.progress}>
      <progress value={done} max={Math.max(1, all)} aria-label={t(isUndo ? 'import.undoing' : 'import.applying')}>
        {formats.number(done)}
      </progress>
      <p role="status">{text}</p>
    </div>
  );
}
