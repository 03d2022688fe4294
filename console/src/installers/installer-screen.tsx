// An installer: how they are reached, and which locations they service.

import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { InstallerIconButton, InstallerIconCommand } from './installer-command.tsx';
import { InstallerMark } from './installer-mark.tsx';
import type { InstallerDetail } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import { useParameter } from '../banks/bank-page.tsx';
import { KidIcon } from '../components/icon.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Facts, Page } from '../components/page.tsx';
import { Ago } from '../times/times.tsx';
import { locationPath } from '../paths.ts';
import { useLanguage } from '../portal.tsx';

export function InstallerScreen(): JSX.Element {
  const installerKid = useParameter('installerKid');
  const detail = useRead('GetInstaller', { installerKid });
  return (
    <Loaded read={detail} lines={10}>
      {(data) => <InstallerPage detail={data} />}
    </Loaded>
  );
}

function InstallerPage({ detail }: { readonly detail: InstallerDetail }): JSX.Element {
  const { t } = useLanguage();
  const { installer, phone, organisation } = detail;
  return (
    <Page
      title={installer.name === '' ? installer.kid : installer.name}
      actions={<InstallerIconButton detail={detail} />}
      mark={<InstallerMark state={installer.state} />}
      note={<code>{installer.kid}</code>}
      crumbs={[{ title: t('nav.installers'), to: '/installers' }]}
    >
      <div className="panel">
        <Facts
          facts={[
            [t('word.email'), installer.email],
            [t('word.phone'), phone],
            [t('word.organisation'), organisation],
            [t('word.icon'), <KidIcon key="icon" kid={installer.iconKid} />],
            [t('installer.tags'), installer.tags.join(', ')],
            [
              t('bank.locations'),
              installer.locations.map(({ kid, name }) => (
                <span key={kid} className="line">
                  <Link to={locationPath(kid)}>{name}</Link>
                </span>
              )),
            ],
            [
              t('word.lastActivity'),
              installer.lastActivityUtc === null ? t('state.never') : <Ago instant={installer.lastActivityUtc} />,
            ],
          ]}
        />
      </div>
      <InstallerIconCommand detail={detail} />
    </Page>
  );
}
