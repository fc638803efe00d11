/** The errors of a data folder, each with one sentence: what happened, where, and what to do. */

/** An error whose message is for the operator who starts the service; nothing needs to be added to it. */
export class DataFolderError extends Error {
  override name = 'DataFolderError'
}

/** Causes, recognised by the words of PostgreSQL or the file system, each with a sentence that helps. */
const CAUSES: [pattern: RegExp, sentence: (dataDir: string) => string][] = [
  [
    /No space left on device|ENOSPC|Check free disk space|File too large|quota exceeded|EDQUOT/,
    (dataDir) => `the disk under the data folder ${dataDir} is full: free some space, start again`,
  ],
  [
    /^spawn .*ENOENT/m,
    () => 'the packaged PostgreSQL does not run on this system (it needs glibc): set DATABASE_URL',
  ],
  [
    /^spawn .*(EPERM|EINVAL)/m,
    () =>
      'PostgreSQL does not run as root, and root may not become another user here: start as an ' +
      'ordinary user or set DATABASE_URL',
  ],
  [
    /could not look up effective user ID/,
    () =>
      'PostgreSQL needs a name for the user who runs this: add its uid to /etc/passwd, start as ' +
      'another user, or set DATABASE_URL',
  ],
  [
    /" already exists|pre-existing shared memory/, // lock file "postmaster.pid"
    (dataDir) =>
      `another PostgreSQL runs in the data folder ${dataDir} and does not answer: end the process ` +
      'named in postgres/postmaster.pid, start again',
  ],
  [
    /Read-only file system|EROFS|readonly database/,
    (dataDir) => `the data folder ${dataDir} is read-only: mount it writable or set DATA_DIR`,
  ],
  [
    /ENOTDIR|EEXIST/,
    (dataDir) => `the data folder ${dataDir} is not a folder: remove what is there or set DATA_DIR`,
  ],
  [
    /Permission denied|EACCES|EPERM|Operation not permitted/,
    (dataDir) =>
      `the data folder ${dataDir} must be readable and writable for the user who runs this: ` +
      'change its owner or set DATA_DIR',
  ],
]

/** Returns an error with the sentence for a failed file operation; a DataFolderError is returned as it is. */
export function explainFileError(error: unknown, dataDir: string): Error {
  if (error instanceof DataFolderError) return error
  const text = error instanceof Error ? error.message : String(error)
  const sentence = knownCause(text, dataDir)
  if (sentence === null) return new Error(`while preparing ${dataDir}`, { cause: error })
  return new DataFolderError(sentence)
}

/** Returns an error with the sentence for a failed program of PostgreSQL, from its standard error. */
export function explainOutput(program: string, output: string, dataDir: string): DataFolderError {
  const sentence = knownCause(output, dataDir)
  if (sentence !== null) return new DataFolderError(sentence)
  const lines = output.split('\n').map((line) => line.trim())
  const said = lines.find((line) => /(FATAL|PANIC|error): /.test(line)) ?? lines.findLast(Boolean)
  return new DataFolderError(
    `PostgreSQL's ${program} failed in the data folder ${dataDir}: ${said ?? 'it said nothing'}`,
  )
}

function knownCause(text: string, dataDir: string): string | null {
  return CAUSES.find(([pattern]) => pattern.test(text))?.[1](dataDir) ?? null
}
