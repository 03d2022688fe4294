// The operations of the three families as declared, each run with a path's segments and without a server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operation } from '../../http/operation.ts';
import type { Representation } from '../../http/representation.ts';
import { imagesRoutes } from './routes.ts';

type Asked = { family: string; key: string; svg: string };

/** What the operations ask to be rendered. */
function recordingRoutes(): { operations: Operation[]; asked: Asked[] } {
  const asked: Asked[] = [];
  const render = (family: string, key: string, draw: () => string): Representation => {
    const svg = draw();
    asked.push({ family, key, svg });
    return { body: svg, mediaType: 'image/svg+xml', etag: '"1"', maxAgeSeconds: 600 };
  };
  return { operations: imagesRoutes({ render }), asked };
}

const logoForms = (id: string, path: string): [string, string][] => [
  [id, `${path}/{color}.svg`],
  [`${id}Sized`, `${path}/{color}/{width}.svg`],
  [`${id}WithBackground`, `${path}/{color}/{background}/{width}.svg`],
];
const bothSizes = (id: string, path: string): [string, string][] => [
  [id, `${path}.svg`],
  [`${id}Sized`, `${path}/{width}x{height}.svg`],
];

const pathsOf = (prefix: string): [string, string][] =>
  recordingRoutes()
    .operations.filter(({ path }) => path.startsWith(prefix))
    .map(({ id, path }) => [id, path]);

test('[images.07] the symbol has its three paths', () => {
  assert.deepEqual(pathsOf('/api/v1/logos/brand/'), logoForms('GetBrandLogo', '/api/v1/logos/brand'));
});

test('[images.08] the name has its three paths', () => {
  assert.deepEqual(pathsOf('/api/v1/logos/brand-text/'), logoForms('GetBrandText', '/api/v1/logos/brand-text'));
});

test('[images.09] symbol and name have their three paths', () => {
  assert.deepEqual(
    pathsOf('/api/v1/logos/brand-logo-text/'),
    logoForms('GetBrandLogoText', '/api/v1/logos/brand-logo-text'),
  );
});

test('[images.14] the linear gradient has its two paths', () => {
  assert.deepEqual(
    pathsOf('/api/v1/gradients/'),
    bothSizes('GetLinearGradient', '/api/v1/gradients/linear/{colors}/{angle}'),
  );
});

test('[images.21, images.23, images.27] each circle has its two paths', () => {
  assert.deepEqual(pathsOf('/api/v1/circles/'), [
    ...bothSizes('GetCircleGradient', '/api/v1/circles/gradient/{colors}'),
    ...bothSizes('GetCircleProgress', '/api/v1/circles/progress/{background}/{colors}/{percent}'),
    ...bothSizes('GetCircleRunning', '/api/v1/circles/running/{color}'),
  ]);
});

test('[images.01, images.02, images.32] all are for anyone, described by their path, and refused in the words of their family', () => {
  const { operations } = recordingRoutes();
  assert.equal(operations.length, 17);
  for (const {
    id,
    path,
    access,
    documents,
    method,
    params,
    query,
    representationTypes,
    storageFree,
    ...rest
  } of operations) {
    assert.deepEqual([access, documents, method, query], ['anyone', ['public'], 'GET', undefined], id);
    assert.deepEqual([representationTypes, storageFree], [['image/svg+xml'], true], id);
    const [, family = ''] = /^\/api\/v1\/(\w+)s\//.exec(path) ?? [];
    assert.equal(rest.validationProblem, `invalid-${family}-parameters`);
    assert.deepEqual(rest.problemCodes, ['too-many-renders']);
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    assert.deepEqual(Object.keys(params?.properties ?? {}).toSorted(), names.toSorted(), id);
    for (const [name, schema] of Object.entries(params?.properties ?? {}))
      assert.ok('description' in schema && 'examples' in schema, `${id} ${name}`);
  }
});

const good: Record<string, string> = {
  color: 'Brand',
  background: 'white',
  colors: 'red-blue',
  angle: '45',
  percent: '7',
  width: '64',
  height: '48',
};

test('every operation draws what its path says, under a name that no other picture has', async () => {
  const { operations, asked } = recordingRoutes();
  for (const operation of operations) {
    const names = Object.keys(operation.params?.properties ?? {});
    const params = Object.fromEntries(names.map((name) => [name, good[name]]));
    await operation.run({ params, query: {}, body: undefined }, {} as never);
    const last = asked.at(-1);
    assert.ok(last !== undefined && operation.path.startsWith(`/api/v1/${last.family}/`), operation.id);
    assert.match(last.svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>$/);
    if (names.includes('width')) assert.match(last.svg, / width="64"/);
    if (names.includes('height')) assert.match(last.svg, / height="48"/);
    if (!names.includes('width') && last.family !== 'logos') assert.match(last.svg, / width="200" height="200"/);
  }
  assert.equal(asked.length, 17);
  assert.equal(new Set(asked.map(({ family, key }) => `${family} ${key}`)).size, 17);
});
