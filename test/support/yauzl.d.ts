/** The part of yauzl 3.4 that we use. */
declare module 'yauzl' {
  export type Entry = {
    fileName: string
    crc32: number
    uncompressedSize: number
    getLastModDate(): Date
  }
  export type ZipFile = {
    eachEntry(): AsyncIterable<Entry>
    openReadStreamPromise(entry: Entry): Promise<NodeJS.ReadableStream>
  }
  export function fromBufferPromise(
    content: Buffer,
    options: { lazyEntries: boolean },
  ): Promise<ZipFile>
  export function openPromise(path: string, options: { lazyEntries: boolean }): Promise<ZipFile>
}
