// Checks how the architecture is detected from the request headers of browsers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findVisitorArchitecture, findWhetherWindows, type VisitorHints } from './visitor-architecture.ts';

const nothing: VisitorHints = {
  'Sec-CH-UA-Arch': undefined,
  'Sec-CH-UA-Bitness': undefined,
  'Sec-CH-UA-Platform': undefined,
  'User-Agent': undefined,
};
const chromeOnWindows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const hints = (platform: string, arch: string, bitness: string): VisitorHints => ({
  'Sec-CH-UA-Platform': platform,
  'Sec-CH-UA-Arch': arch,
  'Sec-CH-UA-Bitness': bitness,
  'User-Agent': chromeOnWindows,
});

test('the architecture follows from the client hints of a browser on Windows', () => {
  assert.equal(findVisitorArchitecture(hints('"Windows"', '"x86"', '"64"')), 'x64');
  assert.equal(findVisitorArchitecture(hints('"Windows"', '"arm"', '"64"')), 'arm64');
  assert.equal(findVisitorArchitecture({ ...hints('', '"arm"', '"64"'), 'Sec-CH-UA-Platform': undefined }), 'arm64');
});

test('a computer that the app does not run on has no architecture', () => {
  assert.equal(findVisitorArchitecture(hints('"Windows"', '"x86"', '"32"')), undefined);
  assert.equal(findVisitorArchitecture(hints('"macOS"', '"arm"', '"64"')), undefined);
  assert.equal(findVisitorArchitecture(hints('"Linux"', '"x86"', '"64"')), undefined);
  assert.equal(findVisitorArchitecture(hints('"Windows"', '"mips"', '"64"')), undefined);
  for (const broken of ['arm', '"arm', 'arm"', '?1', ''])
    assert.equal(findVisitorArchitecture(hints('"Windows"', broken, '"64"')), undefined, broken);
});

test('a User-Agent counts only if it names ARM, because others claim x64 on every computer', () => {
  const agents: [string | undefined, 'arm64' | undefined][] = [
    [undefined, undefined],
    [chromeOnWindows, undefined],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', undefined],
    ['Mozilla/5.0 (Windows NT 10.0; ARM64; rv:140.0) Gecko/20100101 Firefox/140.0', 'arm64'],
    ['Mozilla/5.0 (X11; Linux aarch64; rv:140.0) Gecko/20100101 Firefox/140.0', undefined],
    ['Mozilla/5.0 (Windows NT 10.0; Charm64)', undefined],
  ];
  for (const [agent, expected] of agents)
    assert.equal(findVisitorArchitecture({ ...nothing, 'User-Agent': agent }), expected, agent ?? 'none');
});

test('phones and other systems have no Windows; without information nothing is known', () => {
  const iPhone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1';
  assert.equal(findWhetherWindows(nothing), undefined);
  assert.equal(findWhetherWindows({ ...nothing, 'User-Agent': iPhone }), false);
  assert.equal(findWhetherWindows({ ...nothing, 'User-Agent': chromeOnWindows }), true);
  assert.equal(findWhetherWindows(hints('"Android"', '', '')), false);
  assert.equal(findWhetherWindows(hints('"Windows"', '', '')), true);
});
