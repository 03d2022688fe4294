// How the console is built: hashed files below /console/assets/, one style sheet, and no inline script or style.

import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

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
