/** The parts of two archivers, shipped without types, that bench/files.ts compares itself with. */
declare module 'yazl' {
  export class ZipFile {
    outputStream: NodeJS.ReadableStream
    addBuffer(content: Buffer, name: string, options: { compressionLevel: number }): void
    end(): void
  }
  const yazl: { ZipFile: typeof ZipFile }
  export default yazl
}

declare module 'archiver' {
  import type { Transform } from 'node:stream'
  export class ZipArchive extends Transform {
    constructor(options: { zlib: { level: number } })
    append(content: Buffer, facts: { name: string }): void
    finalize(): Promise<void>
  }
}
