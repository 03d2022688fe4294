// A drawing of where points are, with a scale. It is for those who see it: whatever it shows stands in a list or a table
// beside it, which keyboards and screen readers use.

import { Fragment, type JSX } from 'react';
import { useLanguage } from '../portal.tsx';
import { drawingRatio, drawPoints, type PlacedPoint, type Spot } from './project-points.ts';
import styles from './point-map.module.css';

type PointMapProps = {
  readonly points: readonly PlacedPoint[];
  /** What stands in the mark of these points. */
  readonly labelOf: (keys: readonly string[]) => string;
  /** What the mark is of, for those who point at it. */
  readonly titleOf: (keys: readonly string[]) => string;
  /** The point that is marked in the list. */
  readonly activeKey?: string | undefined;
  readonly onChoose?: (key: string) => void;
};

const percent = (part: number): string => `${(part * 100).toFixed(2)}%`;
/** The place at which the scale begins. */
const scaleLeft = 0.03;

export function PointMap({ points, ...marks }: PointMapProps): JSX.Element {
  const { formats } = useLanguage();
  const { spots, scaleMetres, scaleWidth } = drawPoints(points);
  // The spot in the list goes last: it lies above the others.
  const ordered = spots.toSorted((a, b) => Number(isActive(a, marks.activeKey)) - Number(isActive(b, marks.activeKey)));
  return (
    <svg className={styles.map} aria-hidden="true">
      <Grid step={scaleWidth} />
      {ordered.map((spot) => (
        <Mark key={spot.keys[0]} spot={spot} {...marks} />
      ))}
      <line className={styles.scale} x1={percent(scaleLeft)} x2={percent(scaleLeft + scaleWidth)} y1="96%" y2="96%" />
      <text className={styles.scaleText} x={percent(scaleLeft)} y="94%">
        {formats.distance(scaleMetres)}
      </text>
    </svg>
  );
}

/** Squares as wide as the scale is long, from the middle on. */
function Grid({ step }: { readonly step: number }): JSX.Element {
  const count = Math.ceil(0.5 / step);
  const steps = Array.from({ length: 2 * count + 1 }, (_, index) => (index - count) * step);
  return (
    <g className={styles.grid}>
      {steps.map((offset) => (
        <Fragment key={offset}>
          <line x1={percent(0.5 + offset)} x2={percent(0.5 + offset)} y1="0" y2="100%" />
          <line x1="0" x2="100%" y1={percent(0.5 + offset * drawingRatio)} y2={percent(0.5 + offset * drawingRatio)} />
        </Fragment>
      ))}
    </g>
  );
}

const isActive = ({ keys }: Spot, activeKey: string | undefined): boolean =>
  activeKey !== undefined && keys.includes(activeKey);

type MarkProps = Omit<PointMapProps, 'points'> & { readonly spot: Spot };

function Mark({ spot, labelOf, titleOf, activeKey, onChoose }: MarkProps): JSX.Element {
  const { x, y, keys } = spot;
  const label = labelOf(keys);
  const [first = ''] = keys;
  const position = { x: percent(x), y: percent(y) };
  return (
    <g
      className={onChoose === undefined ? styles.mark : `${styles.mark} ${styles.choosable}`}
      data-active={isActive(spot, activeKey) ? '' : undefined}
      onClick={() => onChoose?.(first)}
    >
      <title>{titleOf(keys)}</title>
      <circle cx={position.x} cy={position.y} r={12 + Math.max(0, label.length - 2) * 3} />
      <text {...position} dy="0.35em">
        {label}
      </text>
    </g>
  );
}
