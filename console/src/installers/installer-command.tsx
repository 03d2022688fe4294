// Chooses the icon of an installer: all else of installers is written where they are invited.

import type { JSX } from 'react';
import type { InstallerDetail } from '../api/operations.ts';
import { may } from '../api/rights.ts';
import { CommandButton } from '../command/command-button.tsx';
import { CommandDialog } from '../command/command-dialog.tsx';
import { useOpenCommand } from '../command/command-address.ts';
import { requestOf } from '../command/toast-store.ts';
import { useCommand } from '../command/use-command.ts';
import { useLanguage, useManager } from '../portal.tsx';
import { IconField, nameOfIcon } from '../components/icon-field.tsx';

const iconCommand = 'icon';

type DetailProps = { readonly detail: InstallerDetail };

export function InstallerIconButton({ detail: { canEdit } }: DetailProps): JSX.Element | undefined {
  const { t } = useLanguage();
  const manager = useManager();
  if (!canEdit || !may(manager, 'SetInstallerIcon')) return undefined;
  return <CommandButton name={iconCommand} text={t('action.change')} about={t('word.icon')} isSmall />;
}

export function InstallerIconCommand({ detail }: DetailProps): JSX.Element | undefined {
  const opened = useOpenCommand(iconCommand, { id: 'SetInstallerIcon' });
  return opened === undefined ? undefined : <IconDialog detail={detail} />;
}

const versionOf = ({ installer: { iconKid }, iconRevision }: InstallerDetail) => ({
  values: { icon: iconKid },
  revision: iconRevision,
});

function IconDialog({ detail }: DetailProps): JSX.Element {
  const { t } = useLanguage();
  const { kid: installerKid, name, iconKid } = detail.installer;
  const command = useCommand({
    name: iconCommand,
    id: 'SetInstallerIcon',
    stored: versionOf(detail),
    request: ({ icon }, expectedRevision) => ({ input: { installerKid }, body: { icon, expectedRevision } }),
    invalidates: ['GetInstaller', 'GetInstallers'],
    reread: async (client) => versionOf(await client.call('GetInstaller', { installerKid })),
    done: ({ iconRevision }) => ({
      text: t('action.saved', { name: t('word.icon') }),
      undo: requestOf('SetInstallerIcon', {
        input: { installerKid },
        body: { icon: iconKid, expectedRevision: iconRevision },
      }),
    }),
  });
  return (
    <CommandDialog
      command={command}
      title={`${t('word.icon')}: ${name === '' ? installerKid : name}`}
      action={t('action.save')}
      labels={{ icon: t('word.icon') }}
      format={(_, value) => nameOfIcon(String(value))}
    >
      <IconField field={command.field('icon')} icons={detail.availablePersonIcons} stored={command.base.values.icon} />
    </CommandDialog>
  );
}
