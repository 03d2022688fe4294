// Refused icon images: unknown sets and icons, invalid segments, removed routes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceFixture } from '../support/service-suite.ts';

const { service } = serviceFixture('sqlite', { manager: false });

type Refusal = { readonly status: number; readonly code: string; readonly paths: string[] };

async function get(path: string, host = 'api.sund.localhost'): Promise<Refusal> {
  const { status, json } = await service.call('GET', `/api/v1/icon/${path}`, { host });
  const { code = '', errors = [] } = (json ?? {}) as { code?: string; errors?: { path: string }[] };
  return { status, code, paths: errors.map((error) => error.path) };
}

async function assertInvalid(path: string, ...paths: string[]): Promise<void> {
  assert.deepEqual(await get(path), { status: 400, code: 'invalid-icon-parameters', paths }, path.slice(0, 100));
}

async function assertMissing(path: string, code = 'icon-not-found'): Promise<void> {
  assert.deepEqual(await get(path), { status: 404, code, paths: [] }, path);
}

test('[icons.03, icons.31] an unknown set is 404, and so is an icon that no set has', async () => {
  for (const set of ['mdi', 'lines', 'LINE', 'G', 'none', '1', 'constructor'])
    for (const rest of ['house.svg', 'house/64.png', 'house/fff/64.png', 'nonsense.svg'])
      await assertMissing(`${set}/${rest}`);
  for (const set of ['line', 'g'])
    for (const kid of ['coin_box', 'COIN_BOX', 'house~coin_box', 'coin_box~n5']) {
      // The second is valid as a name in any case, the third and fourth as KIDs.
      await assertMissing(`${set}/${kid}.svg`);
      await assertMissing(`${set}/${kid}/64.png`);
    }
});

test('[icons.07, icons.30, icons.31] a segment that is neither the KID nor the name of an icon is 400', async () => {
  const kids = [
    ['0', '1', '-1', '42', '0x1', '1e3'],
    ['hous', 'ouse', 'houses', 'bank', 'building_bank', 'unknown', 'null', 'constructor', '__proto__'],
    ['%20house', 'house%20', 'h%C3%A4user', 'ban%E2%84%AA_building', 'wifi-off', 'house%09', 'house%00'],
    ['house~', '~', '~house', 'house~~n5', 'house~n5~ok', 'house~c00ff00~n5', 'House~ok'],
    ['sund-B0', 'sund-B01', 'SUND-B1001', 'sund-B1001-', 'fjord', 'fjord-B1001', 'sund-Q1'],
  ].flat();
  for (const kid of kids) await assertInvalid(`line/${kid}.svg`, 'path.kid');
});

test('[icons.07] an object of one tenant is refused at another’s host, even after it was cached', async () => {
  for (const [own, other] of [
    ['sund', 'fjord'],
    ['fjord', 'sund'],
  ] as const)
    for (const ending of ['svg', 'png']) {
      assert.equal((await get(`line/${own}-B1001.${ending}`, `api.${own}.localhost`)).status, 200);
      const { status, code } = await get(`line/${own}-B1001.${ending}`, `api.${other}.localhost`);
      assert.deepEqual([status, code], [400, 'invalid-icon-parameters']);
    }
});

test('[icons.09] an icon that does not exist is refused at any position in the list', async () => {
  for (const kid of ['nothing~ok~error', 'house~nothing~error', 'house~ok~nothing', 'house~ok~error~nothing'])
    await assertInvalid(`line/${kid}.svg`, 'path.kid');
});

test('[icons.13, icons.14] text of 129 characters or with a control character is refused', async () => {
  for (const text of ['a'.repeat(129), '😀'.repeat(129), 'a\nb', '\0', '\u007f', '\u0085'])
    await assertInvalid(`line/house~t${Buffer.from(text).toString('base64url')}.svg`, 'path.kid');
});

test('[icons.15, icons.30] a KID of more than 2048 characters is refused', async () => {
  await assertInvalid(`line/${'ok~'.repeat(681)}houses.svg`, 'path.kid');
  await assertInvalid(`line/${'ok~'.repeat(683)}ok.svg`, 'path.kid');
  await assertInvalid(`line/${'x'.repeat(3000)}.svg`, 'path.kid');
});

test('[icons.32] parts in another order or of another spelling, and defaults that are spelled, are refused', async () => {
  const kids = [
    ['house~n0', 'house~n-0', 'house~n05', 'house~n+5', 'house~n5.0', 'house~n9223372036854775808'],
    ['house~c000000', 'house~cABCDEF', 'house~cfff', 'house~c1000000'],
    ['house~t', 'house~tMTI=', 'house~tMTJ', 'house~t_w'],
    ['house~tMTI~n5', 'house~c00ff00~n5', 'house~n5~n6', '~n0'],
  ].flat();
  for (const kid of kids) await assertInvalid(`line/${kid}.svg`, 'path.kid');
});

test('[icons.26, icons.30] a size that is not an integer is refused, also in an SVG’s path', async () => {
  for (const size of ['x', '16.5', '16.0', '1e2', '0x40', '%2064', '+64', '064', '64px', 'NaN', '--5', '1_000'])
    for (const ending of ['png', 'svg']) {
      await assertInvalid(`line/house/${size}.${ending}`, 'path.size');
      await assertInvalid(`line/house/fff/${size}.${ending}`, 'path.size');
    }
});

test('[icons.26, icons.30] a background that is not a colour is refused, also in an SVG’s path', async () => {
  for (const color of ['%23fff', 'ff', 'ffff', '12345', 'ff000000', 'reddish', 'rgb(0,0,0)', '5'])
    for (const ending of ['png', 'svg']) await assertInvalid(`line/house/${color}/64.${ending}`, 'path.backColor');
  await assertInvalid('line/1/reddish/x.png', 'path.kid', 'path.size', 'path.backColor');
});

test('a query string on an icon’s path is refused', async () => {
  for (const path of ['line/house.svg?', 'line/house.svg?x=1', 'line/house/64.png?v=2'])
    assert.deepEqual(
      await get(path).then(({ status, code }) => [status, code]),
      [400, 'invalid-icon-parameters'],
      path,
    );
});

test('[icons.29, icons.31] former paths are not routes: those without a set, and those with more segments', async () => {
  for (const path of ['house.svg', 'house.png', 'line.svg', 'house', 'line/house', 'line/house/64', 'line'])
    await assertMissing(path, 'unknown-route');
  for (const path of [
    'line/house/5/ff0000/64.svg',
    'line/house/5/ff0000/12/64.svg',
    'line/house/5/ff0000/12/ok/64.svg',
  ])
    await assertMissing(path, 'unknown-route');
  // Without its set, the rest of such a path reads as a set that does not exist.
  for (const path of ['house/64.svg', 'house/fff/64.svg', 'house/5/64.png']) await assertMissing(path);
});

test('an icon accepts only GET, HEAD and OPTIONS', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const { status } = await service.call(method, '/api/v1/icon/line/house.svg');
    assert.equal(status, 405, method);
  }
});
