// How the console is built: hashed files below /console/assets/, one style sheet, and no inline script or style.

import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

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
    inlineRuntime(),
  ],
  build: {
    target: 'baseline-widely-available',
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    // What the first screens need is one file, and what several others share is another: each more would be another
    // request before anything is shown.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'console', tags: ['$initial'] },
            { name: 'shared', test: /console\/src\/(?:bank|command|components|equipment|imports)\//, minShareCount: 2 },
          ],
        },
      },
    },
    // What is bundled is listed with its licences.
    license: { fileName: 'licences.md' },
  },
});
