// A service: whether it has an API key, who made it, and what it may read.

import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { ServiceAccessButton, ServiceCommands, ServiceKeyButton, ServiceProfileButtons } from './service-commands.tsx';
import type { ServiceDetail } from '../api/operations.ts';
import { may } from '../api/rights.ts';
import { useRead } from '../api/use-read.ts';
import { useParameter } from '../banks/bank-page.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Facts, Mark, Page, Section } from '../components/page.tsx';
import { Ago, Instant } from '../times/times.tsx';
import { managerPath } from '../paths.ts';
import { useLanguage, useManager } from '../portal.tsx';

export function ServiceScreen(): JSX.Element {
  const serviceKid = useParameter('serviceKid');
  const detail = useRead('GetService', { serviceKid });
  return (
    <Loaded read={detail} lines={10}>
      {(data) => <ServicePage detail={data} />}
    </Loaded>
  );
}

function ServicePage({ detail }: { readonly detail: ServiceDetail }): JSX.Element {
  const { t } = useLanguage();
  const { service, hasApiKeyHash, apiKeyMadeByKid, apiKeyMadeAtUtc, readAccess } = detail;
  return (
    <Page
      title={service.name}
      mark={<Mark tone={hasApiKeyHash ? 'ok' : 'plain'}>{t(hasApiKeyHash ? 'service.hasKey' : 'service.noKey')}</Mark>}
      note={
        <>
          {service.identity} <code>{service.kid}</code>
        </>
      }
      crumbs={[{ title: t('nav.services'), to: '/services' }]}
      actions={<ServiceProfileButtons />}
    >
      <div className="columns">
        <Section title={t('service.key')} actions={<ServiceKeyButton detail={detail} />}>
          <div className="panel">
            <Facts
              facts={[
                [t('word.state'), t(hasApiKeyHash ? 'service.hasKey' : 'service.noKey')],
                [t('service.madeBy'), <ManagerName key="maker" kid={apiKeyMadeByKid} />],
                [t('service.madeAt'), timeOf(apiKeyMadeAtUtc)],
              ]}
            />
          </div>
        </Section>
        <Section title={t('service.readAccess')} actions={<ServiceAccessButton />}>
          <div className="panel">
            <ul className="sentences">
              {readAccess.operations.map((operation) => (
                <li key={operation}>
                  <code>{operation}</code>
                </li>
              ))}
            </ul>
            <Facts
              facts={[
                [t('word.state'), readAccess.operations.length === 0 ? t('state.none') : undefined],
                [t('service.grantedBy'), <ManagerName key="granter" kid={readAccess.grantedByKid} />],
                [t('service.grantedAt'), timeOf(readAccess.grantedAtUtc)],
                [
                  t('service.lastUsed'),
                  readAccess.lastUsedUtc === null ? t('state.never') : <Ago instant={readAccess.lastUsedUtc} />,
                ],
              ]}
            />
          </div>
        </Section>
      </div>
      <ServiceCommands detail={detail} />
    </Page>
  );
}

const timeOf = (instant: string | null): ReactNode => (instant === null ? undefined : <Instant instant={instant} />);

function ManagerName({ kid }: { readonly kid: string | null }): JSX.Element {
  const { t } = useLanguage();
  const manager = useManager();
  if (kid === null) return <>{t('state.none')}</>;
  return may(manager, 'GetManager') ? <Link to={managerPath(kid)}>{kid}</Link> : <code>{kid}</code>;
}
