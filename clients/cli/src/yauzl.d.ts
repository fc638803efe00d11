/** The part of yauzl 3.4 that we use. */
declare module 'yauzl' {
  export type Entry = {
    fileName: string
    compressionMethod: number
    compressedSize: number
    uncompressedSize: number
    crc32: number
  }
  export type ZipFile = {
    eachEntry(): AsyncIterable<Entry>
    /** Where the entry's bytes begin; throws where they would not lie within the file. */
    readLocalFileHeaderPromise(
      entry: Entry,
      options: { minimal: true },
    ): Promise<{ fileDataStart: number }>
    openReadStreamPromise(entry: Entry): Promise<NodeJS.ReadableStream>
    close(): void
  }
  /** With `autoClose: false` the file stays open until `close`. */
  export function fromFdPromise(
    fd: number,
    options: { autoClose: boolean; lazyEntries: boolean },
  ): Promise<ZipFile>
  export function fromBufferPromise(
    content: Buffer,
    options: { lazyEntries: boolean },
  ): Promise<ZipFile>
}
