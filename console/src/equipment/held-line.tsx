// What a held line says, and why it is held.

import type { JSX } from 'react';
import type { HeldCode, HeldLine, HeldLineState } from '../api/operations.ts';
import { Amount } from '../components/amount.tsx';
import { Mark } from '../components/page.tsx';
import { Instant } from '../components/times.tsx';
import type { TextKey, Translate } from '../language/catalogue.ts';
import { useLanguage } from '../portal.tsx';

const codeTexts: Readonly<Record<HeldCode, TextKey>> = {
  malformed: 'held.malformed',
  'unknown-unit': 'held.unknownUnit',
  'unknown-key': 'held.unknownKey',
  'foreign-currency': 'held.foreignCurrency',
  'time-ahead': 'held.timeAhead',
  'ref-conflict': 'held.refConflict',
  'unknown-ref': 'held.unknownRef',
  'invalid-amount': 'held.invalidAmount',
  'booking-refused': 'held.bookingRefused',
  'unknown-value': 'held.unknownValue',
  'unknown-command': 'held.unknownCommand',
};

export const heldCodes = Object.keys(codeTexts) as HeldCode[];

/** The service may have codes that are newer than the console. */
export function textOfHeldCode(code: string, t: Translate): string {
  const key = codeTexts[code as HeldCode] as TextKey | undefined;
  return key === undefined ? code : t(key);
}

type LineState = { readonly text: TextKey; readonly tone: 'warn' | 'ok' | 'plain' };

const states: Readonly<Record<HeldLineState, LineState>> = {
  held: { text: 'held.held', tone: 'warn' },
  resolved: { text: 'held.resolved', tone: 'ok' },
  discarded: { text: 'held.discarded', tone: 'plain' },
};

export function HeldMark({ state }: Pick<HeldLine, 'state'>): JSX.Element {
  const { t } = useLanguage();
  return <Mark tone={states[state].tone}>{t(states[state].text)}</Mark>;
}

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

/** Whether a resident can be chosen for it: what compensates another line goes to the resident of that one. */
export const isCompensation = ({ line }: Pick<HeldLine, 'line'>): boolean =>
  ['refund', 'cancel'].includes(textIn(readFields(line) ?? {}, 't'));

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
