// A fault of a package, described so that its author can correct it.

export class PackageFault extends Error {
  override name = 'PackageFault';
}
