// The commands of profiles: to write a new one, to copy one that is there, and to change one of the portal's own. A profile
// is a text of JSON; every version is kept.

import type { JSX } from 'react';
import type { Client } from '../api/client.ts';
import type { ImportProfile, ImportProfileDocument } from '../api/operations.ts';
import { writeJson } from '../api/read-json.ts';
import { CommandDialog } from '../command/command-dialog.tsx';
import { useOpenCommand } from '../command/command-address.ts';
import type { Version } from '../command/command-store.ts';
import { requestOf } from '../command/toast-store.ts';
import { useCommand } from '../command/use-command.ts';
import { importProfilePath } from '../paths.ts';
import { useLanguage } from '../portal.tsx';
import { lineAt, readDocument } from './json-places.ts';
import { ProfileTextField } from './profile-text-field.tsx';

export const profileCommands = { create: 'new-profile', change: 'change-profile' } as const;

const readsOfProfiles = ['GetImportProfiles', 'GetImportProfile'] as const;

/** What a new profile begins with: the smallest one that can be stored. */
const example: ImportProfileDocument = {
  name: 'my-profile',
  kind: 'residents',
  format: 'csv',
  header: true,
  columns: [
    { field: 'key', from: 'Number' },
    { field: 'name', from: 'Name', trim: true },
  ],
};

const indent = 2;

/** A profile has no numbers that are larger than the reader of answers leaves as they are. */
export const textOfDocument = (document: ImportProfileDocument): string =>
  JSON.stringify(JSON.parse(writeJson(document)), undefined, indent);

type ProfileValues = { readonly document: string };

/** @param copied the profile that a new one begins with */
export function NewProfile({ copied }: { readonly copied?: ImportProfile }): JSX.Element | undefined {
  const opened = useOpenCommand(profileCommands.create, { id: 'SetImportProfile' });
  if (opened === undefined) return undefined;
  const document = copied === undefined ? example : { ...copied.document, name: `${copied.name}-copy` };
  return <ProfileDialog name={profileCommands.create} stored={{ values: { document: textOfDocument(document) } }} />;
}

export function ChangedProfile({ profile }: { readonly profile: ImportProfile }): JSX.Element | undefined {
  const opened = useOpenCommand(profileCommands.change, { id: 'SetImportProfile' });
  if (opened === undefined || profile.builtIn) return undefined;
  return <ProfileDialog name={profileCommands.change} stored={toVersion(profile)} profile={profile} />;
}

const toVersion = ({ document, revision }: ImportProfile): Version<ProfileValues> => ({
  values: { document: textOfDocument(document) },
  ...(revision === null ? {} : { revision }),
});

type ProfileDialogProps = {
  readonly name: string;
  readonly stored: Version<ProfileValues>;
  /** The profile that is changed; a new one has the name that its text says. */
  readonly profile?: ImportProfile;
};

function ProfileDialog({ name, stored, profile }: ProfileDialogProps): JSX.Element {
  const { t } = useLanguage();
  const command = useCommand({
    name,
    id: 'SetImportProfile',
    stored,
    check: ({ document: text }) => {
      const read = readDocument(text);
      if (read.value === undefined) return { document: t('importProfile.notJson', lineAt(text, read.errorAt)) };
      return profile === undefined && nameIn(read.value) === '' ? { document: t('importProfile.noName') } : {};
    },
    request: ({ document: text }, expectedRevision) => {
      const document = readDocument(text).value ?? {};
      return {
        input: { name: profile?.name ?? nameIn(document) },
        body: { document, ...(profile === undefined ? {} : { expectedRevision }) },
      };
    },
    invalidates: readsOfProfiles,
    ...(profile === undefined
      ? {}
      : { reread: async (client: Client) => toVersion(await client.call('GetImportProfile', { name: profile.name })) }),
    done: (answer) => ({
      text: t('importProfile.stored', { name: answer.name, version: answer.version ?? 1 }),
      link: { to: importProfilePath(answer.name), text: answer.name },
      ...(profile === undefined || answer.revision === null
        ? {}
        : {
            undo: requestOf('SetImportProfile', {
              input: { name: answer.name },
              body: { document: profile.document, expectedRevision: answer.revision },
            }),
          }),
    }),
  });
  const label = t('import.document');
  return (
    <CommandDialog
      command={command}
      title={profile === undefined ? t('importProfile.create') : t('importProfile.change', { name: profile.name })}
      action={t('action.save')}
      labels={{ document: label }}
      format={(_, value) => <pre>{String(value)}</pre>}
    >
      <ProfileTextField
        field={command.field('document')}
        label={label}
        description={t('importProfile.textHelp')}
        problem={command.problem}
      />
    </CommandDialog>
  );
}

const nameIn = ({ name }: ImportProfileDocument): string => (typeof name === 'string' ? name : '');
