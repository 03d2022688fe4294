// The box of a path, computed only from its data: every point that its commands name, control points among them.

export type BoundingBox = {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
};

type Pen = { x: number; y: number };

/** How many numbers each command takes at a time; arcs and cubic curves are no part of letters. */
const numbersPerCommand: Record<string, number> = { m: 2, l: 2, h: 1, v: 1, q: 4, z: 0 };

/** Of an absolute moveto followed by relative commands, as letters and digits are drawn. */
export function boundingBoxOfPath(data: string): BoundingBox {
  const points: Pen[] = [];
  let pen: Pen = { x: 0, y: 0 };
  let began = pen;
  for (const [, letter = '', rest = ''] of data.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const command = letter.toLowerCase();
    const size = numbersPerCommand[command];
    if (size === undefined || (letter !== command && letter !== 'M')) throw new Error(`${letter} is not expected`);
    if (command === 'z') pen = began;
    const numbers = (rest.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
    if (size > 0 && numbers.length % size !== 0) throw new Error(`${letter} has too few numbers: ${rest}`);
    for (let at = 0; at < numbers.length; at += size || 1) {
      const named = pointsOf(command, letter === 'M' ? { x: 0, y: 0 } : pen, numbers.slice(at, at + size));
      points.push(...named);
      pen = named.at(-1)!;
      if (command === 'm') began = pen;
    }
  }
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

function pointsOf(command: string, { x, y }: Pen, [a = 0, b = 0, c = 0, d = 0]: number[]): Pen[] {
  if (command === 'h') return [{ x: x + a, y }];
  if (command === 'v') return [{ x, y: y + a }];
  if (command === 'q')
    return [
      { x: x + a, y: y + b },
      { x: x + c, y: y + d },
    ];
  return [{ x: x + a, y: y + b }];
}

/** A box under a transform of scales and moves, as attributes spell one. */
export function transformBox({ left, top, right, bottom }: BoundingBox, transform: string): BoundingBox {
  let corners: BoundingBox = { left, top, right, bottom };
  for (const [, name = '', list = ''] of [...transform.matchAll(/(\w+)\(([^)]*)\)/g)].toReversed()) {
    const [a = 0, b = name === 'scale' ? a : 0, , d = 0, e = 0, f = 0] = list.split(' ').map(Number);
    const [scaleX, scaleY, moveX, moveY] =
      name === 'matrix' ? [a, d, e, f] : name === 'scale' ? [a, b, 0, 0] : [1, 1, a, b];
    corners = {
      left: scaleX * corners.left + moveX,
      top: scaleY * corners.top + moveY,
      right: scaleX * corners.right + moveX,
      bottom: scaleY * corners.bottom + moveY,
    };
  }
  return corners;
}
