// How the console is built: hashed files below /console/assets/, one style sheet, and no inline script or style.

import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { basename } from 'node:path';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { isLanguage, languageNames } from './src/language/languages.ts';
import { catalogueOf } from './src/language/texts.ts';
import { screens } from './src/screens.ts';

/** The screens that ask for what they will read while they are being loaded. */
const firstModules = screens.flatMap(({ module, start }) => (start === undefined ? [] : [module]));

/** A file is named for its module. */
const nameOf = (module: string): string => module.slice(module.lastIndexOf('/') + 1);

/** Makes one file of the texts of each language, which is loaded when the language is chosen. */
function catalogues(): Plugin {
  const name = 'virtual:catalogues';
  const toLoader = (language: string): string => `${language}: () => import('${name}/${language}.json')`;
  return {
    name: 'catalogues',
    resolveId: (id) => (id.startsWith(name) ? id : undefined),
    load: (id) => {
      if (id === name) return `export default { ${Object.keys(languageNames).map(toLoader).join()} };`;
      const language = id.startsWith(name) ? basename(id, '.json') : '';
      return isLanguage(language) ? JSON.stringify(catalogueOf(language)) : undefined;
    },
  };
}

/**
 * The bundler puts its few helpers into a file of their own, which every first view would have to ask for: the first file
 * has them in it as well.
 */
function inlineRuntime(): Plugin {
  const imported = /import\s*\{([^}]*)\}\s*from\s*["']\.\/rolldown-runtime-[^"']*["'];?/;
  const exported = /export\s*\{([^}]*)\};?\s*$/;
  /** `a as b, c` -> the pairs of names. */
  const pairsOf = (list: string): [string, string][] =>
    list.split(',').map((each) => {
      const [from = '', to = from] = each.trim().split(/\s+as\s+/);
      return [from, to];
    });
  return {
    name: 'inline-runtime',
    enforce: 'post',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).flatMap((each) => (each.type === 'chunk' ? [each] : []));
      const runtime = chunks.find(({ name }) => name === 'rolldown-runtime');
      const first = chunks.find(({ name }) => name === 'console');
      const used = imported.exec(first?.code ?? '');
      const given = exported.exec(runtime?.code ?? '');
      // Without them there is one more file, and nothing is wrong.
      if (first === undefined || runtime === undefined || used === null || given === null) return;
      const helpers = runtime.code.slice(0, given.index);
      const result = pairsOf(given[1] ?? '').map(([own, name]) => `${name}:${own}`);
      const taken = pairsOf(used[1] ?? '').map(([name, own]) => `${name}:${own}`);
      const inlined = `const{${taken.join(',')}}=(()=>{${helpers};return{${result.join(',')}}})();`;
      first.code = first.code.replace(used[0], () => inlined);
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace(/\s*<(?:script|link)[^>]*rolldown-runtime-[^>]*>(?:<\/script>)?/g, ''),
    },
  };
}

/**
 * Has `src/early.ts` run as soon as it is there, and tells it in the page which files the modules of the first screens and
 * languages have become: in the page, since a file that named the others would need another name whenever one of them
 * changes.
 */
function earlyScript(): Plugin {
  return {
    name: 'early-script',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const chunks = Object.values(bundle).flatMap((each) => (each.type === 'chunk' ? [each] : []));
        const named = (module: string): Rolldown.OutputChunk => {
          const chunk = chunks.find(({ name }) => name === nameOf(module));
          if (chunk === undefined) throw new Error(`no file has been built of ${module}`);
          return chunk;
        };
        const early = named('early').fileName;
        const isThere = new Set([early, named('console').fileName]);
        const filesOf = (name: string): string[] => {
          const { fileName, imports } = named(name);
          return [fileName, ...imports].filter((file) => !isThere.has(file));
        };
        const modules = [...Object.keys(languageNames), ...firstModules];
        const files = Object.fromEntries(modules.map((name) => [name, filesOf(name).join(' ')]));
        const content = JSON.stringify(files);
        return {
          html: html.replace(new RegExp(`(?=\\s[^<]*${early})`), ' async'),
          tags: [{ tag: 'meta', attrs: { name: 'files', content }, injectTo: 'head-prepend' }],
        };
      },
    },
  };
}

/**
 * Asks the browser to compile all functions of the files of a first view while they arrive, beside its main thread; one by
 * one, when they are first called, they would hold it up. It has to be the first line of a file.
 * https://wicg.github.io/explicit-javascript-compile-hints-file-based/
 */
function compileFirstFiles(): Plugin {
  const names = new Set(['early', 'console', 'shared', ...firstModules.map(nameOf)]);
  return {
    name: 'compile-first-files',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk' && names.has(file.name)) file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
      },
    },
  };
}

export default defineConfig({
  base: '/console/',
  root: import.meta.dirname,
  plugins: [
    react(),
    {
      // React Aria brings texts in more than thirty languages: those of the portal are kept.
      ...optimizeLocales.vite({
        locales: ['da-DK', 'de-DE', 'en-GB', 'en-US', 'fi-FI', 'fr-FR', 'nb-NO', 'nl-NL', 'pl-PL', 'sv-SE'],
      }),
      enforce: 'pre',
    },
    catalogues(),
    earlyScript(),
    inlineRuntime(),
    compileFirstFiles(),
  ],
  build: {
    target: 'baseline-widely-available',
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    // What the first screens need is one file, and what several others share is another: each more would be another
    // request before anything is shown. The encoder of QR codes is left to the screens of computers.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'early', test: /console\/src\/early\.ts$/, priority: 2 },
            { name: 'console', tags: ['$initial'], priority: 1 },
            { name: 'shared', test: /console\/src\/(?!computers\/)/, minShareCount: 2 },
          ],
        },
      },
    },
    // What is bundled is listed with its licences.
    license: { fileName: 'licences.md' },
  },
});
