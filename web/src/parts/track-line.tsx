/** A caption track of a video as one line of words. */
import type { Track } from '../api/client.ts'
import { languageName } from '../format.ts'
import { madeBy } from '../words.ts'

/** Says the language, who made it, its own name where that says more, and whether players show it first. */
export function TrackLine({ track }: { track: Track }) {
  const { languageCode, kind, name, isDefault } = track
  const language = languageName(languageCode)
  const isNamed = kind === 'manual' && name !== null && name !== language
  return (
    <>
      <span className="font-medium">{language}</span>
      <span className="text-muted">
        {' '}
        · {madeBy(kind)}
        {isNamed && (
          <>
            {' '}
            · <bdi>{name}</bdi>
          </>
        )}
        {isDefault && ' · shown first on YouTube'}
      </span>
    </>
  )
}
