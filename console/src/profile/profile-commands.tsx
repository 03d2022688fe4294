// The commands of the manager's own profile: its fields, the email address with the code that confirms it, and the
// password. Passwords and codes are never written down.

import type { JSX } from 'react';
import type { ManagerProfile, ProfileField } from '../api/operations.ts';
import { CommandButton } from '../command/command-button.tsx';
import { CommandDialog } from '../command/command-dialog.tsx';
import { useOpenCommand } from '../command/command-address.ts';
import type { Version } from '../command/command-store.ts';
import type { Field } from '../command/command-types.ts';
import { ChoiceField, NumberField, TextField } from '../command/fields.tsx';
import { requestOf } from '../command/toast-store.ts';
import { useCommand } from '../command/use-command.ts';
import type { TextKey, Translate } from '../language/catalogue.ts';
import { themeTexts } from '../layout/display.ts';
import { useLanguage } from '../portal.tsx';
import { IconField, nameOfIcon } from '../components/icon-field.tsx';

const emailCommand = 'email';
const codeCommand = 'code';
const passwordCommand = 'password';

const readsOfProfile = ['GetMyManagerProfile', 'GetCurrentManager', 'GetManagers', 'GetManager'] as const;

type FieldCommand = {
  readonly name: string;
  readonly label: TextKey;
  readonly read: (profile: ManagerProfile) => string;
  /** The service takes a number. */
  readonly isNumber?: boolean;
};

const fieldCommands: Readonly<Record<ProfileField, FieldCommand>> = {
  Name: { name: 'name', label: 'word.name', read: ({ name }) => name },
  Organisation: { name: 'organisation', label: 'word.organisation', read: ({ organisation }) => organisation },
  PersonIcon: { name: 'icon', label: 'word.icon', read: ({ personIcon }) => personIcon },
  Theme: { name: 'theme', label: 'menu.theme', read: ({ theme }) => String(theme), isNumber: true },
  RetentionDays: {
    name: 'retention',
    label: 'profile.retention',
    read: ({ retentionDays }) => String(retentionDays),
    isNumber: true,
  },
};

export function ProfileFieldButton({ field }: { readonly field: ProfileField }): JSX.Element {
  const { t } = useLanguage();
  const { name, label } = fieldCommands[field];
  return <CommandButton name={name} text={t('action.change')} about={t(label)} isSmall />;
}

export function EmailButtons({ profile: { pendingEmail } }: ProfileProps): JSX.Element {
  const { t } = useLanguage();
  return (
    <>
      <CommandButton name={emailCommand} text={t('profile.changeEmail')} isSmall />
      {pendingEmail === null ? undefined : (
        <CommandButton name={codeCommand} text={t('profile.enterCode')} isSmall isMain />
      )}
    </>
  );
}

export function PasswordButton(): JSX.Element {
  const { t } = useLanguage();
  return <CommandButton name={passwordCommand} text={t('profile.changePassword')} isSmall />;
}

type ProfileProps = { readonly profile: ManagerProfile };

/** Everybody may change their own profile. */
const right = (id: 'SetMyManagerProfileField' | 'ConfirmMyManagerEmail') => ({ id, isAllowed: true }) as const;

export function ProfileCommands({ profile }: ProfileProps): JSX.Element | undefined {
  const fields = Object.keys(fieldCommands) as ProfileField[];
  const opened: Readonly<Record<ProfileField, string | undefined>> = {
    Name: useOpenCommand(fieldCommands.Name.name, right('SetMyManagerProfileField')),
    Organisation: useOpenCommand(fieldCommands.Organisation.name, right('SetMyManagerProfileField')),
    PersonIcon: useOpenCommand(fieldCommands.PersonIcon.name, right('SetMyManagerProfileField')),
    Theme: useOpenCommand(fieldCommands.Theme.name, right('SetMyManagerProfileField')),
    RetentionDays: useOpenCommand(fieldCommands.RetentionDays.name, right('SetMyManagerProfileField')),
  };
  const email = useOpenCommand(emailCommand, { id: 'RequestMyManagerEmailVerification', isAllowed: true });
  const code = useOpenCommand(codeCommand, right('ConfirmMyManagerEmail'));
  const password = useOpenCommand(passwordCommand, { id: 'ChangeMyManagerPassword', isAllowed: true });
  const field = fields.find((each) => opened[each] !== undefined);
  if (field !== undefined) return <FieldDialog key={field} profile={profile} field={field} />;
  if (email !== undefined) return <EmailDialog profile={profile} />;
  if (code !== undefined) return <CodeDialog profile={profile} />;
  if (password !== undefined) return <PasswordDialog />;
  return undefined;
}

type FieldDialogProps = ProfileProps & { readonly field: ProfileField };

function FieldDialog({ profile, field }: FieldDialogProps): JSX.Element {
  const { t } = useLanguage();
  const { name, label, read, isNumber = false } = fieldCommands[field];
  const versionOf = (stored: ManagerProfile): Version<{ readonly value: string }> => ({
    values: { value: read(stored) },
    revision: stored.revision,
  });
  const toBody = (value: string): string | number => (isNumber ? Number(value) : value);
  const command = useCommand({
    name,
    id: 'SetMyManagerProfileField',
    isAllowed: true,
    stored: versionOf(profile),
    check: ({ value }) => (isNumber && !/^\s*\d+\s*$/.test(value) ? { value: t('field.notNumber') } : {}),
    request: ({ value }, expectedRevision) => ({
      input: { field },
      body: { value: toBody(value), expectedRevision },
    }),
    invalidates: readsOfProfile,
    reread: async (client) => versionOf(await client.call('GetMyManagerProfile', {})),
    done: ({ revision }) => ({
      text: t('action.saved', { name: t(label) }),
      undo: requestOf('SetMyManagerProfileField', {
        input: { field },
        body: { value: toBody(read(profile)), expectedRevision: revision },
      }),
    }),
  });
  return (
    <CommandDialog
      command={command}
      title={t(label)}
      action={t('action.save')}
      labels={{ value: t(label) }}
      format={(_, value) => formatField(field, String(value), t)}
    >
      <FieldInput profile={profile} field={field} input={command.field('value')} />
    </CommandDialog>
  );
}

export function formatField(field: ProfileField, value: string, t: Translate): string {
  switch (field) {
    case 'PersonIcon':
      return nameOfIcon(value);
    case 'Theme':
      return t(themeTexts[Number(value)] ?? 'theme.system');
    case 'RetentionDays':
      return t('count.days', { count: Number(value) });
    case 'Name':
    case 'Organisation':
      return value;
  }
}

type FieldInputProps = FieldDialogProps & { readonly input: Field<string> };

function FieldInput({ profile, field, input }: FieldInputProps): JSX.Element {
  const { t } = useLanguage();
  const label = t(fieldCommands[field].label);
  switch (field) {
    case 'PersonIcon':
      return <IconField field={input} icons={profile.availablePersonIcons} stored={profile.personIcon} />;
    case 'Theme':
      return (
        <ChoiceField
          field={input}
          label={label}
          choices={themeTexts.map((text, theme) => [String(theme), t(text)])}
          autoFocus
        />
      );
    case 'RetentionDays':
      return (
        <NumberField
          field={input}
          label={label}
          inputMode="numeric"
          description={t('profile.retentionHelp')}
          unit={t('profile.days')}
          autoFocus
        />
      );
    case 'Name':
    case 'Organisation':
      return (
        <TextField
          field={input}
          label={label}
          maxLength={200}
          autoComplete={field === 'Name' ? 'name' : 'organization'}
          autoFocus
        />
      );
  }
}

function EmailDialog({ profile }: ProfileProps): JSX.Element {
  const { t, formats } = useLanguage();
  const command = useCommand({
    name: emailCommand,
    id: 'RequestMyManagerEmailVerification',
    isAllowed: true,
    // An address that is confirmed already needs no code.
    stored: { values: { email: profile.emailVerified ? '' : profile.email } },
    request: ({ email }) => ({ input: {}, body: { email } }),
    invalidates: ['GetMyManagerProfile'],
    done: ({ email, expiresAtUtc }) => ({
      text: t('profile.codeSent', { email, time: formats.time(expiresAtUtc) }),
      link: { to: '/profile', search: { do: codeCommand }, text: t('profile.enterCode') },
    }),
  });
  return (
    <CommandDialog command={command} title={t('profile.changeEmail')} action={t('profile.sendCode')}>
      <p className="soft">{t('profile.emailAdvice')}</p>
      <TextField field={command.field('email')} label={t('word.email')} type="email" autoComplete="email" autoFocus />
    </CommandDialog>
  );
}

function CodeDialog({ profile: { pendingEmail } }: ProfileProps): JSX.Element {
  const { t } = useLanguage();
  const command = useCommand({
    name: codeCommand,
    id: 'ConfirmMyManagerEmail',
    isAllowed: true,
    isSecret: true,
    stored: { values: { code: '' } },
    request: ({ code }) => ({ input: {}, body: { code } }),
    invalidates: readsOfProfile,
    done: ({ email }) => ({ text: t('profile.emailConfirmed', { email }) }),
  });
  return (
    <CommandDialog command={command} title={t('profile.enterCode')} action={t('profile.confirm')}>
      {pendingEmail === null ? (
        <p className="note">{t('profile.noCode')}</p>
      ) : (
        <p className="soft">{t('profile.codeHelp', { email: pendingEmail })}</p>
      )}
      <TextField field={command.field('code')} label={t('profile.code')} autoComplete="one-time-code" autoFocus />
    </CommandDialog>
  );
}

function PasswordDialog(): JSX.Element {
  const { t } = useLanguage();
  const command = useCommand({
    name: passwordCommand,
    id: 'ChangeMyManagerPassword',
    isAllowed: true,
    isSecret: true,
    stored: { values: { currentPassword: '', newPassword: '', repeatPassword: '' } },
    request: (body) => ({ input: {}, body }),
    invalidates: [],
    done: () => ({ text: t('profile.passwordChanged') }),
  });
  return (
    <CommandDialog command={command} title={t('profile.changePassword')} action={t('profile.changePassword')}>
      <p className="soft">{t('profile.passwordAdvice')}</p>
      {/* Browsers ask for it. The API does not tell the user name: they keep the one that they know. */}
      <input type="text" autoComplete="username" value="" readOnly hidden />
      <TextField
        field={command.field('currentPassword')}
        label={t('profile.currentPassword')}
        type="password"
        autoComplete="current-password"
        autoFocus
      />
      <TextField
        field={command.field('newPassword')}
        label={t('profile.newPassword')}
        description={t('profile.passwordHelp')}
        type="password"
        autoComplete="new-password"
      />
      <TextField
        field={command.field('repeatPassword')}
        label={t('profile.repeatPassword')}
        type="password"
        autoComplete="new-password"
      />
    </CommandDialog>
  );
}
