/** The part of archiver, which comes without types, that tools/bench/files.ts uses for comparison. */
declare module 'archiver' {
  import type { Transform } from 'node:stream'
  export class ZipArchive extends Transform {
    constructor(options: { zlib: { level: number } })
    append(content: Buffer, facts: { name: string }): void
    finalize(): Promise<void>
  }
}
