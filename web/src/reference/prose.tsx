/** Text of the document: paragraphs with `code` and **bold**, never read as HTML. */
import { Fragment } from 'react'

export function Prose({ text, className = '' }: { text: string; className?: string }) {
  return text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph !== '')
    .map((paragraph, index) => (
      <p key={index} className={className}>
        <Line text={paragraph} />
      </p>
    ))
}

export function Line({ text }: { text: string }) {
  return text.split(/(`[^`]*`|\*\*[^*]*\*\*)/).map((piece, index) => {
    if (piece.startsWith('`'))
      return (
        <code key={index} className="font-mono text-[0.85em] wrap-anywhere text-ink">
          {piece.slice(1, -1)}
        </code>
      )
    if (piece.startsWith('**')) return <b key={index}>{piece.slice(2, -2)}</b>
    return <Fragment key={index}>{piece}</Fragment>
  })
}
