/**
 * Chooses the name of a video's files in a folder. A file of the same content is left alone, and one of another content
 * is never replaced: the name gets a number instead, `Title [id] (2).txt`. The same deliveries in the same folder
 * always find the same names, however often they were interrupted. The program does nothing else meanwhile, so files
 * are read synchronously.
 */
import fs from 'node:fs'
import path from 'node:path'
import { crc32 } from './crc32.ts'

export type Wanted = { ending: string; sizeBytes: number; crc32: number }
export type Placed = { file: string; wanted: Wanted; isPresent: boolean }

export class FilePlaces {
  readonly #folder: string
  /** Names given in this run, as a case-insensitive file system sees them. */
  readonly #given = new Set<string>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Chooses one name for all formats of a video; `stem` has its folders first. */
  place(stem: readonly string[], wanted: readonly Wanted[]): Placed[] {
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? stem.join('/') : `${stem.join('/')} (${number})`
      const folded = name.normalize('NFC').toLowerCase()
      if (this.#given.has(folded)) continue
      const placed = this.#look(name, wanted)
      if (placed === null) continue
      this.#given.add(folded)
      return placed
    }
  }

  /** Returns null where one of the files exists with another content. */
  #look(name: string, wanted: readonly Wanted[]): Placed[] | null {
    const placed: Placed[] = []
    for (const one of wanted) {
      const file = path.join(this.#folder, `${name}.${one.ending}`)
      const found = contentOf(file, one)
      if (found === 'other') return null
      placed.push({ file, wanted: one, isPresent: found === 'same' })
    }
    return placed
  }
}

function contentOf(file: string, wanted: Wanted): 'none' | 'same' | 'other' {
  try {
    const { size } = fs.statSync(file, { throwIfNoEntry: false }) ?? { size: null }
    if (size === null) return 'none'
    if (size !== wanted.sizeBytes) return 'other'
    return crc32(fs.readFileSync(file)) === wanted.crc32 ? 'same' : 'other'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') return 'other'
    throw error
  }
}
