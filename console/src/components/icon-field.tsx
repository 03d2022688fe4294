// Chooses one of the icons that the service offers, by its name, with its drawing.

import type { JSX } from 'react';
import type { Field } from '../command/command-types.ts';
import { ChoiceField } from '../command/fields.tsx';
import { KidIcon } from './icon.tsx';
import { useLanguage } from '../portal.tsx';
import styles from './icon-field.module.css';

type IconFieldProps = {
  readonly field: Field<string>;
  readonly icons: readonly string[];
  /** What is stored: an icon that is no longer offered has no drawing. */
  readonly stored: string;
};

export const nameOfIcon = (icon: string): string => icon.replaceAll('_', ' ');

export function IconField({ field, icons, stored }: IconFieldProps): JSX.Element {
  const { t } = useLanguage();
  const { value } = field;
  const offered = icons.includes(stored) ? icons : [stored, ...icons];
  return (
    <div className={styles.field}>
      <ChoiceField
        field={field}
        label={t('word.icon')}
        choices={offered.map((icon) => [icon, nameOfIcon(icon)])}
        autoFocus
      />
      {value === stored ? undefined : <KidIcon kid={value} />}
    </div>
  );
}
