/** The clients that `npm run pack:clients` packs and the service serves under /clients/, as data. */

export type ClientPackage =
  /** A package for npm: its sources bundled into one file of JavaScript beside its package.json. */
  | {
      kind: 'npm'
      folder: string
      /** From the folder. */
      entry: string
      /** Where package.json says the bundle is. */
      bundle: string
      /** What runs it: `neutral` is anything that knows the web's standards. */
      platform: 'neutral' | 'node'
      /** With declarations of every source, for programs that are typed. */
      hasTypes: boolean
      /** Also served by itself under this name, for what imports by address. */
      aloneAs: string | null
    }
  /** A Python module of one file: as a wheel, and by itself to be copied. */
  | { kind: 'python'; folder: string; module: string }

export const CLIENT_PACKAGES: readonly ClientPackage[] = [
  {
    kind: 'npm',
    folder: 'clients/typescript',
    entry: 'src/index.ts',
    bundle: 'dist/index.js',
    platform: 'neutral',
    hasTypes: true,
    aloneAs: 'scriptorium-client.js',
  },
  {
    kind: 'npm',
    folder: 'clients/cli',
    entry: 'src/main.ts',
    bundle: 'dist/main.js',
    platform: 'node',
    hasTypes: false,
    aloneAs: null,
  },
  { kind: 'python', folder: 'clients/python', module: 'scriptorium_client.py' },
]
