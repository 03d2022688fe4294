// Where the databases of the tenants are.

/** A server, or a node of a cluster. */
export type MysqlNode = { readonly host: string; readonly port: number };

export type MysqlAddress = {
  readonly engine: 'mysql';
  /** One server, or several nodes of one Galera cluster in the order in which they are written to. */
  readonly nodes: readonly [MysqlNode, ...MysqlNode[]];
  readonly user: string;
  readonly password: string;
  readonly prefix: string;
};

export type StorageAddress = { readonly engine: 'sqlite'; readonly directory: string } | MysqlAddress;
