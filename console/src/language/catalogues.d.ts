// What `catalogues()` of vite.config.ts makes of the texts: one file for each language.
declare module 'virtual:catalogues' {
  const load: Readonly<
    Record<import('./languages.ts').Language, () => Promise<{ default: import('./texts.ts').Catalogue }>>
  >;
  export default load;
}
