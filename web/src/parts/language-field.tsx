/** The wished language of captions: from a list, or any code. */
import { useState } from 'react'
import { languageName } from '../format.ts'
import { Choice, Field } from './controls.tsx'

const CODES = ['ar', 'de', 'en', 'es', 'fr', 'hi', 'id', 'it', 'ja', 'ko', 'nl', 'pl', 'pt-BR']
const MORE_CODES = ['ru', 'tr', 'uk', 'vi', 'zh-Hans']
const LISTED = [...CODES, ...MORE_CODES]
const OTHER = 'other'

type Props = { value: string; onChange: (value: string) => void; error: string | null }

export function LanguageField({ value, onChange, error }: Props) {
  const [isOther, setOther] = useState(value !== '' && !LISTED.includes(value))
  const choose = (chosen: string) => {
    setOther(chosen === OTHER)
    onChange(chosen === OTHER ? '' : chosen)
  }
  return (
    <div className="space-y-3">
      <Choice
        label="Language"
        hint={
          isOther || value === ''
            ? undefined
            : 'If a video has no captions in this language, you get the original.'
        }
        value={isOther ? OTHER : value}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">As spoken</option>
        {LISTED.map((code) => (
          <option key={code} value={code}>
            {languageName(code)}
          </option>
        ))}
        <option value={OTHER}>Another …</option>
      </Choice>
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
