/**
 * The functions of `forms.wasm`, which scans captions, writes forms and compresses them three times as fast as JavaScript
 * does. They are written in AssemblyScript (`assembly/` at the root, `npm run wasm`) and see nothing but the module's memory.
 */
import { readFileSync } from 'node:fs'

/** Addresses, lengths and numbers of lines are whole numbers below 2^31; see `assembly/index.ts` for each. */
export type FormsModule = {
  /** Of which a call may make another buffer, and leave the one before empty. */
  memory: { readonly buffer: ArrayBuffer }
  makeLines(lines: number, bytes: number): void
  textsAt(): number
  timesAt(): number
  breaksAt(): number
  marksAt(): number
  open(): number
  search(): void
  repeatsAt(): number
  repeatsEndAt(): number
  escapedMarks(form: number): number
  othersRoom(lines: number, bytes: number): number
  writeForm(form: number, isPacked: number): number
  contentAt(): number
  endBlocks(): number
  blocksAt(): number
  codeLengths(counts: number, symbols: number, longest: number, lengths: number): void
  makeCodes(lengths: number, symbols: number, codes: number): void
  makeEvents(bytes: number): number
  findCues(): number
  cuesAt(): number
  isAscii(): number
}

/** As much of WebAssembly as is used; the types of Node have none of it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => CompiledModule
  Instance: new (module: CompiledModule) => { exports: unknown }
}
declare const COMPILED: unique symbol
type CompiledModule = { readonly [COMPILED]: true }

/** A module whose memory grew beyond this, in bytes, is left to the collector of garbage: memory never shrinks. */
const MEMORY_KEPT_BYTES = 16 * 2 ** 20

let compiled: CompiledModule | null = null
let forms: FormsModule | null = null
let scan: FormsModule | null = null

/** One for each thread, to be asked for with each transcript: another one's may have been too large to be kept. */
export function formsModule(): FormsModule {
  return (forms = kept(forms))
}

/** The same for scanning, with a memory of its own: the lines that the other one holds stay there. */
export function scanModule(): FormsModule {
  return (scan = kept(scan))
}

function kept(module: FormsModule | null): FormsModule {
  if (module !== null && module.memory.buffer.byteLength <= MEMORY_KEPT_BYTES) return module
  compiled ??= new WebAssembly.Module(readFileSync(new URL('./forms.wasm', import.meta.url)))
  return new WebAssembly.Instance(compiled).exports as FormsModule
}
