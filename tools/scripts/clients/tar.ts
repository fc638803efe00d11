/** A tar file (POSIX ustar) of plain files, gzipped: the same files give the same bytes. */
import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'

export type PackedFile = {
  /** Path with slashes. */
  name: string
  content: Buffer
  isProgram?: boolean
}

const BLOCK = 512
const NAME_BYTES_MAX = 100
/** 26 October 1985, as npm writes it: some tools refuse the year 1970. */
const MODIFIED_AT_S = 499_162_500
/** Byte 9 of a gzip header names the system it was made on; 255 says that it does not matter. */
const GZIP_SYSTEM_AT = 9

export function tarGz(files: readonly PackedFile[]): Buffer {
  const blocks = files.flatMap((file) => [header(file), file.content, padding(file.content.length)])
  const packed = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 })
  packed[GZIP_SYSTEM_AT] = 255
  return packed
}

function header({ name, content, isProgram = false }: PackedFile): Buffer {
  assert(Buffer.byteLength(name) <= NAME_BYTES_MAX, `${name} is longer than a tar header holds`)
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, length: number): void => {
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at)
  }
  block.write(name, 0)
  octal(isProgram ? 0o755 : 0o644, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(content.length, 124, 12)
  octal(MODIFIED_AT_S, 136, 12)
  block.write('        ', 148) // the checksum counts its own field as blanks
  block.write('0', 156) // a plain file
  block.write('ustar\u000000', 257)
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  )
  return block
}

function padding(length: number): Buffer {
  return Buffer.alloc((BLOCK - (length % BLOCK)) % BLOCK)
}
