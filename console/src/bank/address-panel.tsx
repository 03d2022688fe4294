// The address of a place or a resident, with its coordinates and where they come from.

import type { JSX } from 'react';
import { useRead } from '../api/use-read.ts';
import { Loaded } from '../components/loaded.tsx';
import { Facts, Section } from '../components/page.tsx';
import type { TextKey } from '../language/catalogue.ts';
import { useLanguage } from '../portal.tsx';

/** The codes of autoLatitudeLongitude besides the months of a lookup. */
const provenances: Readonly<Record<number, TextKey>> = {
  0: 'address.unknown',
  13: 'address.pending',
  20: 'address.failed',
  30: 'address.manual',
};

export function AddressPanel({ kid }: { readonly kid: string }): JSX.Element {
  const { t } = useLanguage();
  const address = useRead('GetObjectAddress', { kid });
  return (
    <Section title={t('word.address')}>
      <div className="panel">
        <Loaded read={address} lines={3}>
          {({ address: street, zip, latitude, longitude, autoLatitudeLongitude }) => (
            <Facts
              facts={[
                [t('address.street'), street === '' ? t('state.none') : street],
                [t('address.zip'), zip === '' ? t('state.none') : zip],
                [
                  t('address.coordinates'),
                  latitude === null || longitude === null
                    ? t('state.none')
                    : `${toDegrees(latitude)}, ${toDegrees(longitude)}`,
                ],
                [t('address.provenance'), t(provenances[autoLatitudeLongitude ?? 0] ?? 'address.lookup')],
              ]}
            />
          )}
        </Loaded>
      </div>
    </Section>
  );
}

/** The service counts in millionths of a degree. */
const toDegrees = (millionths: number): string => (millionths / 1_000_000).toFixed(6);
