// What the service has against a request is said in the language of the reader: every code that an operation of the
// console declares has a text.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Problem } from '../../console/src/api/problem.ts';
import { findProblemText, textOfFault, textsOfProblem } from '../../console/src/api/problem-texts.ts';
import { createTranslate } from '../../console/src/language/catalogue.ts';
import { createFormats } from '../../console/src/language/formats.ts';
import { catalogueOf } from '../../console/src/language/texts.ts';
import { createOperations } from '../../src/app.ts';
import { fieldFaultCodes } from '../../src/lib/values/field-faults.ts';
import { languages, type Language } from '../../src/lib/text/language.ts';
import { reasonsOfCode } from '../../src/lib/problem.ts';
import { createDependenciesWithoutStorage } from '../support/dependencies-without-storage.ts';
import { problemCodesOf } from '../support/problem-codes.ts';

const consoleFolder = join(import.meta.dirname, '../../console');

const readLanguage = (language: Language) => ({
  language,
  t: createTranslate(language, catalogueOf(language)),
  formats: createFormats(language),
});
const languageStates = languages.map(readLanguage);

/** The operations that the sources of the console name, apart from the table of all of them. */
function listUsedOperations(): (id: string) => boolean {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: consoleFolder }).filter((file) => !file.endsWith('operations.ts'));
  const sources = files.map((file) => readFileSync(join(consoleFolder, file), 'utf8')).join('\n');
  return (id) => sources.includes(`'${id}'`);
}

describe('what the service has against a request', () => {
  test('[console.40] every code of a write of the console has a text', async () => {
    const { operations, close } = createOperations(createDependenciesWithoutStorage());
    const isUsed = listUsedOperations();
    const writes = operations.filter(({ id, method }) => method !== 'GET' && isUsed(id));
    assert.ok(writes.length > 25, `${writes.length} writes`);
    for (const operation of writes)
      for (const code of problemCodesOf(operation)) assert.ok(findProblemText(code), `${operation.id}: ${code}`);
    await close();
  });

  test('[console.40] every fault of a field has a text in every language, with its limit', () => {
    for (const language of languageStates)
      for (const code of fieldFaultCodes) {
        const error = { path: 'body.value', message: 'must be so', code, limit: '1234' };
        const { text, isEnglish } = textOfFault(error, language);
        assert.equal(isEnglish, false);
        assert.doesNotMatch(text, /[{}]|^(?:fault|field)\.|must be so/, `${language.language}: ${code}`);
        if (code.startsWith('too-')) assert.ok(text.includes(language.formats.number(1234)), `${code}: ${text}`);
      }
  });

  test('[console.40] a text that is missing is that of the service, marked as English', () => {
    const [english] = languageStates;
    assert.ok(english !== undefined);
    const message = 'must be as nobody foresaw';
    assert.deepEqual(textOfFault({ path: 'body.value', message }, english), { text: message, isEnglish: true });
    const problem = new Problem(422, { code: 'from-a-later-version', detail: message });
    assert.deepEqual(textsOfProblem(problem, english), [{ text: message, isEnglish: true }]);
  });

  test('[console.40] a refusal names its reason, in the words of the service where there are no others', () => {
    const danish = readLanguage('da');
    const refused = (reason: string): string[] =>
      textsOfProblem(new Problem(422, { code: 'command-not-allowed', reason, detail: 'In English.' }), danish).map(
        ({ text }) => text,
      );
    const notPossible = danish.t('command.notPossible');
    assert.notEqual(notPossible, readLanguage('en').t('command.notPossible'));
    assert.deepEqual(refused('too-many-keys'), [notPossible, danish.t('resident.tooManyKeys')]);
    assert.deepEqual(refused('no-keys'), [notPossible, 'In English.']);
    for (const reason of ['not-retained', 'not-active', 'too-many-keys'])
      assert.ok(reasonsOfCode('command-not-allowed').includes(reason) && refused(reason)[1] !== 'In English.');
  });
});
