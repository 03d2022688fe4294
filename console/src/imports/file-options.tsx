// What the service detects of a file by itself, for files of which it cannot. What is chosen is in the address.

import type { JSX } from 'react';
import type { ImportEncoding, ImportFormat, ImportSeparator } from '../api/operations.ts';
import { ChoiceFilter } from '../lists/filters.tsx';
import type { ListState } from '../lists/list-state.ts';
import { choiceIn, type Search } from '../lists/search-values.ts';
import { useLanguage } from '../portal.tsx';

const encodings = ['utf-8', 'windows-1252', 'iso-8859-15'] as const;
const formats = ['csv', 'json-lines'] as const;
const separators = { semicolon: ';', comma: ',', tab: '\t' } as const;

type FileOptions = {
  readonly format: ImportFormat | undefined;
  readonly encoding: ImportEncoding | undefined;
  readonly separator: ImportSeparator | undefined;
};

export function fileOptionsIn(search: Search): FileOptions {
  const separator = choiceIn(search, 'separator', Object.keys(separators) as (keyof typeof separators)[]);
  return {
    format: choiceIn(search, 'format', formats),
    encoding: choiceIn(search, 'encoding', encodings),
    separator: separator === undefined ? undefined : separators[separator],
  };
}

export function FileOptionFields({ list }: { readonly list: ListState }): JSX.Element {
  const { t } = useLanguage();
  const detected = ['', t('import.detected')] as const;
  return (
    <details>
      <summary>{t('import.detection')}</summary>
      <div className="filters">
        <ChoiceFilter
          list={list}
          label={t('import.format')}
          name="format"
          choices={[detected, ['csv', 'CSV'], ['json-lines', 'JSON Lines']]}
        />
        <ChoiceFilter
          list={list}
          label={t('import.encoding')}
          name="encoding"
          choices={[detected, ...encodings.map((encoding) => [encoding, encoding] as const)]}
        />
        <ChoiceFilter
          list={list}
          label={t('import.separator')}
          name="separator"
          choices={[detected, ['semicolon', ';'], ['comma', ','], ['tab', 'Tab']]}
        />
      </div>
    </details>
  );
}
