/** The ways to take a quote away: copying it in the form chosen last, choosing another, and the link to its place. */
import {
  CITATION_FORMATS,
  type CitationFormat,
  citationOf,
  type Cited,
} from '../../../src/model/files/citations.ts'
import { QUOTE_FORMAT, useKept } from '../kept-choice.ts'
import { CopyButton } from './copy.tsx'

/** `address` is the reader's, without its origin. */
export function QuoteTools({
  video,
  quote,
  address,
}: Pick<Cited, 'video' | 'quote'> & { address: string }) {
  const format = useKept(QUOTE_FORMAT)
  return (
    <>
      <CopyButton
        kind="quiet"
        label="Copy quote"
        text={() => citationOf(format, { video, quote, readAt: new Date() })}
      />
      <select
        aria-label="Form of the quote"
        value={format}
        onChange={({ target }) => QUOTE_FORMAT.keep(target.value as CitationFormat)}
        className="h-9 rounded-lg border border-transparent bg-transparent px-1 text-sm text-muted hover:bg-sunken hover:text-ink"
      >
        {Object.entries(CITATION_FORMATS).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <CopyButton kind="quiet" label="Copy link" text={() => location.origin + address} />
    </>
  )
}
