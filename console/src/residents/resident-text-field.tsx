// Asks for a text of a resident.

import type { JSX } from 'react';
import type { Field } from '../command/command-types.ts';
import { TextField } from '../command/fields.tsx';
import { useLanguage } from '../portal.tsx';
import { residentTexts, type FieldText, type ResidentText } from './resident-fields.ts';

type ResidentTextFieldProps = {
  readonly field: Field<string>;
  readonly name: ResidentText;
  readonly autoFocus?: boolean;
};

export function ResidentTextField({ field, name, autoFocus = false }: ResidentTextFieldProps): JSX.Element {
  const { t } = useLanguage();
  const { label, type = 'text', maxLength, help }: FieldText = residentTexts[name];
  return (
    <TextField
      field={field}
      label={t(label)}
      type={type}
      maxLength={maxLength}
      autoFocus={autoFocus}
      {...(help === undefined ? {} : { description: t(help) })}
    />
  );
}
