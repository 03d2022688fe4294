// Ways from coordinates to maps elsewhere. Nothing is loaded from there: the reader follows a link, or does not.

import type { JSX } from 'react';
import { useLanguage } from '../portal.tsx';

type MapLinksProps = {
  /** Millionths of a degree (WGS 84). */
  readonly latitude: number;
  /** Millionths of a degree (WGS 84). */
  readonly longitude: number;
  /** What is there, for those who do not see where the links are. */
  readonly about: string;
  /** The home of a person is shown only in an application of the reader's own, and to no website. */
  readonly isHome?: boolean;
};

const toDegrees = (millionths: number): string => (millionths / 1_000_000).toFixed(6);

export function MapLinks({ latitude, longitude, about, isHome = false }: MapLinksProps): JSX.Element {
  const { t } = useLanguage();
  const [north, east] = [toDegrees(latitude), toDegrees(longitude)];
  const hidden = <span className="visually-hidden"> {about}</span>;
  return (
    <span className="links">
      <a href={`geo:${north},${east}`}>
        {t('map.openApp')}
        {hidden}
      </a>
      {isHome ? undefined : (
        <a
          href={`https://www.openstreetmap.org/?mlat=${north}&mlon=${east}#map=17/${north}/${east}`}
          target="_blank"
          rel="noopener noreferrer"
        >
          OpenStreetMap{hidden}
        </a>
      )}
    </span>
  );
}
