// What is wrong with a package, said so that whoever made it can mend it.

export class PackageFault extends Error {
  override name = 'PackageFault';
}
