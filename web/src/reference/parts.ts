/** The reference as `/docs.md` tells it: its parts between two anchors each, in chapters. */
import { queryOptions } from '@tanstack/react-query'
import { Lexer } from 'marked'
import { type ApiDocument, type Example, type Operation, operationsOf } from './openapi.ts'

/** A piece of Markdown as `marked` reads it, with what is told apart here. */
export type Piece = {
  type: string
  raw: string
  text?: string
  href?: string
  lang?: string
  depth?: number
  tokens?: Piece[]
  items?: Piece[]
}
export type ReferencePart = {
  id: string
  title: string
  /** Level of its heading; 2 opens a chapter. */
  depth: number
  /** All of its Markdown in lower case, which a search reads. */
  text: string
  pieces: Piece[]
  examples: Example[]
  /** What can be called; null for a part that is of no operation. */
  operation: Operation | null
}
/** Parts under one title: the operations of a tag, the codes of errors, the schemas. Those of the first page lead. */
export type ReferenceChapter = {
  /** Its page at `/docs/api/{group}`; '' for what stands on the first page. */
  group: string
  title: string
  about: string
  /** What it says before its parts; null where that is `about` alone. */
  head: ReferencePart | null
  parts: ReferencePart[]
}

export type ReadReference = { version: string; base: string; chapters: ReferenceChapter[] }

export const referenceQuery = queryOptions({
  queryKey: ['reference'],
  queryFn: async (): Promise<ReadReference> => {
    const [markdown, json] = await Promise.all([textAt('/docs.md'), textAt('/api/v1/openapi.json')])
    const document = JSON.parse(json) as ApiDocument
    return {
      version: document.info.version,
      base: document.servers[0]?.url ?? '',
      chapters: chaptersOf(markdown, document),
    }
  },
  staleTime: Infinity,
})

async function textAt(path: string): Promise<string> {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path} is not available: ${response.status}`)
  return response.text()
}

/** Chapters that every reader needs, which stand on the first page. */
const ON_FIRST_PAGE = new Set(['introduction', 'headers', 'errors'])

const ANCHOR = /<a id="([\w-]+)"><\/a>\n/

/** Returns the parts in order; what precedes the first anchor is the list of them. */
function partsOf(markdown: string): ReferencePart[] {
  const [, ...split] = markdown.split(ANCHOR)
  return split.flatMap((id, index) =>
    index % 2 === 0 ? partOf(id, split[index + 1] ?? '', split) : [],
  )
}

/** Returns Markdown whose lines about answers link each code of an error to the part about it. */
function linked(text: string, anchors: readonly string[]): string {
  return text.replaceAll(/^- (?:\[Errors\]|\d{3} ).*$/gm, (line) =>
    line.replaceAll(/`(\w+)`/g, (code, name) =>
      anchors.includes(`error-${name}`) ? `[${code}](#error-${name})` : code,
    ),
  )
}

function partOf(id: string, text: string, anchors: readonly string[]): ReferencePart {
  const read: Piece[] = new Lexer().lex(linked(text, anchors))
  const [heading, ...blocks] = read.filter(({ type }) => type !== 'space')
  const opensWith = (piece?: Piece) => (piece?.tokens?.[0]?.type === 'strong' ? piece : undefined)
  return {
    id,
    title: heading?.text ?? '',
    depth: heading?.depth ?? 2,
    text: text.toLowerCase(),
    // A bold line before a list is its title, one before an example is the example's.
    pieces: blocks.flatMap((piece, index) => {
      const next = blocks[index + 1]?.type
      if (piece.type === 'code' || (opensWith(piece) && next === 'code')) return []
      return opensWith(piece) && next === 'list' ? { ...piece, type: 'label' } : piece
    }),
    examples: blocks.flatMap((piece, index) => {
      if (piece.type !== 'code') return []
      const label = blocks.slice(0, index).findLast(opensWith)
      return { title: label?.tokens?.[0]?.text ?? 'Example', text: inLines(piece) }
    }),
    operation: null,
  }
}

/** Returns JSON with a line for each value: Markdown has less of them, for programs that pay by the token. */
function inLines({ lang, text = '' }: Piece): string {
  return lang === 'json' ? JSON.stringify(JSON.parse(text), null, 2) : text
}

export function chaptersOf(markdown: string, document: ApiDocument): ReferenceChapter[] {
  const operations = new Map(operationsOf(document).map((one) => [one.operationId, one]))
  const chapters: ReferenceChapter[] = []
  for (const part of partsOf(markdown)) {
    const operation = operations.get(part.id)
    const tag = document.tags.find(({ name }) => name === operation?.tag)
    if (operation === undefined && part.depth === 2)
      chapters.push({ ...chapterOf(part.title, part), about: '' })
    else if (tag !== undefined && chapters.at(-1)?.title !== tag.name)
      chapters.push({ ...chapterOf(tag.name, null), about: tag.description })
    if (operation !== undefined) chapters.at(-1)?.parts.push(asCalled(part, operation))
    else if (part.depth > 2) chapters.at(-1)?.parts.push(part)
  }
  return chapters.sort((one, other) => Number(one.group !== '') - Number(other.group !== ''))
}

function chapterOf(title: string, head: ReferencePart | null) {
  const isFirst = head !== null && ON_FIRST_PAGE.has(head.id)
  return { group: isFirst ? '' : title.toLowerCase().replaceAll(' ', '-'), title, head, parts: [] }
}

/** Returns the anchors of a chapter, in order. */
export function anchorsOf({ head, parts }: ReferenceChapter): string[] {
  return [...(head === null ? [] : [head]), ...parts].map(({ id }) => id)
}

/** Returns the part with its first sentence as its title: method and path stand by themselves on the page. */
function asCalled(part: ReferencePart, operation: Operation): ReferencePart {
  const [first, ...pieces] = part.pieces
  return { ...part, operation, title: first?.text?.replace(/\.$/, '') ?? part.title, pieces }
}

/** Returns what has every one of the words, in chapters; all where there are no words. */
export function chaptersWith(words: string, chapters: ReferenceChapter[]): ReferenceChapter[] {
  const wanted = words.toLowerCase().split(/\s+/)
  const has = ({ text }: ReferencePart): boolean => wanted.every((word) => text.includes(word))
  return chapters
    .map(({ head, parts, ...chapter }) => ({
      ...chapter,
      head: head !== null && has(head) ? head : null,
      parts: parts.filter(has),
    }))
    .filter(({ head, parts }) => head !== null || parts.length > 0)
}
