/** The clients that `npm run pack:clients` packs and the service serves under /clients/, as data. */

export type ClientPackage =
  /** A package for npm: its sources bundled into one file of JavaScript beside its package.json. */
  | {
      kind: 'npm'
      folder: string
      /** Path of the first source, from the folder. */
      entry: string
      /** Path where package.json says the bundle is. */
      bundle: string
      /** The runtime; `neutral` is any that has the web's standard functions. */
      platform: 'neutral' | 'node'
      /** True adds declarations of every source, for callers in TypeScript. */
      hasTypes: boolean
      /** Name under which the bundle is also served by itself, for programs that import by address. */
      aloneAs: string | null
      /** True leaves a place for the address of the service that serves it. */
      hasAddress: boolean
    }
  /** A Python module of one file: packed as a wheel, and alone, to be copied. */
  | { kind: 'python'; folder: string; module: string }

/** What all packages of a release share, from the package.json of the project. */
export type Release = {
  version: string
  /** Where its source is: registries compare it with what built the package. Undefined until that is written. */
  repository?: { type: string; url: string }
}

export const CLIENT_PACKAGES: readonly ClientPackage[] = [
  {
    kind: 'npm',
    folder: 'clients/typescript',
    entry: 'src/index.ts',
    bundle: 'dist/index.js',
    platform: 'neutral',
    hasTypes: true,
    aloneAs: 'scriptorium-client.js',
    hasAddress: false,
  },
  {
    kind: 'npm',
    folder: 'clients/cli',
    entry: 'src/main.ts',
    bundle: 'dist/main.js',
    platform: 'node',
    hasTypes: false,
    aloneAs: null,
    hasAddress: true,
  },
  { kind: 'python', folder: 'clients/python', module: 'scriptorium_client.py' },
]
