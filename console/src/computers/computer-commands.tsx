// The commands of computers: to create one with its enrolment code, to make another code, and to revoke it. A code is
// shown once: nothing of it is kept.

import { Link } from '@tanstack/react-router';
import { useState, type JSX } from 'react';
import { largestPages } from '../api/limits.ts';
import type { Client } from '../api/client.ts';
import type { Computer, ComputerEnrolment } from '../api/operations.ts';
import { findBank, may, mayInBank } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { CommandButton } from '../command/command-button.tsx';
import { CommandDialog } from '../command/command-dialog.tsx';
import { useOpenCommand } from '../command/command-address.ts';
import type { Version } from '../command/command-store.ts';
import { ManyChoicesField, TextField } from '../command/fields.tsx';
import type { Field } from '../command/command-types.ts';
import { useCommand } from '../command/use-command.ts';
import { Loaded } from '../components/loaded.tsx';
import { CopyButton } from '../components/problem-panel.tsx';
import { bankKidOf } from '../kid.ts';
import { computerPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';
import { computerCommands } from './command-names.ts';
import { QrImage } from './qr-image.tsx';
import styles from './computer-commands.module.css';

const readsOfComputers = ['GetComputers', 'GetComputer'] as const;

export function CreateComputerButton({ bankKid }: { readonly bankKid: string }): JSX.Element | undefined {
  const { t } = useLanguage();
  const manager = useManager();
  if (!mayInBank(manager, bankKid, 'CreateComputer')) return undefined;
  return <CommandButton name={computerCommands.create} text={t('computer.create')} icon="create" isMain />;
}

export function CreateComputerCommand({ bankKid }: { readonly bankKid: string }): JSX.Element | undefined {
  const manager = useManager();
  const isAllowed = mayInBank(manager, bankKid, 'CreateComputer');
  const opened = useOpenCommand(computerCommands.create, { id: 'CreateComputer', isAllowed });
  return opened === undefined ? undefined : <CreateDialog bankKid={bankKid} isAllowed={isAllowed} />;
}

type CreateDialogProps = { readonly bankKid: string; readonly isAllowed: boolean };

function CreateDialog({ bankKid, isAllowed }: CreateDialogProps): JSX.Element {
  const { t } = useLanguage();
  const command = useCommand({
    name: computerCommands.create,
    id: 'CreateComputer',
    isAllowed,
    stored: { values: { name: '', unitKids: [] as readonly string[] } },
    request: ({ name, unitKids }) => ({ input: { bankKid }, body: { name, unitKids } }),
    invalidates: readsOfComputers,
    done: () => undefined,
  });
  const { answer } = command;
  return (
    <CommandDialog
      command={command}
      title={t('computer.create')}
      action={t('computer.create')}
      result={answer === undefined ? undefined : <EnrolmentCode enrolment={answer} />}
    >
      <TextField field={command.field('name')} label={t('word.name')} description={t('computer.nameHelp')} autoFocus />
      <UnitsField bankKid={bankKid} field={command.field('unitKids')} />
    </CommandDialog>
  );
}

/** The units of one location at a time: a housing association can have hundreds. */
function UnitsField({
  bankKid,
  field,
}: {
  readonly bankKid: string;
  readonly field: Field<readonly string[]>;
}): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  const locations = findBank(manager, bankKid)?.locations ?? [];
  const [locationKid, setLocationKid] = useState(locations[0]?.kid ?? '');
  const isReadable = locationKid !== '' && may(manager, 'GetLocationUnits');
  const units = useRead(
    'GetLocationUnits',
    { locationKid, limit: largestPages.GetLocationUnits },
    { enabled: isReadable },
  );
  if (!isReadable) return <p className="soft">{t('computer.noUnits')}</p>;
  return (
    <>
      <label className="field">
        <span className="field-name">{t('word.location')}</span>
        <select value={locationKid} onChange={({ target }) => setLocationKid(target.value)}>
          {locations.map(({ kid, name }) => (
            <option key={kid} value={kid}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Loaded read={units} lines={4}>
        {({ items }) => (
          <ManyChoicesField
            field={field}
            label={t('computer.unitsChosen', { count: field.value.length })}
            choices={items.map(({ kid, name, typeName }) => [kid, name === '' ? typeName : name])}
          />
        )}
      </Loaded>
    </>
  );
}

export function ComputerButtons({
  computer: { kid, state },
}: {
  readonly computer: Computer;
}): JSX.Element | undefined {
  const { t } = useLanguage();
  const manager = useManager();
  const bankKid = bankKidOf(kid);
  // A revoked computer stays revoked.
  if (state === 'revoked') return undefined;
  return (
    <>
      {mayInBank(manager, bankKid, 'RenewComputerCode') ? (
        <CommandButton name={computerCommands.renew} text={t('computer.newCode')} icon="refresh" />
      ) : undefined}
      {mayInBank(manager, bankKid, 'RevokeComputer') ? (
        <CommandButton name={computerCommands.revoke} text={t('computer.revoke')} icon="close" />
      ) : undefined}
    </>
  );
}

export function ComputerCommands({ computer }: { readonly computer: Computer }): JSX.Element | undefined {
  const manager = useManager();
  const bankKid = bankKidOf(computer.kid);
  const mayRenew = mayInBank(manager, bankKid, 'RenewComputerCode');
  const mayRevoke = mayInBank(manager, bankKid, 'RevokeComputer');
  const renewed = useOpenCommand(computerCommands.renew, { id: 'RenewComputerCode', isAllowed: mayRenew });
  const revoked = useOpenCommand(computerCommands.revoke, { id: 'RevokeComputer', isAllowed: mayRevoke });
  if (renewed !== undefined) return <RenewDialog computer={computer} isAllowed={mayRenew} />;
  if (revoked !== undefined) return <RevokeDialog computer={computer} isAllowed={mayRevoke} />;
  return undefined;
}

type ComputerDialogProps = { readonly computer: Computer; readonly isAllowed: boolean };

const toVersion = ({ revision }: Computer): Version => ({ values: {}, revision });

const rereadOf = (computerKid: string) => async (client: Client) =>
  toVersion(await client.call('GetComputer', { computerKid }));

function RenewDialog({ computer, isAllowed }: ComputerDialogProps): JSX.Element {
  const { t } = useLanguage();
  const { kid: computerKid, state } = computer;
  const command = useCommand({
    name: computerCommands.renew,
    id: 'RenewComputerCode',
    isAllowed,
    stored: toVersion(computer),
    request: (_, expectedRevision) => ({ input: { computerKid }, body: { expectedRevision } }),
    reread: rereadOf(computerKid),
    invalidates: readsOfComputers,
    done: () => undefined,
  });
  const { answer } = command;
  return (
    <CommandDialog
      command={command}
      title={t('computer.newCode')}
      action={t('computer.newCode')}
      result={answer === undefined ? undefined : <EnrolmentCode enrolment={answer} />}
    >
      <p>{t(state === 'enrolled' ? 'computer.newCodeEnrolled' : 'computer.newCodeWaiting')}</p>
    </CommandDialog>
  );
}

function RevokeDialog({ computer, isAllowed }: ComputerDialogProps): JSX.Element {
  const { t } = useLanguage();
  const { kid: computerKid, name, units, buffered } = computer;
  const command = useCommand({
    name: computerCommands.revoke,
    id: 'RevokeComputer',
    isAllowed,
    stored: toVersion(computer),
    request: (_, expectedRevision) => ({ input: { computerKid }, body: { expectedRevision } }),
    reread: rereadOf(computerKid),
    invalidates: readsOfComputers,
    done: () => ({ text: t('computer.isRevoked', { name }) }),
  });
  return (
    <CommandDialog command={command} title={t('computer.revoke')} action={t('computer.revoke')} isDanger>
      <p>{t('computer.revokeAdvice', { name })}</p>
      <ul className="sentences">
        <li>{t('computer.revokeUnits', { count: units.length })}</li>
        {buffered === 0 ? undefined : <li>{t('computer.revokeBuffered', { count: buffered })}</li>}
        <li>{t('command.isFinal')}</li>
      </ul>
    </CommandDialog>
  );
}

function EnrolmentCode({ enrolment }: { readonly enrolment: ComputerEnrolment }): JSX.Element {
  const { t, formats } = useLanguage();
  const { computer, enrolmentCode, expiresUtc } = enrolment;
  return (
    <div className={styles.enrolment} role="status">
      <p>{t('computer.codeOnce')}</p>
      <p className={styles.code}>
        <code>{enrolmentCode}</code> <CopyButton text={enrolmentCode} />
      </p>
      <QrImage text={enrolmentCode} label={t('computer.codeAsQr')} />
      <p className="soft">{t('computer.codeExpires', { time: formats.dateTime(expiresUtc) })}</p>
      <p>
        <Link to={computerPath(computer.kid)}>{computer.name}</Link>
      </p>
    </div>
  );
}
