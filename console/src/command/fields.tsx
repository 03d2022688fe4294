// The fields of commands: a label, the control, what helps to fill it in, and what is wrong with it. Each takes a `field`
// of `useCommand`.

import { useId, type JSX, type ReactNode } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { ProblemSentence } from '../components/problem-panel.tsx';
import type { FieldValue } from './command-store.ts';
import type { Field } from './command-types.ts';
import styles from './fields.module.css';

/** What all fields have, whatever their values are. */
type AnyField = Omit<Field, 'value' | 'change'>;

type FieldProps<Value extends FieldValue> = {
  readonly field: Field<Value>;
  readonly label: string;
  readonly description?: ReactNode;
};

type TextFieldProps = FieldProps<string> & {
  readonly type?: 'text' | 'email' | 'tel' | 'password' | 'date' | 'time' | 'datetime-local';
  /** A number is typed as in the reader's language; `exact-number.ts` reads it. */
  readonly inputMode?: 'text' | 'numeric' | 'decimal';
  readonly isMultiline?: boolean;
  /** The limit, if it is not that of the operation's body. */
  readonly maxLength?: number | undefined;
  readonly autoComplete?: string;
  /** The keyboard begins here. */
  readonly autoFocus?: boolean;
  /** Behind the value: a unit of measure, or a currency. */
  readonly unit?: string | undefined;
};

export function TextField({
  field,
  label,
  description,
  type = 'text',
  isMultiline = false,
  autoComplete = 'off',
  maxLength = field.maxLength,
  unit,
  ...input
}: TextFieldProps): JSX.Element {
  const { value, change, isDisabled } = field;
  return (
    <AriaTextField
      className="field"
      name={field.name}
      type={type}
      value={value}
      onChange={change}
      isReadOnly={isDisabled}
      isInvalid={isInvalid(field)}
      validationBehavior="aria"
      autoComplete={autoComplete}
      {...(maxLength === undefined ? {} : { maxLength })}
      {...input}
    >
      <Label>{label}</Label>
      {isMultiline ? (
        <TextArea rows={4} />
      ) : (
        <span className={styles.control}>
          <Input spellCheck={type === 'text'} />
          {unit === undefined ? undefined : <span className={styles.unit}>{unit}</span>}
        </span>
      )}
      {description === undefined ? undefined : (
        <Text slot="description" className="field-help">
          {description}
        </Text>
      )}
      <FieldError className="field-errors">
        <ErrorTexts field={field} />
      </FieldError>
    </AriaTextField>
  );
}

/** A number or an amount, as text to the last digit. */
export const NumberField = (props: TextFieldProps): JSX.Element => <TextField inputMode="decimal" {...props} />;

type ChoiceFieldProps = FieldProps<string> & {
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly autoFocus?: boolean;
};

export function ChoiceField({ field, label, description, choices, autoFocus }: ChoiceFieldProps): JSX.Element {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        {...attributesOf(id, field, description)}
        value={field.value}
        autoFocus={autoFocus}
        onChange={({ target }) => field.change(target.value)}
      >
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <Notes id={id} field={field} description={description} />
    </div>
  );
}

export function CheckField({
  field,
  label,
  description,
  autoFocus,
}: FieldProps<boolean> & { readonly autoFocus?: boolean }): JSX.Element {
  const id = useId();
  return (
    <div className="field">
      <span className="field-check">
        <input
          {...attributesOf(id, field, description)}
          type="checkbox"
          checked={field.value}
          autoFocus={autoFocus}
          onChange={({ target }) => field.change(target.checked)}
        />
        <label htmlFor={id}>{label}</label>
      </span>
      <Notes id={id} field={field} description={description} />
    </div>
  );
}

type ManyChoicesFieldProps = FieldProps<readonly string[]> & Pick<ChoiceFieldProps, 'choices'>;

export function ManyChoicesField({ field, label, description, choices }: ManyChoicesFieldProps): JSX.Element {
  const id = useId();
  return (
    <fieldset className="field field-many" aria-describedby={describedBy(id, field, description)}>
      <legend className="field-name">{label}</legend>
      {choices.map(([value, text]) => (
        <label key={value} className="field-check">
          <input
            type="checkbox"
            checked={field.value.includes(value)}
            disabled={field.isDisabled}
            onChange={({ target }) =>
              field.change(target.checked ? [...field.value, value] : field.value.filter((each) => each !== value))
            }
          />
          {text}
        </label>
      ))}
      <Notes id={id} field={field} description={description} />
    </fieldset>
  );
}

const isInvalid = ({ error, serviceErrors }: AnyField): boolean => error !== undefined || serviceErrors.length > 0;

const describedBy = (id: string, field: AnyField, description: ReactNode): string | undefined =>
  [description === undefined ? '' : `${id}-help`, isInvalid(field) ? `${id}-errors` : ''].join(' ').trim() || undefined;

const attributesOf = (id: string, field: AnyField, description: ReactNode) => ({
  id,
  name: field.name,
  disabled: field.isDisabled,
  'aria-invalid': isInvalid(field) || undefined,
  'aria-describedby': describedBy(id, field, description),
});

function Notes({
  id,
  field,
  description,
}: {
  readonly id: string;
  readonly field: AnyField;
  readonly description: ReactNode;
}) {
  return (
    <>
      {description === undefined ? undefined : (
        <span id={`${id}-help`} className="field-help">
          {description}
        </span>
      )}
      {isInvalid(field) ? (
        <span id={`${id}-errors`} className="field-errors">
          <ErrorTexts field={field} />
        </span>
      ) : undefined}
    </>
  );
}

const ErrorTexts = ({ field: { error, serviceErrors } }: { readonly field: AnyField }): JSX.Element => (
  <>
    {error}
    {serviceErrors.map((each) => (
      <ProblemSentence key={each.text} of={each} />
    ))}
  </>
);
