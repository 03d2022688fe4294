// The whole text of a profile, with what is wrong with it by its lines: each error leads to its place in the text.

import { useId, useRef, type JSX } from 'react';
import type { Problem } from '../api/problem.ts';
import type { Field } from '../command/command-types.ts';
import { useLanguage } from '../portal.tsx';
import { findPlace, lineAt, readDocument, type TextRange } from './json-places.ts';
import styles from './profile-text-field.module.css';

type ProfileTextFieldProps = {
  readonly field: Field<string>;
  readonly label: string;
  readonly description: string;
  /** What the service has answered to the text, as it was then. */
  readonly problem: Problem | undefined;
};

type PlacedError = { readonly range: TextRange; readonly text: string; readonly path: string };

const documentPath = /^body\.document\.?/;

export function ProfileTextField({ field, label, description, problem }: ProfileTextFieldProps): JSX.Element {
  const { t } = useLanguage();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const errors = listErrors(field.value, problem);
  const isWrong = field.error !== undefined || errors.length > 0;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        ref={area}
        id={id}
        name={field.name}
        className={styles.text}
        rows={18}
        spellCheck={false}
        autoComplete="off"
        value={field.value}
        readOnly={field.isDisabled}
        aria-invalid={isWrong || undefined}
        aria-describedby={`${id}-help${isWrong ? ` ${id}-errors` : ''}`}
        onChange={({ target }) => field.change(target.value)}
      />
      <span id={`${id}-help`} className="field-help">
        {description}
      </span>
      {isWrong ? (
        <div id={`${id}-errors`} className="field-errors" role="alert">
          {field.error === undefined ? undefined : <span>{field.error}</span>}
          {errors.map(({ range, text, path }) => (
            <span key={`${path} ${text}`}>
              <button type="button" className="button button-small" onClick={() => showRange(area.current, range)}>
                {t('importProfile.line', { line: lineAt(field.value, range.start).line })}
              </button>{' '}
              {path === '' ? undefined : <code>{path}</code>} <span lang="en">{text}</span>
            </span>
          ))}
        </div>
      ) : undefined}
    </div>
  );
}

/** What the service has against the text, where it stands by now. */
function listErrors(text: string, problem: Problem | undefined): PlacedError[] {
  const document = readDocument(text);
  const places = document.value === undefined ? new Map<string, TextRange>() : document.places;
  return (problem?.errors ?? []).map(({ path, message }) => {
    const own = path.replace(documentPath, '');
    return { path: own, text: message, range: findPlace(places, own) };
  });
}

/** Selects it, and brings it into view. */
function showRange(area: HTMLTextAreaElement | null, { start, end }: TextRange): void {
  if (area === null) return;
  area.focus();
  area.setSelectionRange(start, end);
  const { line } = lineAt(area.value, start);
  const lines = area.value.split('\n').length;
  area.scrollTop = Math.max(0, (line / lines) * area.scrollHeight - area.clientHeight / 2);
}
