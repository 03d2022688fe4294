// Parses the setting that says where the databases of the tenants are.

/** A server, or a node of a cluster. */
export type MysqlNode = { readonly host: string; readonly port: number };

/**
 * Connections are encrypted, and the server proves its name by a certificate. Each member is a PEM text: the authorities
 * that are trusted in place of those of Node, and what the service proves itself with.
 */
export type MysqlTls = { readonly ca?: string; readonly cert?: string; readonly key?: string };

export type MysqlAddress = {
  readonly engine: 'mysql';
  /** One server, or several nodes of one Galera cluster in the order in which they are written to. */
  readonly nodes: readonly [MysqlNode, ...MysqlNode[]];
  readonly user: string;
  readonly password: string;
  readonly prefix: string;
  /** Connections are encrypted only if it is there. */
  readonly tls?: MysqlTls;
};

export type StorageAddress = { readonly engine: 'sqlite'; readonly directory: string } | MysqlAddress;
