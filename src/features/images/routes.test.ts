// Checks the declared image operations by running each with path parameters, without a server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isImageOperation } from '../../http/operations/operation-properties.ts';
import type { ImageOperation } from '../../http/operations/operation.ts';
import { imagesRoutes } from './routes.ts';
import type { SvgRenderer } from './process/image-renderer.ts';

type RequestedImage = { group: string; key: string; svg: string };

/** The operations, and the images that they have requested from their renderers. */
function recordingRoutes(): { operations: ImageOperation[]; requested: RequestedImage[] } {
  const requested: RequestedImage[] = [];
  const recordingRenderer = (group: string): SvgRenderer => ({
    renderSvg: (key, draw) => {
      const svg = draw();
      requested.push({ group, key, svg });
      return { body: svg, mediaType: 'image/svg+xml', etag: '"1"', maxAgeSeconds: 600 };
    },
  });
  const operations = imagesRoutes({
    logos: recordingRenderer('logos'),
    gradients: recordingRenderer('gradients'),
    circles: recordingRenderer('circles'),
  }).filter(isImageOperation);
  return { operations, requested };
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

test('[images.01, images.02, images.32] all are public, described by their path, and have the problem code of their group', () => {
  const { operations } = recordingRoutes();
  assert.equal(operations.length, 17);
  for (const {
    id,
    path,
    access,
    openApiDocuments,
    method,
    params,
    query,
    response,
    storageFree,
    ...rest
  } of operations) {
    assert.deepEqual([access, openApiDocuments, method, query], ['anyone', ['public'], 'GET', undefined], id);
    assert.deepEqual([response.mediaTypes, storageFree], [['image/svg+xml'], true], id);
    const [, group = ''] = /^\/api\/v1\/(\w+)s\//.exec(path) ?? [];
    assert.equal(rest.validationProblem, `invalid-${group}-parameters`);
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

test('every operation draws the image of its path, under a unique key', async () => {
  const { operations, requested } = recordingRoutes();
  for (const operation of operations) {
    const names = Object.keys(operation.params?.properties ?? {});
    const params = Object.fromEntries(names.map((name) => [name, good[name]]));
    await operation.render(params, {} as never, '');
    const last = requested.at(-1);
    assert.ok(last !== undefined && operation.path.startsWith(`/api/v1/${last.group}/`), operation.id);
    assert.match(last.svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>$/);
    if (names.includes('width')) assert.match(last.svg, / width="64"/);
    if (names.includes('height')) assert.match(last.svg, / height="48"/);
    if (!names.includes('width') && last.group !== 'logos') assert.match(last.svg, / width="200" height="200"/);
  }
  assert.equal(requested.length, 17);
  assert.equal(new Set(requested.map(({ group, key }) => `${group} ${key}`)).size, 17);
});

test('[images.13] the documentation states the margin around a logo with a background', () => {
  const { operations, requested } = recordingRoutes();
  const withBackground = operations.filter(({ id }) => id.endsWith('WithBackground'));
  assert.equal(withBackground.length, 3);
  const runWith = (operation: ImageOperation, background: string): { left: number; width: number } => {
    const params = { color: '000', background, width: '400' };
    void operation.render(params, {} as never, '');
    const [, left, width] = /viewBox="(\S+) \S+ (\S+) \S+"/.exec(requested.pop()?.svg ?? '') ?? [];
    return { left: -Number(left), width: Number(width) };
  };
  for (const operation of withBackground) {
    const { left, width } = runWith(operation, 'fff');
    const [, percent] = /on each side ([\d.]+) % of the width/.exec(operation.description ?? '') ?? [];
    assert.ok(Math.abs((100 * left) / width - Number(percent)) <= 0.05, `${operation.id}: ${percent} %`);
    assert.match(operation.description ?? '', /A transparent background adds none/);
    assert.equal(Math.abs(runWith(operation, 'transparent').left), 0);
  }
});
