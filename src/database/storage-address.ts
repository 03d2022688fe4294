// Where the databases of the tenants are.

export type StorageAddress =
  | { readonly engine: 'sqlite'; readonly directory: string }
  | {
      readonly engine: 'mysql';
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
      readonly prefix: string;
    };
