// What is wrong with a row of a file. The texts are those of the service, in English.

import type { JSX } from 'react';
import type { ImportError } from '../api/operations.ts';
import { useLanguage } from '../portal.tsx';
import { nameOfImportField } from './field-names.ts';
import styles from './row-errors.module.css';

type RowErrorsProps = { readonly kind: string; readonly errors: readonly ImportError[] };

export function RowErrors({ kind, errors }: RowErrorsProps): JSX.Element | undefined {
  const { t } = useLanguage();
  if (errors.length === 0) return undefined;
  return (
    <ul className={styles.errors}>
      {errors.map(({ field, code, text }) => (
        <li key={`${field} ${code}`}>
          {field === '' ? undefined : <strong>{nameOfImportField(kind, field, t)}</strong>}{' '}
          {/* Most texts begin with the field by its own name. */}
          <span lang="en">{text.startsWith(`${field}: `) ? text.slice(field.length + 2) : text}</span>{' '}
          <code>{code}</code>
        </li>
      ))}
    </ul>
  );
}
