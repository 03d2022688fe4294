// Refused pictures: wrong segments, other formats, other routes, a query string, other methods.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceFixture } from '../support/service-suite.ts';

const { service } = serviceFixture('sqlite', { manager: false });

const get = async (path: string): Promise<{ status: number; code: string; errors: string[] }> => {
  const { status, json } = await service.call('GET', path);
  const { code, errors = [] } = json as { code: string; errors?: { path: string }[] };
  return { status, code, errors: errors.map((error) => error.path) };
};

const refused: readonly (readonly [family: string, path: string, wrong: readonly string[]])[] = [
  ...['logos/brand', 'logos/brand-text', 'logos/brand-logo-text'].flatMap((path) => [
    ['logo', `${path}/%23ff0000.svg`, ['color']] as const,
    ['logo', `${path}/ff00.svg`, ['color']] as const,
    ['logo', `${path}/ff000.svg`, ['color']] as const,
    ['logo', `${path}/ff000000.svg`, ['color']] as const,
    ['logo', `${path}/nocolour.svg`, ['color']] as const,
    ['logo', `${path}/red-blue.svg`, ['color']] as const,
    ['logo', `${path}/red/15.svg`, ['width']] as const,
    ['logo', `${path}/red/4097.svg`, ['width']] as const,
    ['logo', `${path}/red/16.5.svg`, ['width']] as const,
    ['logo', `${path}/red/wide.svg`, ['width']] as const,
    ['logo', `${path}/red/64x64.svg`, ['width']] as const,
    ['logo', `${path}/red/nocolour/64.svg`, ['background']] as const,
    ['logo', `${path}/no/no/no.svg`, ['color', 'background', 'width']] as const,
  ]),
  ...['gradients/linear/COLORS/0', 'circles/gradient/COLORS', 'circles/progress/white/COLORS/7'].flatMap((path) => {
    const family = path.startsWith('g') ? 'gradient' : 'circle';
    const of = (colors: string): string => path.replace('COLORS', colors);
    return [
      [family, `${of('red')}.svg`, ['colors']] as const,
      [family, `${of('red-red-red-red-red')}.svg`, ['colors']] as const,
      [family, `${of('red-%23fff')}.svg`, ['colors']] as const,
      [family, `${of('red-nocolour')}/64x64.svg`, ['colors']] as const,
      [family, `${of('red-blue')}/15x16.svg`, ['width']] as const,
      [family, `${of('red-blue')}/16x4097.svg`, ['height']] as const,
      [family, `${of('red-blue')}/016x16.svg`, ['width']] as const,
      [family, `${of('red-blue')}/16.5x16.svg`, ['width']] as const,
      [family, `${of('red-blue')}/axb.svg`, ['width', 'height']] as const,
      [family, `${of('red-blue')}/16x16x16.svg`, ['height']] as const,
    ];
  }),
  ...['1,5', 'left', 'Infinity', '-Infinity', 'NaN', '1e400', '90deg'].map(
    (angle) => ['gradient', `gradients/linear/red-blue/${angle}.svg`, ['angle']] as const,
  ),
  ...['-1', '101', '1.5', 'half', '007'].map(
    (percent) => ['circle', `circles/progress/white/red-blue/${percent}.svg`, ['percent']] as const,
  ),
  ['circle', 'circles/progress/nocolour/red-blue/7.svg', ['background']],
  ['circle', 'circles/running/red-blue.svg', ['color']],
  ['circle', 'circles/running/red/64x15.svg', ['height']],
];

test('[images.05, images.06, images.15, images.18, images.24, images.32] a wrong segment is 400 with the code of the family, and named', async () => {
  for (const [family, path, wrong] of refused) {
    assert.deepEqual(
      await get(`/api/v1/${path}`),
      { status: 400, code: `invalid-${family}-parameters`, errors: wrong.map((name) => `path.${name}`) },
      path,
    );
  }
});

test('[images.02, images.03] a query string is 400, also on a cached picture', async () => {
  for (const [family, path] of [
    ['logo', '/api/v1/logos/brand/red.svg'],
    ['gradient', '/api/v1/gradients/linear/red-blue/0.svg'],
    ['circle', '/api/v1/circles/running/red/64x64.svg'],
  ]) {
    assert.equal((await service.call('GET', String(path))).status, 200);
    for (const query of ['?', '?width=64', '?v=1', '?color=red'])
      assert.deepEqual(
        (({ status, code }) => [status, code])(await get(`${path}${query}`)),
        [400, `invalid-${family}-parameters`],
        `${path}${query}`,
      );
  }
});

const unknown = [
  ...['png', 'jpg', 'webp', 'SVG', 'svgz', 'svg.png'].flatMap((format) => [
    `logos/brand/red.${format}`,
    `logos/brand-text/red/64.${format}`,
    `logos/brand-logo-text/red/white/64.${format}`,
    `gradients/linear/red-blue/0.${format}`,
    `gradients/linear/red-blue/0/64x64.${format}`,
    `circles/gradient/red-blue.${format}`,
    `circles/progress/white/red-blue/7/64x64.${format}`,
    `circles/running/red.${format}`,
  ]),
  'logos',
  'logos/brand',
  'logos/brand/red',
  'logos/brand/red/64',
  'logos/brand/red/white/64/64.svg',
  'logos/brand/red/64.svg/',
  'logos/none/red.svg',
  'logos/Brand/red.svg',
  'gradients/linear/red-blue.svg',
  'gradients/radial/red-blue/0.svg',
  'gradients/linear/red-blue/0/64.svg',
  'gradients/linear/red-blue/0/64x64',
  'circles/gradient/red-blue/64.svg',
  'circles/progress/red-blue/7.svg',
  'circles/running.svg',
];

test('[images.04, images.34] another format and an unknown route are 404 unknown-route', async () => {
  for (const path of unknown) {
    const { status, code } = await get(`/api/v1/${path}`);
    assert.deepEqual([status, code], [404, 'unknown-route'], path);
  }
});

test('[contract.13] former paths of logos, gradients and circles are not aliases', async () => {
  for (const path of ['/api/v1/logo/brand/red.svg', '/api/v1/gradient/red-blue/0.svg', '/api/v1/circle/progress/7.svg'])
    assert.equal((await get(path)).status, 404, path);
});

test('a picture can only be read: other methods are 405', async () => {
  for (const path of ['/api/v1/logos/brand/red.svg', '/api/v1/circles/running/red/64x64.svg']) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers, json } = await service.call(method, path);
      assert.deepEqual([status, headers.allow, json.code], [405, 'GET, HEAD, OPTIONS', 'method-not-allowed']);
    }
  }
});
