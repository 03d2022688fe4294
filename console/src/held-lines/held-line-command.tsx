// Books a held line, on a resident or as it stands, or discards it. What would be booked, the service shows first.

import { useState, type JSX } from 'react';
import type { HeldLine, HeldLineAction, HeldLineResolution, HeldLineResult } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import { CommandDialog } from '../command/command-dialog.tsx';
import { useOpenCommand } from '../command/command-address.ts';
import { ChoiceField, TextField } from '../command/fields.tsx';
import { Preview, usePreview } from '../command/preview.tsx';
import type { Field } from '../command/command-types.ts';
import { useCommand } from '../command/use-command.ts';
import { Amount } from '../components/amount.tsx';
import { Facts } from '../components/page.tsx';
import { bankPath } from '../paths.ts';
import { useLanguage } from '../portal.tsx';
import { nameOfHeldCode } from './held-lines.ts';

export const heldLineCommand = 'resolve';

type HeldLineCommandProps = {
  readonly bankKid: string;
  readonly lines: readonly HeldLine[];
  readonly isAllowed: boolean;
};

export function HeldLineCommand({ bankKid, lines, isAllowed }: HeldLineCommandProps): JSX.Element | undefined {
  const opened = useOpenCommand(heldLineCommand, { id: 'ResolveHeldLine', isAllowed });
  const line = lines.find(({ kid }) => kid === opened);
  return line === undefined ? undefined : <ResolveDialog bankKid={bankKid} line={line} isAllowed={isAllowed} />;
}

type ResolveValues = { readonly action: string; readonly userKid: string; readonly reason: string };

/** What the action does not take is left out. */
function toBody({ action, userKid, reason }: ResolveValues, expectedRevision: string): HeldLineResolution {
  return {
    action: action as HeldLineAction,
    expectedRevision,
    ...(action === 'assign' && userKid !== '' ? { userKid } : {}),
    ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
  };
}

type ResolveDialogProps = { readonly bankKid: string; readonly line: HeldLine; readonly isAllowed: boolean };

function ResolveDialog({ bankKid, line, isAllowed }: ResolveDialogProps): JSX.Element {
  const { t } = useLanguage();
  const { kid: heldKid, revision } = line;
  const command = useCommand({
    name: `${heldLineCommand}.${heldKid}`,
    id: 'ResolveHeldLine',
    isAllowed,
    stored: { values: { action: 'accept', userKid: '', reason: '' }, revision },
    request: (values, expectedRevision) => ({ input: { heldKid }, body: toBody(values, expectedRevision) }),
    invalidates: ['GetHeldLines', 'GetBankAccount', 'GetTenantStatusPage', 'GetBankBookings', 'GetBankUsers'],
    done: ({ heldLine: { postingKid } }) => ({
      text: t(postingKid === null ? 'held.wasEnded' : 'held.wasBooked'),
      ...(postingKid === null ? {} : { link: { to: bankPath(bankKid, 'account'), text: t('bank.account') } }),
    }),
  });
  const { action, userKid } = command.values;
  const isDiscarded = action === 'discard';
  const isComplete = action === 'accept' || (action === 'assign' && userKid !== '');
  const preview = usePreview(
    'ResolveHeldLine',
    { heldKid, dryRun: true },
    { body: toBody({ action, userKid, reason: '' }, revision), enabled: isComplete },
  );
  return (
    <CommandDialog
      command={command}
      title={t('bank.heldLines')}
      action={t(isDiscarded ? 'held.discard' : 'held.book')}
      isDanger={isDiscarded}
      {...(isDiscarded ? {} : { preview })}
    >
      <pre>{line.line}</pre>
      <p>{nameOfHeldCode(line.code, t)}</p>
      <ChoiceField
        field={command.field('action')}
        label={t('held.action')}
        choices={[
          ['accept', t('held.accept')],
          ['assign', t('held.assign')],
          ['discard', t('held.discard')],
        ]}
        autoFocus
      />
      {action === 'assign' ? <ResidentField field={command.field('userKid')} bankKid={bankKid} /> : undefined}
      <TextField
        field={command.field('reason')}
        label={t('held.reason')}
        description={isDiscarded ? t('held.final') : undefined}
      />
      {isDiscarded || !isComplete ? undefined : (
        <Preview preview={preview}>{(result) => <BookedFacts result={result} />}</Preview>
      )}
    </CommandDialog>
  );
}

/** What would be booked. */
function BookedFacts({ result: { posting } }: { readonly result: HeldLineResult }): JSX.Element {
  const { t, formats } = useLanguage();
  if (posting === null) return <p className="soft">{t('held.noPosting')}</p>;
  return (
    <div className="panel">
      <Facts
        facts={[
          [t('word.description'), posting.text],
          [t('word.resident'), posting.userKid.endsWith('-R1000') ? t('resident.guest') : posting.userKid],
          [t('word.time'), formats.dateTime(posting.recordedAtUtc)],
          [t('word.amount'), <Amount minor={posting.amountMinor} currency={posting.currency} />],
        ]}
      />
    </div>
  );
}

const shownResidents = 20;

/** Finds a resident by name, email address, apartment or key. */
function ResidentField({ field, bankKid }: { readonly field: Field<string>; readonly bankKid: string }): JSX.Element {
  const { t } = useLanguage();
  const [filter, setFilter] = useState('');
  const residents = useRead('GetBankUsers', { bankKid, filter, limit: shownResidents });
  const items = residents.data?.items ?? [];
  const isListed = items.some(({ kid }) => kid === field.value);
  return (
    <>
      <TextField
        field={{
          name: 'filter',
          value: filter,
          change: setFilter,
          error: undefined,
          serviceErrors: [],
          isDisabled: false,
        }}
        label={t('held.find')}
      />
      <ChoiceField
        field={field}
        label={t('word.resident')}
        choices={[
          ['', t('state.none')],
          ...(isListed || field.value === '' ? [] : [[field.value, field.value] as const]),
          ...items.map(({ kid, name, apartment }) => [kid, [name, apartment, kid].filter(Boolean).join(', ')] as const),
        ]}
      />
    </>
  );
}
