// Checks the path parameters that groups of images share: parsed values, and errors under the code of each group.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Problem } from '../../../lib/problem.ts';
import {
  parseCircleGradientParameters,
  parseCircleProgressParameters,
  parseCircleRunningParameters,
} from './circle-parameters.ts';
import { parseLinearGradientParameters } from './linear-gradient.ts';
import { parseLogoParameters } from './logo.ts';

/** The problem of an invalid path; fails if the path is accepted. */
function refusal(read: () => unknown): { code: string; paths: string[]; detail: string } {
  try {
    return assert.fail(`read: ${JSON.stringify(read())}`);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { errors = [], detail = '' } = error.details;
    return { code: error.code, paths: errors.map(({ path }) => path), detail };
  }
}

const noLengths = [
  '',
  '0',
  '15',
  '4097',
  '10000',
  '-16',
  '+16',
  '016',
  '0016',
  '16.0',
  '16.5',
  '1e2',
  '0x20',
  '16px',
  ' 16',
  '16 ',
  '١٦',
  '１６',
  'NaN',
  'Infinity',
  'auto',
  'wide',
  '16\n',
  '99999999999999999999',
];

const sizedReaders: readonly ((size: { width: string; height: string }) => { width?: number; height?: number })[] = [
  (size) => parseLinearGradientParameters({ colors: 'red-blue', angle: '0', ...size }),
  (size) => parseCircleGradientParameters({ colors: 'red-blue', ...size }),
  (size) => parseCircleProgressParameters({ background: 'white', colors: 'red-blue', percent: '1', ...size }),
  (size) => parseCircleRunningParameters({ color: 'red', ...size }),
];

test('[images.06] width and height are whole numbers from 16 to 4096, without clamping', () => {
  fc.assert(
    fc.property(fc.integer({ min: 16, max: 4096 }), fc.integer({ min: 16, max: 4096 }), (width, height) => {
      for (const read of sizedReaders) {
        const size = read({ width: `${width}`, height: `${height}` });
        assert.deepEqual([size.width, size.height], [width, height]);
      }
      assert.equal(parseLogoParameters('brand', { color: 'red', width: `${width}` }).width, width);
    }),
  );
});

test('[images.06] any other width or height is refused and named, never clamped', () => {
  for (const wrong of noLengths) {
    for (const read of sizedReaders) {
      assert.deepEqual(refusal(() => read({ width: wrong, height: '16' })).paths, ['path.width'], wrong);
      assert.deepEqual(refusal(() => read({ width: '4096', height: wrong })).paths, ['path.height'], wrong);
    }
    assert.deepEqual(
      refusal(() => parseLogoParameters('brand', { color: 'red', width: wrong })).paths,
      ['path.width'],
      wrong,
    );
  }
});

test('[images.15] two to four colours are joined by hyphens; one and five are refused', () => {
  const joined = (count: number): string => Array.from({ length: count }, () => 'Online').join('-');
  for (const read of [
    (colors: string) => parseLinearGradientParameters({ colors, angle: '0' }).colors.length,
    (colors: string) => parseCircleGradientParameters({ colors }).colors.length,
    (colors: string) => parseCircleProgressParameters({ background: 'white', colors, percent: '1' }).colors.length,
  ]) {
    for (const count of [2, 3, 4]) assert.equal(read(joined(count)), count);
    for (const wrong of [
      joined(1),
      joined(5),
      joined(400),
      '',
      '-',
      'red-',
      '-red',
      'red--blue',
      'red_blue',
      'red,blue',
    ])
      assert.deepEqual(refusal(() => read(wrong)).paths, ['path.colors'], wrong);
    for (const wrong of ['red-#00f', 'red-blu', 'red-00ff', 'red-blue-12345', 'red- blue'])
      assert.deepEqual(refusal(() => read(wrong)).paths, ['path.colors'], wrong);
  }
});

test('[images.15] running takes exactly one colour', () => {
  assert.equal(parseCircleRunningParameters({ color: 'Running' }).color.alpha, 1);
  for (const wrong of ['red-blue', 'red-', '-red', ''])
    assert.deepEqual(refusal(() => parseCircleRunningParameters({ color: wrong })).paths, ['path.color'], wrong);
});

test('[images.18] an angle is a decimal number with a dot; a comma, text and infinite numbers are refused', () => {
  const angleOf = (angle: string): number => parseLinearGradientParameters({ colors: 'red-blue', angle }).angle;
  for (const [text, degrees] of [
    ['0', 0],
    ['90', 90],
    ['22.5', 22.5],
    ['.5', 0.5],
    ['0.125', 0.125],
    ['045', 45],
    ['359.999', 359.999],
  ] as const)
    assert.equal(angleOf(text), degrees, text);
  const wrong = [
    '',
    '-',
    '.',
    '5.',
    '22,5',
    '1.2.3',
    '1e2',
    '1e400',
    '+90',
    '--90',
    'Infinity',
    '-Infinity',
    'NaN',
    'left',
    '90deg',
    '0x10',
    ' 90',
    '90 ',
    '٩٠',
    '1_000',
    '9'.repeat(400),
  ];
  for (const text of wrong) {
    const { code, paths } = refusal(() => angleOf(text));
    assert.deepEqual([code, paths], ['invalid-gradient-parameters', ['path.angle']], text);
  }
});

test('[images.19] negative angles and full turns count modulo 360', () => {
  const angleOf = (angle: string): number => parseLinearGradientParameters({ colors: 'red-blue', angle }).angle;
  for (const [text, same] of [
    ['-90', 270],
    ['450', 90],
    ['360', 0],
    ['-360', 0],
    ['-0', 0],
    ['720.5', 0.5],
    ['-337.7', 22.3],
    ['-0.0000000000001', 0],
  ] as const)
    assert.equal(angleOf(text), same, text);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 359_999 }), fc.integer({ min: -1000, max: 1000 }), (thousandths, turns) => {
      // Thousandths of a degree are exact.
      const whole = thousandths + turns * 360_000;
      const digits = String(Math.abs(whole)).padStart(4, '0');
      const text = `${whole < 0 ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
      assert.equal(angleOf(text), thousandths / 1000, text);
    }),
  );
});

test('[images.24] percent is a whole number from 0 to 100', () => {
  const read = (percent: string): number =>
    parseCircleProgressParameters({ background: 'white', colors: 'red-blue', percent }).percent;
  for (let percent = 0; percent <= 100; percent++) assert.equal(read(`${percent}`), percent);
  for (const wrong of ['', '-1', '101', '1.5', '1.0', '007', '+7', '1e1', '50%', ' 50', '-0', 'half', '５０', '1000'])
    assert.deepEqual(refusal(() => read(wrong)).paths, ['path.percent'], wrong);
});

test('[images.20] without a size gradients and circles are 200 x 200', () => {
  for (const { width, height } of [
    parseLinearGradientParameters({ colors: 'red-blue', angle: '0' }),
    parseCircleGradientParameters({ colors: 'red-blue' }),
    parseCircleProgressParameters({ background: 'white', colors: 'red-blue', percent: '1' }),
    parseCircleRunningParameters({ color: 'red' }),
  ])
    assert.deepEqual([width, height], [200, 200]);
});

test('[images.32] an error has the code of its group, and names every invalid parameter without repeating its value', () => {
  const bad = '<bad>';
  const size = { width: bad, height: bad };
  for (const [read, code, paths] of [
    [
      () => parseLogoParameters('brand-text', { color: bad, background: bad, width: bad }),
      'invalid-logo-parameters',
      ['color', 'background', 'width'],
    ],
    [
      () => parseLinearGradientParameters({ colors: bad, angle: bad, ...size }),
      'invalid-gradient-parameters',
      ['colors', 'angle', 'width', 'height'],
    ],
    [
      () => parseCircleGradientParameters({ colors: bad, ...size }),
      'invalid-circle-parameters',
      ['colors', 'width', 'height'],
    ],
    [
      () => parseCircleProgressParameters({ background: bad, colors: bad, percent: bad, ...size }),
      'invalid-circle-parameters',
      ['background', 'colors', 'percent', 'width', 'height'],
    ],
    [
      () => parseCircleRunningParameters({ color: bad, ...size }),
      'invalid-circle-parameters',
      ['color', 'width', 'height'],
    ],
  ] as const) {
    const refused = refusal(read);
    assert.equal(refused.code, code);
    assert.deepEqual(
      refused.paths,
      paths.map((path) => `path.${path}`),
    );
    assert.ok(refused.detail.startsWith(`path.${paths[0]} must be`), refused.detail);
    assert.ok(!JSON.stringify(refused).includes(bad));
  }
});
