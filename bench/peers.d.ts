/** The part of an archiver, shipped without types, that bench/files.ts compares itself with. */
declare module 'archiver' {
  import type { Transform } from 'node:stream'
  export class ZipArchive extends Transform {
    constructor(options: { zlib: { level: number } })
    append(content: Buffer, facts: { name: string }): void
    finalize(): Promise<void>
  }
}
