/** Memory of buffers, counted where they are made instead of measured. */
import type { TestContext } from 'node:test'

export type Allocations = {
  /** Returns all bytes that were asked for so far. */
  bytes(): number
  /** Returns the bytes that were not given back. */
  keptBytes(): number
}

/** Counts until the test ends. zlib's output comes from these, too. */
export function countAllocations(t: TestContext): Allocations {
  const made = new Set<ArrayBufferLike>()
  const sizes: number[] = []
  for (const name of ['alloc', 'allocUnsafe', 'allocUnsafeSlow'] as const) {
    const make = Buffer[name].bind(Buffer) as (...given: unknown[]) => Buffer
    t.mock.method(Buffer, name, (...given: unknown[]) => {
      const buffer = make(...given)
      made.add(buffer.buffer)
      sizes.push(buffer.length)
      return buffer
    })
  }
  const sumOf = (all: Iterable<number>): number => [...all].reduce((sum, each) => sum + each, 0)
  return {
    bytes: () => sumOf(sizes),
    keptBytes: () => sumOf([...made].map(({ byteLength }) => byteLength)),
  }
}
