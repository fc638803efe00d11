/**
 * Writes a form of a transcript, and compresses it: brings the lines into the module that does both (forms-module.ts), and
 * what stands otherwise in a form than in the texts. How each form is laid out stands in `assembly/layouts.ts`.
 */
import assert from 'node:assert/strict'
import { brokenTexts } from './paragraphs.ts'
import { disarmSrt, escapeJson, escapeVtt } from './escapes.ts'
import type { Form } from './formats.ts'
import { type FormsModule, formsModule } from './forms-module.ts'
import type { Lines } from './lines.ts'
import { formNumber } from './recorded-forms.ts'

/** A form, and the deflate blocks that hold it; lent until the next one is written. */
type WrittenForm = { content: Buffer; blocks: Buffer }
/** A line that a form writes otherwise. */
type OtherLine = { line: number; text: Buffer }

/** A module that has a transcript's lines, and which characters these have. */
type Holding = { module: FormsModule; marks: number }

/** The last one. Null while lines are brought in: a failure then leaves nothing that is taken for them. */
let held: (Holding & { lines: WeakRef<Lines> }) | null = null

/** The bytes of a form, lent until the next is written. */
export function writeForm(lines: Lines, form: Form): Buffer {
  const { module, marks } = hold(lines)
  return contentOf(module, form, {
    others: othersOf(module, lines, { form, marks }),
    isPacked: false,
  })
}

/** The same lines give the same bytes, on any machine. */
export function packForm(lines: Lines, form: Form): WrittenForm {
  const { module, marks } = hold(lines)
  const others = othersOf(module, lines, { form, marks })
  module.search()
  const content = contentOf(module, form, { others, isPacked: true })
  const blocksBytes = module.endBlocks()
  return { content, blocks: Buffer.from(module.memory.buffer, module.blocksAt(), blocksBytes) }
}

function contentOf(
  module: FormsModule,
  form: Form,
  { others, isPacked }: { others: OtherLine[]; isPacked: boolean },
): Buffer {
  giveOthers(module, others)
  const bytes = module.writeForm(formNumber(form), Number(isPacked))
  return Buffer.from(module.memory.buffer, module.contentAt(), bytes)
}

function hold(lines: Lines): Holding {
  if (held?.lines.deref() === lines) return held
  held = null
  const module = formsModule()
  const { segments, bytes } = lines
  module.makeLines(segments.length, bytes.length)
  const { buffer } = module.memory
  new Uint8Array(buffer, module.textsAt(), bytes.length).set(bytes)
  const times = new Float64Array(buffer, module.timesAt(), 2 * segments.length)
  let at = 0
  for (const { startMs, endMs } of segments) {
    times[at++] = startMs
    times[at++] = endMs
  }
  const marks = module.open()
  assert(marks >= 0, 'a transcript has a line for each segment')
  held = { lines: new WeakRef(lines), module, marks }
  return held
}

function othersOf(
  module: FormsModule,
  lines: Lines,
  { form, marks }: { form: Form; marks: number },
): OtherLine[] {
  if (form === 'txt') return breakLines(module, lines)
  const escaped = module.escapedMarks(formNumber(form))
  if ((marks & escaped) === 0) return []
  const { segments } = lines
  const marksOf = new Uint8Array(module.memory.buffer, module.marksAt(), segments.length)
  const escape = ESCAPES[form]
  return segments.flatMap(({ text }, line) =>
    ((marksOf[line] ?? 0) & escaped) === 0 ? [] : [{ line, text: Buffer.from(escape(text)) }],
  )
}

const ESCAPES: Record<Exclude<Form, 'txt'>, (text: string) => string> = {
  json: escapeJson,
  text: escapeJson,
  srt: disarmSrt,
  vtt: escapeVtt,
}

/** Says where paragraphs begin; a line within which one does is written otherwise. */
function breakLines(module: FormsModule, { segments }: Lines): OtherLine[] {
  const breaks = new Uint8Array(module.memory.buffer, module.breaksAt(), segments.length)
  const others: OtherLine[] = []
  let line = 0
  for (const { opens, text, isBroken } of brokenTexts(segments)) {
    breaks[line] = Number(opens)
    if (isBroken) others.push({ line, text: Buffer.from(text) })
    line += 1
  }
  return others
}

/** Which lines, and where the text of each ends (two i32 each); the texts one after the other. */
function giveOthers(module: FormsModule, others: readonly OtherLine[]): void {
  const texts = Buffer.concat(others.map(({ text }) => text))
  const at = module.othersRoom(others.length, texts.length)
  const { buffer } = module.memory
  const table = new Int32Array(buffer, at, 2 * others.length)
  let end = 0
  for (const [place, { line, text }] of others.entries()) {
    end += text.length
    table[2 * place] = line
    table[2 * place + 1] = end
  }
  new Uint8Array(buffer, at + table.byteLength, texts.length).set(texts)
}
