// Why a unit is out of order: the error that its equipment has reported, or the manager who has put it out of order.

import type { JSX, ReactNode } from 'react';
import type { UnitDetail, UnitValue } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import { Icon } from '../components/icon.tsx';
import { Ago } from '../times/times.tsx';
import { useLanguage } from '../portal.tsx';
import styles from './out-of-order-note.module.css';

export function OutOfOrderNote({ unit }: { readonly unit: UnitDetail }): JSX.Element | undefined {
  return unit.outOfOrder ? <Note unitKid={unit.kid} /> : undefined;
}

function Note({ unitKid }: { readonly unitKid: string }): JSX.Element {
  const { t } = useLanguage();
  const settings = useRead('GetUnitGroup', { unitKid, group: 'General' });
  const valueOf = (name: string): UnitValue | undefined => settings.data?.values.find((each) => each.name === name);
  const byManager = valueOf('OutOfOrder');
  const error = valueOf('AutoOutOfOrder');
  const isError = Number(error?.value ?? 0) > 0;
  return (
    <div className={`note note-bad ${styles.note}`}>
      <Icon name="warning" />
      <div>
        <strong>{t('status.outOfOrder')}</strong>
        {isError ? <ErrorReason unitKid={unitKid} error={error} /> : undefined}
        {byManager?.value === true ? (
          <Reason since={byManager.editedAtUtc}>
            {[byManager.label, textOf(valueOf('OutOfOrderText')), byManager.editorName].filter(Boolean).join(' · ')}
          </Reason>
        ) : undefined}
      </div>
    </div>
  );
}

const textOf = (value: UnitValue | undefined): string => (typeof value?.value === 'string' ? value.value : '');

type ErrorReasonProps = { readonly unitKid: string; readonly error: UnitValue | undefined };

/** The equipment says in its states what the error is, as long as it has this one. */
function ErrorReason({ unitKid, error }: ErrorReasonProps): JSX.Element {
  const { t } = useLanguage();
  const states = useRead('GetUnitGroup', { unitKid, group: 'Status' });
  const stateOf = (name: string): UnitValue | undefined => states.data?.values.find((each) => each.name === name);
  const id = String(error?.value);
  const text = String(stateOf('ErrorId')?.value) === id ? textOf(stateOf('ErrorText')) : '';
  return (
    <Reason since={error?.editedAtUtc ?? null}>
      {t('status.error', { error: id })}
      {text === '' ? undefined : `: ${text}`}
    </Reason>
  );
}

type ReasonProps = { readonly since: string | null; readonly children: ReactNode };

const Reason = ({ since, children }: ReasonProps): JSX.Element => (
  <p>
    {children}
    {since === null ? undefined : (
      <>
        {' · '}
        <Ago instant={since} />
      </>
    )}
  </p>
);
