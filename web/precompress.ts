/** Writes beside each text of the built site what is sent of it: `.br` and `.gz`, compressed once and well. */
import fs from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const TEXTS = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest', '.txt'])
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }

export function precompress(folder: string): void {
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !TEXTS.has(path.extname(entry.name))) continue
    const file = path.join(entry.parentPath, entry.name)
    const plain = fs.readFileSync(file)
    fs.writeFileSync(`${file}.br`, brotliCompressSync(plain, BROTLI))
    fs.writeFileSync(`${file}.gz`, gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }))
  }
}
