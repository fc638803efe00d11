/** A Python wheel (PEP 427) of one module: a ZIP that pip installs without building anything. */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { directoryChunks, localHeader, placeEntries } from '../../../src/model/files/zip.ts'
import { atOnce } from '../../../src/model/transcripts/steps.ts'
import type { PackedFile } from './tar.ts'

export type WheelFacts = {
  /** Name as in file names: `scriptorium_client`. */
  name: string
  version: string
  /** The module and the files beside it. */
  files: readonly PackedFile[]
  metadata: string
  licence: Buffer
}

/** Returns the file's name and its bytes. */
export function wheelOf({ name, version, files, metadata, licence }: WheelFacts): PackedFile {
  const info = `${name}-${version}.dist-info`
  const wheel =
    'Wheel-Version: 1.0\nGenerator: scriptorium\nRoot-Is-Purelib: true\nTag: py3-none-any\n'
  const recorded: PackedFile[] = [
    ...files,
    { name: `${info}/METADATA`, content: Buffer.from(metadata) },
    { name: `${info}/WHEEL`, content: Buffer.from(wheel) },
    { name: `${info}/licenses/LICENSE`, content: licence },
  ]
  const lines = recorded.map(({ name: file, content }) => {
    const digest = createHash('sha256').update(content).digest('base64url')
    return `${file},sha256=${digest},${content.length}\n`
  })
  const record = {
    name: `${info}/RECORD`,
    content: Buffer.from(`${lines.join('')}${info}/RECORD,,\n`),
  }
  return { name: `${name}-${version}-py3-none-any.whl`, content: zipOf([...recorded, record]) }
}

function zipOf(files: readonly PackedFile[]): Buffer {
  const entries = files.map(({ name, content }) => ({
    name,
    at: null,
    sizeBytes: content.length,
    crc32: crc32(content),
  }))
  const places = atOnce(placeEntries(entries))
  const bodies = files.flatMap(({ content }, at) => {
    const entry = entries[at]
    return entry === undefined ? [] : [localHeader(entry), content]
  })
  return Buffer.concat([...bodies, ...directoryChunks(places).map((chunk) => chunk.load())])
}
