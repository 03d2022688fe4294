// What a held line says.

import type { JSX } from 'react';
import type { HeldLine } from '../api/operations.ts';
import { Amount } from '../components/amount.tsx';
import { Instant } from '../times/times.tsx';
import type { TextKey } from '../language/catalogue.ts';
import { useLanguage } from '../portal.tsx';

const kindTexts: Readonly<Record<string, TextKey>> = {
  use: 'held.use',
  pay: 'kind.payment',
  refund: 'held.refund',
  access: 'held.access',
  booking: 'word.booking',
  cancel: 'held.cancel',
};

type Fields = Readonly<Record<string, unknown>>;

/** The members of a line; undefined where it is no object. A line may be any JSON (docs/equipment.md). */
function readFields(line: string): Fields | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
}

const textIn = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
};

const currency = /^[A-Z]{3}$/;
const amount = /^-?\d{1,19}$/;

export function LineSummary({ line, timeZone }: { readonly line: string; readonly timeZone: string }): JSX.Element {
  const { t } = useLanguage();
  const fields = readFields(line);
  if (fields === undefined) return <code>{line.slice(0, maxShown)}</code>;
  const kind = textIn(fields, 't');
  const kindText = kindTexts[kind];
  const minor = textIn(fields, 'amountMinor');
  const at = textIn(fields, 'at');
  return (
    <>
      <span className="line">
        {kindText === undefined ? kind : t(kindText)}{' '}
        {amount.test(minor) && currency.test(textIn(fields, 'currency')) ? (
          <Amount minor={BigInt(minor)} currency={textIn(fields, 'currency')} />
        ) : undefined}
      </span>
      <span className="second">
        {[textIn(fields, 'text'), textIn(fields, 'key')].filter(Boolean).join(' · ')}
        {Number.isNaN(Date.parse(at)) ? undefined : (
          <>
            {' '}
            <Instant instant={at} timeZone={timeZone} />
          </>
        )}
      </span>
    </>
  );
}

const maxShown = 200;

/** The line as it was sent. */
export function WholeLine({ line }: Pick<HeldLine, 'line'>): JSX.Element {
  const { t } = useLanguage();
  return (
    <details>
      <summary>{t('held.wholeLine')}</summary>
      <pre>{line}</pre>
    </details>
  );
}
