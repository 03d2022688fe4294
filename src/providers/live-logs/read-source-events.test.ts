// Whatever another program answers, only clean parts of it are shown.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeMarkup } from '../../lib/text/escape-html.ts';
import { readSourceEvents } from './read-source-events.ts';
import { codePoint } from '../../../test/support/code-point.ts';

const now = Date.parse('2026-06-15T09:30:00Z');
const anyText = fc.string({ unit: codePoint, maxLength: 3000 });

test('[livelogs.08, livelogs.09] texts keep the characters that can be shown, and are cut by code points', () => {
  fc.assert(
    fc.property(anyText, fc.nat(20 * 60_000), (text, ageMs) => {
      const timestamp = new Date(now - ageMs).toISOString();
      const event = { timestamp, level: 'Error', messageTemplate: text, category: text, question: text };
      const events = readSourceEvents({ events: [event] }, now);
      assert.equal(events?.length, ageMs < 15 * 60_000 ? 1 : 0);
      for (const { question = '', messageTemplate } of events ?? []) {
        // Except for the removed characters, nothing is missing.
        const kept = Array.from(text.toWellFormed()).filter(
          (each) => each === '\n' || !/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(each),
        );
        assert.equal(question, kept.slice(0, 2000).join(''));
        assert.equal(messageTemplate, kept.slice(0, 1000).join(''));
      }
    }),
  );
});

test('[livelogs.07] no value makes the reader throw', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (body, value) => {
      for (const each of [body, { events: body }, { events: [{ fields: value }, value] }]) {
        const events = readSourceEvents(each, now);
        assert.ok(events === undefined || Array.isArray(events));
      }
    }),
  );
});

test('[livelogs.10] an encoded text has no character with a meaning in HTML, and is encoded once', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '&', '<', '>', '"', "'", ';', 'amp', '#39', 'lt') }), (text) => {
      const encoded = escapeMarkup(text);
      assert.doesNotMatch(encoded, /[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
      assert.equal(escapeMarkup(encoded), encoded);
    }),
  );
});
