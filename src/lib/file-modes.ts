// The modes of files and folders that the service creates: residents' data are read by nobody but its own user.

export const privateFileMode = 0o600;
export const privateFolderMode = 0o700;
