/**
 * The address of the service in the command line that it serves, so that `npm install -g` is all that it takes. Packing
 * leaves a file of a fixed size for it, since a tar file of the same layout needs no writer of tar files here.
 */
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

const zip = promisify(gzip)
const unzip = promisify(gunzip)

/** Name of the file in the package; the command reads it (clients/cli/src/settings.ts). */
export const ADDRESS_FILE = 'server.json'
const SIZE_BYTES = 512
/** Byte 9 of a gzip header names the system it was made on; 255 says that it does not matter. */
const GZIP_SYSTEM_AT = 9
const GZIP_SYSTEM = 255

/** Returns the file as it is packed, or with the address; null where that is too long for it. */
export function addressFile(address: string | null): Buffer | null {
  const text = JSON.stringify({ address })
  return Buffer.byteLength(text) < SIZE_BYTES
    ? Buffer.from(`${text.padEnd(SIZE_BYTES - 1)}\n`)
    : null
}

/**
 * Returns a packed package with the address in it: the same bytes for the same package and address. One that has no
 * place for an address comes back as it is.
 */
export async function withAddress(packed: Buffer, address: string): Promise<Buffer> {
  const blank = addressFile(null)
  const filled = addressFile(address)
  if (blank === null || filled === null) return packed
  const tar = await unzip(packed)
  const at = tar.indexOf(blank)
  if (at === -1) return packed
  filled.copy(tar, at)
  const content = await zip(tar, { level: 9 })
  content[GZIP_SYSTEM_AT] = GZIP_SYSTEM
  return content
}
