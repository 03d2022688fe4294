// The address of a place or a resident, with its coordinates and where they come from, and what can be done
// with it.

import type { JSX } from 'react';
import type { ObjectAddress } from '../api/operations.ts';
import { useRead } from '../api/use-read.ts';
import { Loaded } from '../components/loaded.tsx';
import { Facts, Section } from '../components/page.tsx';
import { findKid } from '../kid.ts';
import { useLanguage, useManager } from '../portal.tsx';
import { AddressButtons, AddressCommands } from './address-commands.tsx';
import { nameOfProvenance } from './address-provenance.ts';
import { MapLinks } from './map-links.tsx';

export function AddressPanel({ kid }: { readonly kid: string }): JSX.Element {
  const { t } = useLanguage();
  const address = useRead('GetObjectAddress', { kid });
  return (
    <Section title={t('word.address')}>
      <div className="panel">
        <Loaded read={address} lines={3}>
          {(shown) => (
            <>
              <AddressFacts address={shown} />
              {shown.canWrite ? <AddressButtons address={shown} /> : undefined}
            </>
          )}
        </Loaded>
      </div>
      {address.data === undefined ? undefined : <AddressCommands address={address.data} />}
    </Section>
  );
}

function AddressFacts({ address }: { readonly address: ObjectAddress }): JSX.Element {
  const language = useLanguage();
  const { t } = language;
  const manager = useManager();
  const { kid, address: street, zip, latitude, longitude, autoLatitudeLongitude } = address;
  return (
    <Facts
      facts={[
        [t('address.street'), street === '' ? t('state.none') : street],
        [t('address.zip'), zip === '' ? t('state.none') : zip],
        [
          t('address.coordinates'),
          latitude === null || longitude === null ? (
            t('state.none')
          ) : (
            <>
              {`${toDegrees(latitude)}, ${toDegrees(longitude)}`}{' '}
              <MapLinks
                latitude={latitude}
                longitude={longitude}
                about={t('word.address')}
                isHome={findKid(kid, manager.tenantKid)?.type === 'resident'}
              />
            </>
          ),
        ],
        [t('address.provenance'), nameOfProvenance(autoLatitudeLongitude ?? 0, language)],
      ]}
    />
  );
}

/** The service counts in millionths of a degree. */
const toDegrees = (millionths: number): string => (millionths / 1_000_000).toFixed(6);
