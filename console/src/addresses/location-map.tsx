// The locations of a housing association on a map, beside a list of them that has the same numbers. What has no
// coordinates is listed too.

import { Link } from '@tanstack/react-router';
import { useRef, useState, type JSX } from 'react';
import type { Location } from '../api/operations.ts';
import { Icon } from '../components/icon.tsx';
import { Empty, Section } from '../components/page.tsx';
import { locationPath } from '../paths.ts';
import { useLanguage } from '../portal.tsx';
import { MapLinks } from './map-links.tsx';
import { PointMap } from './point-map.tsx';
import type { PlacedPoint } from './project-points.ts';
import styles from './location-map.module.css';
import pointMapStyles from './point-map.module.css';

export type MapPlace = Pick<Location, 'kid' | 'name' | 'address' | 'zip' | 'latitude' | 'longitude'>;
type Placed = MapPlace & PlacedPoint;

const isPlaced = (place: MapPlace): place is MapPlace & { readonly latitude: number; readonly longitude: number } =>
  place.latitude !== null && place.longitude !== null;

type LocationMapProps = {
  readonly places: readonly MapPlace[];
  /** There are more than are shown. */
  readonly hasMore: boolean;
};

export function LocationMap({ places, hasMore }: LocationMapProps): JSX.Element {
  const { t } = useLanguage();
  const list = useRef<HTMLOListElement>(null);
  const [active, setActive] = useState<string>();
  const placed: readonly Placed[] = places.filter(isPlaced).map((place) => ({ ...place, key: place.kid }));
  const unplaced = places.filter((place) => !isPlaced(place));
  const numbers = new Map(placed.map(({ key }, index) => [key, index + 1]));
  const names = new Map(placed.map(({ key, name }) => [key, name]));
  return (
    <>
      {hasMore ? <p className="note">{t('map.tooMany')}</p> : undefined}
      {placed.length === 0 ? (
        <Empty>{t('map.none')}</Empty>
      ) : (
        <div className={pointMapStyles.frame}>
          <PointMap
            points={placed}
            labelOf={(keys) => labelOf(keys, numbers)}
            titleOf={(keys) => keys.map((key) => names.get(key)).join(', ')}
            activeKey={active}
            onChoose={(key) => {
              const index = (numbers.get(key) ?? 0) - 1;
              list.current?.querySelectorAll<HTMLElement>('.named')[index]?.focus();
            }}
          />
          <ol ref={list} className={styles.list} onMouseLeave={() => setActive(undefined)}>
            {placed.map((place) => (
              <li key={place.kid} onMouseEnter={() => setActive(place.kid)} onFocus={() => setActive(place.kid)}>
                <PlaceEntry place={place} />
                <MapLinks latitude={place.latitude} longitude={place.longitude} about={place.name} />
              </li>
            ))}
          </ol>
        </div>
      )}
      {unplaced.length === 0 ? undefined : (
        <Section title={t('map.unplaced')}>
          <ul className="links">
            {unplaced.map((place) => (
              <li key={place.kid}>
                <PlaceEntry place={place} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

/** One number, or how many there are at the spot with its first one. */
function labelOf([first = '', ...others]: readonly string[], numbers: ReadonlyMap<string, number>): string {
  const number = String(numbers.get(first) ?? '');
  return others.length === 0 ? number : `${number}+${others.length}`;
}

function PlaceEntry({ place: { kid, name, address, zip } }: { readonly place: MapPlace }): JSX.Element {
  return (
    <>
      <Link to={locationPath(kid)} className="named">
        <Icon name="location" />
        {name}
      </Link>
      <span className="second">{[address, zip].filter(Boolean).join(', ')}</span>
    </>
  );
}
