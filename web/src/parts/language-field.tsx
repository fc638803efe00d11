/** The wished language of captions: from a list, or any code. */
import { useId, useState } from 'react'
import { languageName } from '../format.ts'
import { Field } from './controls.tsx'

const CODES = ['ar', 'de', 'en', 'es', 'fr', 'hi', 'id', 'it', 'ja', 'ko', 'nl', 'pl', 'pt-BR']
const MORE_CODES = ['ru', 'tr', 'uk', 'vi', 'zh-Hans']
const LISTED = [...CODES, ...MORE_CODES]
const OTHER = 'other'

type Props = { value: string; onChange: (value: string) => void; error: string | null }

export function LanguageField({ value, onChange, error }: Props) {
  const id = useId()
  const [isOther, setOther] = useState(value !== '' && !LISTED.includes(value))
  const choose = (chosen: string) => {
    setOther(chosen === OTHER)
    onChange(chosen === OTHER ? '' : chosen)
  }
  return (
    <div className="space-y-3">
      <div>
        <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
          Language
        </label>
        <select
          id={id}
          value={isOther ? OTHER : value}
          onChange={(event) => choose(event.target.value)}
          className="h-11 w-full rounded-lg border border-control bg-surface px-3 text-base"
        >
          <option value="">As spoken</option>
          {LISTED.map((code) => (
            <option key={code} value={code}>
              {languageName(code)}
            </option>
          ))}
          <option value={OTHER}>Another …</option>
        </select>
        {!isOther && (
          <p className="mt-1.5 text-sm text-muted">
            Where a video has none in it, you get the language as spoken.
          </p>
        )}
      </div>
      {isOther && (
        <Field
          label="Code"
          placeholder="pt-PT"
          value={value}
          autoCapitalize="none"
          spellCheck={false}
          hint="A code such as sv or pt-PT."
          onChange={(event) => onChange(event.target.value)}
          error={error}
        />
      )}
    </div>
  )
}
