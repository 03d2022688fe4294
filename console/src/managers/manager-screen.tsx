// An administrator: what they may do, where, and which pages of the portal they have.

import type { JSX } from 'react';
import { PermissionsButton, PermissionsCommand } from './permission-command.tsx';
import { areaTexts, flagTexts, nameOfRole } from './roles.ts';
import { namesOfTabs } from './tabs.ts';
import type { ManagerDetail, ManagerPermissions, PermissionArea, PermissionFlag } from '../api/operations.ts';
import { nameOfPlace } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { useParameter } from '../banks/bank-page.tsx';
import { Icon } from '../components/icon.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Facts, Mark, Page, Section } from '../components/page.tsx';
import { Ago } from '../times/times.tsx';
import { useLanguage, useManager } from '../portal.tsx';
import styles from './matrix.module.css';

export function ManagerScreen(): JSX.Element {
  const managerKid = useParameter('managerKid');
  const detail = useRead('GetManager', { managerKid });
  return (
    <Loaded read={detail} lines={12}>
      {(data) => <ManagerPage detail={data} />}
    </Loaded>
  );
}

function ManagerPage({ detail }: { readonly detail: ManagerDetail }): JSX.Element {
  const { t } = useLanguage();
  const { manager, tabs, permissions } = detail;
  return (
    <Page
      title={manager.name === '' ? manager.kid : manager.name}
      mark={
        <Mark tone={manager.active ? 'ok' : 'warn'}>{t(manager.active ? 'resident.active' : 'resident.disabled')}</Mark>
      }
      note={<code>{manager.kid}</code>}
      crumbs={[{ title: t('nav.managers'), to: '/managers' }]}
    >
      <div className="columns">
        <Section title={t('resident.details')}>
          <div className="panel">
            <ManagerFacts detail={detail} />
          </div>
        </Section>
        <Section title={t('manager.tabs')}>
          <div className="panel">
            <p className="marks">
              {tabs.length === 0
                ? t('state.none')
                : namesOfTabs(tabs, t).map((name) => (
                    <Mark key={name} tone="plain">
                      {name}
                    </Mark>
                  ))}
            </p>
          </div>
        </Section>
      </div>
      <Section title={t('manager.permissions')} actions={<PermissionsButton detail={detail} />}>
        <Matrix permissions={permissions} />
        <PermissionsCommand detail={detail} />
      </Section>
    </Page>
  );
}

function ManagerFacts({ detail: { manager, scopes } }: { readonly detail: ManagerDetail }): JSX.Element {
  const { t } = useLanguage();
  const reader = useManager();
  return (
    <Facts
      facts={[
        [t('word.email'), manager.email],
        [t('word.organisation'), manager.organisation],
        [t('manager.role'), nameOfRole(manager.role, t)],
        [
          t('manager.scope'),
          scopes.length === 0
            ? t('state.none')
            : scopes.map(({ kid, kind }) => (
                <span key={kid} className="line">
                  {kind === 'Tenant' ? t('manager.wholePortal') : nameOfPlace(reader, kid)}
                </span>
              )),
        ],
        [
          t('word.lastActivity'),
          manager.lastSeenUtc === null ? t('state.never') : <Ago instant={manager.lastSeenUtc} />,
        ],
      ]}
    />
  );
}

function Matrix({ permissions }: { readonly permissions: ManagerPermissions }): JSX.Element {
  const { t } = useLanguage();
  const flags = Object.entries(flagTexts) as [PermissionFlag, (typeof flagTexts)[PermissionFlag]][];
  const areas = Object.entries(areaTexts) as [PermissionArea, (typeof areaTexts)[PermissionArea]][];
  return (
    <section
      className={`table-frame keeps-columns ${styles.matrix}`}
      aria-label={t('manager.permissions')}
      tabIndex={0}
    >
      <table>
        <caption className="visually-hidden">{t('manager.permissions')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('manager.area')}</th>
            {flags.map(([flag, text]) => (
              <th key={flag} scope="col">
                {t(text)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {areas.map(([area, text]) => (
            <tr key={area}>
              <th scope="row">{t(text)}</th>
              {flags.map(([flag]) => (
                <td key={flag}>
                  <Granted isGranted={permissions[area].includes(flag)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Granted({ isGranted }: { readonly isGranted: boolean }): JSX.Element {
  const { t } = useLanguage();
  return (
    <span className={isGranted ? styles.granted : 'soft'}>
      {isGranted ? <Icon name="ok" /> : '–'}
      <span className="visually-hidden">{t(isGranted ? 'word.yes' : 'word.no')}</span>
    </span>
  );
}
