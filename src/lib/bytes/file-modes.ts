// The modes of files and folders that the service creates: only its own user can read residents' data.

export const privateFileMode = 0o600;
export const privateFolderMode = 0o700;
