// Asks for a text of a resident.

import type { JSX } from 'react';
import type { Field } from '../command/command-types.ts';
import { TextField } from '../command/fields.tsx';
import { useLanguage } from '../portal.tsx';
import { residentFields, type FieldText, type ResidentField } from './resident-fields.ts';

type ResidentTextFieldProps = {
  readonly field: Field<string>;
  readonly name: ResidentField;
  readonly autoFocus?: boolean;
};

export function ResidentTextField({ field, name, autoFocus = false }: ResidentTextFieldProps): JSX.Element {
  const { t } = useLanguage();
  const { label, maxLength, help }: FieldText = residentFields[name];
  return (
    <TextField
      field={field}
      label={t(label)}
      type={name === 'email' ? 'email' : name === 'phone' ? 'tel' : 'text'}
      maxLength={maxLength}
      autoFocus={autoFocus}
      {...(help === undefined ? {} : { description: t(help) })}
    />
  );
}
