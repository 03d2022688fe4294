// Parses a line of the stream of samples. What it says is not compared with anything that is stored.

import { parseDeviceTime, type DeviceTime } from './clock.ts';
import { LineFields } from './line-fields.ts';
import type { StreamLine } from './parse-lines.ts';

const maxNameLength = 64;
const maxKidLength = 128;
const maxCodeLength = 64;

/** The unit is missing where a line is of the computer itself. */
export type SamplesLine = { readonly time: DeviceTime; readonly unit: string | undefined } & (
  | { readonly kind: 'states'; readonly values: readonly (readonly [name: string, value: unknown])[] }
  | { readonly kind: 'setting'; readonly name: string; readonly value: unknown }
  | { readonly kind: 'cycle'; readonly documentId: number; readonly value: unknown }
  | { readonly kind: 'synced' }
  | { readonly kind: 'applied'; readonly version: number; readonly ok: boolean; readonly code: string | null }
  | { readonly kind: 'snapshot'; readonly version: number }
  | { readonly kind: 'result'; readonly commandId: number; readonly ok: boolean; readonly code: string | null }
  | { readonly kind: 'alive' }
);

type Content = SamplesLine extends infer L ? (L extends unknown ? Omit<L, 'time' | 'unit'> : never) : never;

/** Undefined where the line is malformed. */
export function parseSamplesLine({ n, fields: values }: StreamLine): SamplesLine | undefined {
  if (values === undefined) return undefined;
  const fields = new LineFields(values);
  fields.require(fields.integer('n', 1) === n);
  const kind = fields.get('t');
  const parse = typeof kind === 'string' && Object.hasOwn(parsers, kind) ? parsers[kind] : undefined;
  const time = parseDeviceTime(fields);
  const unit = fields.text('unit', maxKidLength);
  const content = parse?.(fields);
  if (content === undefined || time === undefined || !fields.isValid) return undefined;
  if (unit === undefined && needsUnit(content)) return undefined;
  return { time, unit, ...content };
}

const needsUnit = ({ kind }: Content): boolean => kind !== 'applied' && kind !== 'snapshot' && kind !== 'alive';

/** Each returns undefined where a member is missing. */
const parsers: Readonly<Record<string, (fields: LineFields) => Content | undefined>> = {
  state: (fields) => {
    const name = fields.text('name', maxNameLength);
    return name === undefined || !fields.has('value')
      ? undefined
      : { kind: 'states', values: [[name, fields.get('value') ?? null]] };
  },
  samples: (fields) => {
    const values = fields.object('values');
    return values === undefined ? undefined : { kind: 'states', values: Object.entries(values) };
  },
  setting: (fields) => {
    const name = fields.text('name', maxNameLength);
    return name === undefined || !fields.has('value')
      ? undefined
      : { kind: 'setting', name, value: fields.get('value') ?? null };
  },
  cycle: (fields) => {
    const documentId = fields.id('document');
    return documentId === undefined ? undefined : { kind: 'cycle', documentId, value: fields.get('value') ?? null };
  },
  synced: () => ({ kind: 'synced' }),
  alive: () => ({ kind: 'alive' }),
  applied: (fields) => {
    const ok = fields.boolean('ok');
    const version = fields.integer('v', 1);
    const snapshot = fields.integer('snapshot', 0);
    const code = fields.text('code', maxCodeLength) ?? null;
    if (version !== undefined && snapshot === undefined && ok !== undefined)
      return { kind: 'applied', version, ok, code: ok ? null : code };
    return snapshot !== undefined && version === undefined && ok === true
      ? { kind: 'snapshot', version: snapshot }
      : undefined;
  },
  result: (fields) => {
    const [, digits] = /^C([1-9]\d{0,14})$/.exec(fields.token('command', 16) ?? '') ?? [];
    const ok = fields.boolean('ok');
    const code = fields.text('code', maxCodeLength) ?? null;
    return digits === undefined || ok === undefined
      ? undefined
      : { kind: 'result', commandId: Number(digits), ok, code: ok ? null : code };
  },
};
