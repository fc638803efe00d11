/** Markdown as elements of the page, never as HTML: paragraphs, titles of lists, and lists as rows. */
import type { Piece } from './parts.ts'

export function Markdown({
  pieces,
  label: Label,
}: {
  pieces: readonly Piece[]
  label: 'h2' | 'h3' | 'h4'
}) {
  return pieces.map(({ type, items = [], tokens = [] }, index) => {
    if (type === 'list') return <Rows key={index} items={items} />
    if (type === 'label')
      return (
        <Label
          key={index}
          className="mt-6 font-sans text-sm font-normal tracking-normal wrap-anywhere"
        >
          <Words pieces={tokens} />
        </Label>
      )
    return (
      <p key={index} className="mt-3 text-[0.9375rem] text-muted">
        <Words pieces={tokens} />
      </p>
    )
  })
}

function Words({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map((piece, index) => <Word key={index} {...piece} />)
}

function Word({ type, raw, text = raw, href, tokens = [] }: Piece) {
  if (type === 'strong') return <b className="font-semibold text-ink">{text}</b>
  if (type === 'required') return <span className="text-warn">{text}</span>
  if (type === 'codespan')
    return <code className="font-mono text-[0.85em] wrap-anywhere text-ink">{text}</code>
  if (type !== 'link') return text
  return (
    <a href={href} className="link wrap-anywhere [&>code]:text-accent">
      <Words pieces={tokens} />
    </a>
  )
}

/** Lines such as `name (facts): meaning`, the meaning below its field, or `404: meaning`, the meaning beside it. */
function Rows({ items }: { items: readonly Piece[] }) {
  const lines = items.map(({ tokens: [line] = [] }) => line?.tokens ?? [])
  const areFields = lines[0]?.[0]?.type === 'codespan'
  const looks = areFields ? FIELDS : LINES
  return (
    <dl className={`mt-2 divide-y divide-line border-y border-line text-[0.9375rem] ${looks.list}`}>
      {lines.map((line, index) => {
        const { name, meaning } = halves(line)
        return (
          <div key={index} className={looks.row}>
            <dt className={looks.name}>
              <Words pieces={name.flatMap(withRequired)} />
            </dt>
            <dd className="mt-0.5 text-muted">
              <Words pieces={meaning} />
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

const FIELDS = {
  list: '',
  row: 'py-2.5',
  name: 'text-sm text-muted [&>code:first-child]:text-sm [&>code:first-child]:font-medium',
}
const LINES = {
  list: 'grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4',
  row: 'col-span-2 grid grid-cols-subgrid items-baseline py-2',
  name: 'numbers font-medium',
}

/** Returns what a line is about and what it says of it: before and after the first colon that is in no code. */
function halves(pieces: readonly Piece[]): { name: Piece[]; meaning: Piece[] } {
  const at = pieces.findIndex(({ type, text }) => type === 'text' && text?.includes(': '))
  const [before = '', ...after] = pieces[at]?.text?.split(': ') ?? []
  if (at < 0) return { name: [...pieces], meaning: [] }
  return {
    name: [...pieces.slice(0, at), plain(before)],
    meaning: [plain(after.join(': ')), ...pieces.slice(at + 1)],
  }
}

/** Returns a text in pieces, of which the word that nobody may overlook is one by itself. */
function withRequired(piece: Piece): Piece[] {
  if (piece.type !== 'text') return [piece]
  return (piece.text ?? '')
    .split(/\b(required)\b/)
    .map((text) => (text === 'required' ? { ...plain(text), type: text } : plain(text)))
}

function plain(text: string): Piece {
  return { type: 'text', raw: text, text }
}
