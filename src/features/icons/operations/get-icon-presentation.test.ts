// Checks how GetIconPresentation changes a KID, and what it refuses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../../lib/problem.ts';
import { getIconPresentation, type GetIconPresentationInput } from './get-icon-presentation.ts';

test('[icons.35] the KID contains the given text, count and colour', () => {
  const given: [texts: GetIconPresentationInput, iconKid: string][] = [
    [{ iconKid: 'house' }, 'house'],
    [{ iconKid: 'house', text: '12' }, 'house~tMTI'],
    [{ iconKid: 'house', count: '5' }, 'house~n5'],
    [{ iconKid: 'house', count: '-9223372036854775808' }, 'house~n-9223372036854775808'],
    [{ iconKid: 'house', count: '9223372036854775807' }, 'house~n9223372036854775807'],
    [{ iconKid: 'house', count: '9007199254740993' }, 'house~n9007199254740993'],
    [{ iconKid: 'house', color: 0x00ff00 }, 'house~c00ff00'],
    [{ iconKid: 'house', color: 0xffffff }, 'house~cffffff'],
    [{ iconKid: 'house~wifi_off~ok', text: 'æ', count: '1', color: 1 }, 'house~wifi_off~ok~n1~c000001~tw6Y'],
  ];
  for (const [texts, iconKid] of given) assert.equal(getIconPresentation(texts, 24), iconKid);
});

test('a missing parameter changes nothing, and a default value removes the part', () => {
  const iconKid = 'house~n5~c00ff00~tMTI';
  assert.equal(getIconPresentation({ iconKid }, 24), iconKid);
  assert.equal(getIconPresentation({ iconKid, count: '0' }, 24), 'house~c00ff00~tMTI');
  assert.equal(getIconPresentation({ iconKid, count: '-0' }, 24), 'house~c00ff00~tMTI');
  assert.equal(getIconPresentation({ iconKid, color: 0 }, 24), 'house~n5~tMTI');
  assert.equal(getIconPresentation({ iconKid, text: '' }, 24), 'house~n5~c00ff00');
  assert.equal(getIconPresentation({ iconKid: '~n5', count: '0' }, 24), 'none');
});

test('a calendar has the day as its text, whatever text is given', () => {
  const given: [texts: GetIconPresentationInput, iconKid: string][] = [
    [{ iconKid: 'calendar' }, 'calendar~tMjQ'],
    [{ iconKid: 'calendar~tMTI', text: '7' }, 'calendar~tMjQ'],
    [{ iconKid: 'calendar~ok', count: '5', color: 1 }, 'calendar~ok~n5~c000001~tMjQ'],
    [{ iconKid: 'house~calendar', text: '7' }, 'house~calendar~tNw'],
  ];
  for (const [texts, iconKid] of given) assert.equal(getIconPresentation(texts, 24), iconKid);
});

test('[icons.36, icons.37] an invalid KID and a count beyond 64 bits are refused, and the error names the parameter', () => {
  const refused: [texts: GetIconPresentationInput, path: string][] = [
    ...['', 'HOUSE', 'unknown', 'house~n05', 'house~x', 'sund-B1001', '1', '~'].map(
      (iconKid): [GetIconPresentationInput, string] => [{ iconKid }, 'query.iconKid'],
    ),
    [{ iconKid: 'house', count: '9223372036854775808' }, 'query.count'],
    [{ iconKid: 'house', count: '-9223372036854775809' }, 'query.count'],
    [{ iconKid: Array.from({ length: 341 }, () => 'house').join('~'), text: '12' }, 'query.iconKid'],
  ];
  for (const [texts, path] of refused)
    assert.throws(
      () => getIconPresentation(texts, 24),
      (error) =>
        error instanceof Problem &&
        error.code === 'invalid-icon-parameters' &&
        error.details.errors?.[0]?.path === path,
      JSON.stringify(texts).slice(0, 80),
    );
});
