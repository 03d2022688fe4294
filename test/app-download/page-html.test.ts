// Checks the download page with an HTML validator and accessibility rules, in every language, with and without a
// release.

import assert from 'node:assert/strict';
import { HtmlValidate } from 'html-validate';
import { test } from 'node:test';
import { renderDownloadPage, downloadPageTexts } from '../../src/features/app-download/rules/render-download-page.ts';
import { languages } from '../../src/lib/text/language.ts';
import { released } from './support/released-package.ts';

const validator = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:a11y', 'html-validate:document'],
});

const validate = async (html: string): Promise<string[]> =>
  (await validator.validateString(html)).results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${ruleId}, line ${line}: ${message}`),
  );

test('[download.02] the HTML validator finds no fault in the page in any language', async () => {
  for (const language of languages)
    for (const environment of ['production', 'beta'] as const)
      for (const packages of [[], [released, { ...released, architecture: 'arm64' as const }]]) {
        const page = { portal: 'Sund', environment, language, packages, texts: downloadPageTexts(language) };
        for (const visitorArchitecture of [undefined, 'arm64'] as const)
          assert.deepEqual(
            await validate(renderDownloadPage({ ...page, visitorArchitecture, visitorHasWindows: false })),
            [],
            language,
          );
      }
});

test('the validator finds what is wrong', async () => {
  const page = { portal: 'Sund', environment: 'production', language: 'en', packages: [released] } as const;
  const html = renderDownloadPage({
    ...page,
    texts: downloadPageTexts('en'),
    visitorArchitecture: undefined,
    visitorHasWindows: true,
  });
  assert.match((await validate(html.replace('<h2', '<h4').replace('</h2', '</h4'))).join(), /heading-level/);
  assert.match((await validate(html.replace(' alt=""', ''))).join(), /wcag\/h37/);
  assert.match((await validate(html.replace('<ol>', '<ol><p>'))).join(), /element-permitted-content/);
});
